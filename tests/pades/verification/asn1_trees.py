"""Trees of ASN.1 values that can be changed in structure, and written again with the change anywhere in them."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from typing import Self

from pades import der

_CONSTRUCTED = 0x20


@dataclass(frozen=True)
class Node:
    """A value: its tag, and its content or its children. `form` writes tag and content in another way than DER."""

    tag: int
    content: bytes = b""
    children: tuple["Node", ...] | None = None
    form: Callable[[int, bytes], bytes] = field(default=der.write)

    @staticmethod
    def parse(written: bytes) -> "Node":
        element = der.read(written)
        if not element.tag & _CONSTRUCTED:
            return Node(element.tag, element.content)
        return Node(element.tag, children=tuple(Node.parse(one.written) for one in element.children()))

    def written(self) -> bytes:
        if self.children is None:
            return self.form(self.tag, self.content)
        return self.form(self.tag, b"".join(child.written() for child in self.children))

    def paths(self, below: tuple[int, ...] = ()) -> Iterator[tuple[tuple[int, ...], "Node"]]:
        """Every value in the tree, and the way to it: the places among children."""
        yield below, self
        for place, child in enumerate(self.children or ()):
            yield from child.paths((*below, place))

    def at(self, path: tuple[int, ...]) -> "Node":
        return self if not path else (self.children or ())[path[0]].at(path[1:])

    def with_at(self, path: tuple[int, ...], *new: "Node") -> "Node":
        """The tree with `new` values, any number, in place of the one at `path`."""
        first, *rest = path
        children = self.children or ()
        changed = new if not rest else (children[first].with_at(tuple(rest), *new),)
        return replace(self, children=(*children[:first], *changed, *children[first + 1 :]))

    def with_child(self, *new: "Node") -> Self:
        return replace(self, children=(*(self.children or ()), *new))


def indefinite(tag: int, content: bytes) -> bytes:
    """BER of indefinite length."""
    return bytes((tag | _CONSTRUCTED, 0x80)) + content + b"\0\0"


def long_length(tag: int, content: bytes) -> bytes:
    """BER with a length of four bytes, whatever it needs."""
    return bytes((tag, 0x84)) + len(content).to_bytes(4, "big") + content


def divided(tag: int, content: bytes) -> bytes:
    """BER of a string in two pieces."""
    half = len(content) // 2
    return der.write(tag | _CONSTRUCTED, der.write(tag, content[:half]), der.write(tag, content[half:]))


PAYLOAD = Node(der.OCTET_STRING, b"I owe you 4,800,000 EUR. " * 20)


def changes_of(node: Node) -> Iterator[tuple[str, tuple[Node, ...]]]:
    """What can be done to a value, in words, and what is then in its place."""
    yield "left out", ()
    yield "twice", (node, node)
    yield "a payload after it", (node, PAYLOAD)
    yield "a payload before it", (PAYLOAD, node)
    yield "a payload in its place", (PAYLOAD,)
    yield "a long length", (replace(node, form=long_length),)
    yield "another tag", (replace(node, tag=node.tag ^ 0x40),)
    if node.children is None:
        yield "a byte more", (replace(node, content=b"\0" + node.content),)
        yield "a byte more at its end", (replace(node, content=node.content + b"\0"),)
        if node.content:
            yield "a bit otherwise", (replace(node, content=node.content[:-1] + bytes((node.content[-1] ^ 1,))),)
        if node.tag == der.OCTET_STRING and len(node.content) > 1:
            yield "divided", (replace(node, form=divided),)
    else:
        yield "a payload in it", (node.with_child(PAYLOAD),)
        yield "no value in it", (replace(node, children=()),)
        yield "an indefinite length", (replace(node, form=indefinite),)
        if len(node.children) > 1:
            yield "in another order", (replace(node, children=tuple(reversed(node.children))),)
            yield "its first value twice", (replace(node, children=(node.children[0], *node.children)),)
