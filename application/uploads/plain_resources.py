"""Resources of uploads: graphics states, colour spaces, fonts, patterns and XObjects that all readers draw alike.

Each resource is visited once, by its role. What readers interpret differently is removed, or refused if people would
miss it. ISO 32000-2: 7.8.3 resource dictionaries, 8.4.5 graphics state parameters, 8.6.6.4 separations, 8.10 forms.
"""

from collections.abc import Iterator
from dataclasses import replace
from types import UnionType

from pikepdf import Array, Dictionary, Name, Object, Pdf, Stream, StreamDecodeLevel

from application.uploads.content_state import DEVICE_SPACES, Drawn, Named, Role, Space
from application.uploads.pdf_keys import is_numbers, keep, key_set
from application.uploads.pdf_limits import PdfRefused
from application.uploads.plain_content import UNKNOWN, plain_content
from application.uploads.plain_fonts import plain_drawings, plain_font, shown_font
from application.uploads.plain_image import components_of, is_whole, plain_image
from application.uploads.plain_layers import Layers
from application.uploads.text_strings import Font
from domain.ports.uploads import PRINT_AGAIN

_KINDS = key_set("ExtGState ColorSpace Pattern Shading XObject Font ProcSet Properties")
_STATE = key_set("Type LW LC LJ ML RI FL SM SA BM SMask CA ca AIS TK")
_DIFFERENT_STATE = {"/TR": "transfer functions", "/TR2": "transfer functions"}
_BLEND_MODES = key_set(
    "Normal Compatible Multiply Screen Overlay Darken Lighten ColorDodge ColorBurn HardLight SoftLight "
    "Difference Exclusion Hue Saturation Color Luminosity"
)
_FORM = key_set(
    "Type Subtype FormType BBox Matrix Resources Group OC StructParent StructParents Metadata Length Filter DecodeParms"
)
_IMAGE = key_set(
    "Type Subtype Width Height ColorSpace BitsPerComponent Intent ImageMask Mask Decode Interpolate SMask "
    "SMaskInData Matte OC StructParent Metadata Length Filter DecodeParms Name"
)
_PATTERN = key_set(
    "Type PatternType PaintType TilingType BBox XStep YStep Resources Matrix Length Filter DecodeParms "
    "Shading ExtGState"
)
_DEFAULTS = {"/DefaultGray": 1, "/DefaultRGB": 3, "/DefaultCMYK": 4}
_MAX_DEPTH = 8

_FUNCTIONS = frozenset({0, 2, 3, 4})
"""Types of functions (7.10.1)."""

_FIRST_MESH = 4
"""The first type of shading that draws without a function (8.7.4.5)."""

_UNCOLOURED = 2
"""The type of paint of tiling patterns that take a colour (8.7.3.1)."""

_PLAIN_SPACES = key_set("DeviceGray DeviceRGB DeviceCMYK Pattern G RGB CMYK")
_FAMILIES = key_set("CalGray CalRGB Lab ICCBased Indexed I Separation DeviceN")
_UNKNOWN_SPACE = (
    "The PDF draws in a colour space that PDF does not have, which PDF readers show in different colours. "
    f"{PRINT_AGAIN}"
)

_NO_FUNCTION = (
    "The PDF has a colour gradient without a valid function or axis, which PDF readers draw in different ways. Save "
    "the PDF with another program, and upload that."
)
_NO_INK = (
    "The PDF draws in a colour that prints nothing (None), which some PDF readers show and others hide. Save the PDF "
    "in plain colours, and upload that."
)
_POSTSCRIPT = "The PDF holds PostScript programs, which only printers run. Save the PDF without them, and upload that."
_NO_BOX = "drawings without a valid box or matrix"
_FAR = 32_767
"""Distance, in units of the page, beyond which nothing is on it (annex C)."""

_ALL_INKS = "colours of all inks"
_PLATES = "other versions of a picture for other media"


class Resources:
    """Makes the resources of one PDF plain. `found` receives what readers draw differently."""

    def __init__(self, pdf: Pdf, layers: Layers, found: set[str]) -> None:
        self._pdf = pdf
        self._layers = layers
        self._found = found
        self._visited: set[tuple[int, int]] = set()
        self._fonts: dict[tuple[int, int], Font] = {}
        self._checked = 0
        self._waiting: list[tuple[Object, Object, Role]] = []

    def visit(self, resources: Object) -> None:
        """Makes `resources` plain, and all that they lead to."""
        self._resources(resources)
        while self._waiting:
            stream, inherited, role = self._waiting.pop()
            own = stream.get(Name.Resources)
            if role is Role.GLYPH:
                own = inherited
            elif not isinstance(own, Dictionary):
                stream[Name.Resources] = own = inherited
            else:
                self._resources(own)
            self.content(stream, own, role)

    def content(self, stream: Object, resources: Object, role: Role = Role.FORM) -> None:
        """Makes the content of `stream` plain."""
        content = stream.read_bytes(StreamDecodeLevel.specialized)
        plain = self.plain(content, resources, role)
        if plain is not content:
            stream.write(plain)

    def plain(self, content: bytes, resources: Object, role: Role = Role.PAGE) -> bytes:
        """Returns `content`, drawn with `resources`, as all readers interpret it."""
        plain = plain_content(content, self._named(resources), role)
        if plain is not content:
            self._found.add(UNKNOWN)
        return plain

    def _named(self, resources: Object) -> Named:
        return Named(
            layers={name for name, one in _entries(resources, Name.Properties) if self._layers.is_layer(one)},
            spaces={name: _space(one) for name, one in _entries(resources, Name.ColorSpace)},
            patterns={
                name: one.get(Name.PaintType) == _UNCOLOURED
                for name, one in _entries(resources, Name.Pattern, Dictionary | Stream)
            },
            shadings={name for name, _ in _entries(resources, Name.Shading, Dictionary | Stream)},
            drawn={name: _drawn(one) for name, one in _entries(resources, Name.XObject, Stream)},
            fonts={name: self._shown(one) for name, one in _entries(resources, Name.Font, Dictionary)},
            states={name for name, _ in _entries(resources, Name.ExtGState, Dictionary)},
        )

    def _shown(self, font: Object) -> Font:
        if not font.is_indirect:
            return shown_font(font)
        if font.objgen not in self._fonts:
            self._fonts[font.objgen] = shown_font(font)
        return self._fonts[font.objgen]

    def _is_new(self, thing: Object) -> bool:
        if thing.is_indirect:
            if thing.objgen in self._visited:
                return False
            self._visited.add(thing.objgen)
        return True

    def _resources(self, resources: Object) -> None:
        if not self._is_new(resources):
            return
        keep(resources, _KINDS)
        self._layers.simplify_properties(resources)
        for _, state in _entries(resources, Name.ExtGState):
            self._graphics_state(state, resources)
        self._colour_spaces(resources)
        for _, pattern in _entries(resources, Name.Pattern):
            self._pattern(pattern, resources)
        for _, shading in _entries(resources, Name.Shading):
            self._shading(shading)
        for _, drawn in _entries(resources, Name.XObject):
            self.drawn(drawn, resources)
        for _, font in _entries(resources, Name.Font):
            self._font(font, resources)

    def _colour_spaces(self, resources: Object) -> None:
        for name, space in _entries(resources, Name.ColorSpace):
            if name in DEVICE_SPACES:  # some readers look for it in the resources, others do not
                if space != Name(name):
                    self._found.add("colour spaces with the names of others")
                del resources[Name.ColorSpace][name]
            elif name in _DEFAULTS and not _is_profile(space, _DEFAULTS[name]):
                del resources[Name.ColorSpace][name]
            else:
                self._colour_space(space)

    def _graphics_state(self, state: Object, resources: Object) -> None:
        if not isinstance(state, Dictionary) or not self._is_new(state):
            return
        for key, kind in _DIFFERENT_STATE.items():
            if key in state and str(state[key]) not in {"/Identity", "/Default"}:
                self._found.add(kind)
        if Name.Font in state or Name.D in state:
            self._found.add("fonts or dashes of graphics states")
        keep(state, _STATE)
        mode = state.get(Name.BM)
        if mode is not None:
            modes = [str(one) for one in mode] if isinstance(mode, Array) else [str(mode)]
            known = next((one for one in modes if one in _BLEND_MODES), "/Normal")
            if isinstance(mode, Array) or known != str(mode):
                self._found.add("lists of blend modes")
                state[Name.BM] = Name(known)
        mask = state.get(Name.SMask)
        if isinstance(mask, Dictionary) and isinstance(mask.get(Name.G), Stream):
            self._plain_backdrop(mask)
            self.drawn(mask[Name.G], resources)

    def _plain_backdrop(self, mask: Object) -> None:
        """Removes a backdrop that is no colour of the space of the mask's group, or that has no effect (11.6.5.2)."""
        group = mask.G.get(Name.Group)
        space = group.get(Name.CS) if isinstance(group, Dictionary) else None
        is_colour = mask.get(Name.S) == Name.Luminosity and is_numbers(mask.get(Name.BC), components_of(space) or -1)
        if Name.BC in mask and not is_colour:
            self._found.add("masks with an invalid backdrop")
            del mask[Name.BC]

    def _colour_space(self, space: Object | None, depth: int = 0) -> None:
        if isinstance(space, Name) and str(space) not in _PLAIN_SPACES:
            raise PdfRefused(_UNKNOWN_SPACE)
        if not isinstance(space, Array) or not len(space) or depth > _MAX_DEPTH:
            return
        family = str(space[0])
        if family not in _PLAIN_SPACES and family not in _FAMILIES:
            raise PdfRefused(_UNKNOWN_SPACE)
        if family in {"/Separation", "/DeviceN"} and len(space) > 1:
            self._inks(space)
        if family == "/ICCBased" and len(space) > 1 and isinstance(space[1], Stream):
            self._colour_space(space[1].get(Name.Alternate), depth + 1)
        elif family in {"/Indexed", "/I", "/Pattern"} and len(space) > 1:
            self._colour_space(space[1], depth + 1)
        elif family in {"/Separation", "/DeviceN"} and len(space) > 2:
            self._colour_space(space[2], depth + 1)

    def _inks(self, space: Object) -> None:
        is_list = isinstance(space[1], Array)
        names = [str(name) for name in space[1]] if is_list else [str(space[1])]
        if all(name == "/None" for name in names):
            raise PdfRefused(_NO_INK)
        if "/All" in names:
            self._found.add(_ALL_INKS)
            # Some readers take `All` for full ink, others for the colour that is given.
            inks = [Name.Registration if name == "/All" else Name(name) for name in names]
            space[1] = Array(inks) if is_list else inks[0]

    def _pattern(self, pattern: Object, resources: Object) -> None:
        if not isinstance(pattern, Dictionary | Stream) or not self._is_new(pattern):
            return
        keep(pattern, _PATTERN)
        if isinstance(pattern, Stream):
            role = Role.PATTERN if pattern.get(Name.PaintType) == _UNCOLOURED else Role.FORM
            self._waiting.append((pattern, resources, role))
        state = pattern.get(Name.ExtGState)
        if isinstance(state, Dictionary):
            self._graphics_state(state, resources)
        self._shading(pattern.get(Name.Shading))

    def _shading(self, shading: Object | None) -> None:
        if not isinstance(shading, Dictionary | Stream):
            return
        self._colour_space(shading.get(Name.ColorSpace))
        function, kind = shading.get(Name.Function), shading.get(Name.ShadingType)
        if _is_point(shading.get(Name.Coords)):
            raise PdfRefused(_NO_FUNCTION)
        if function is None and (not isinstance(kind, int) or kind < _FIRST_MESH):
            raise PdfRefused(_NO_FUNCTION)
        for part in function if isinstance(function, Array) else () if function is None else (function,):
            if not isinstance(part, Dictionary | Stream) or part.get(Name.FunctionType) not in _FUNCTIONS:
                raise PdfRefused(_NO_FUNCTION)
        if isinstance(function, Array) and not len(function):
            raise PdfRefused(_NO_FUNCTION)

    def drawn(self, drawn: Object, resources: Object) -> None:
        """Makes an XObject plain."""
        if not isinstance(drawn, Stream) or not self._is_new(drawn):
            return
        kind = drawn.get(Name.Subtype)
        if kind == Name.PS or drawn.get(Name.Subtype2) == Name.PS or Name.PS in drawn:
            raise PdfRefused(_POSTSCRIPT)
        if Name.Alternates in drawn or Name.OPI in drawn or Name.Ref in drawn:
            self._found.add(_PLATES)
        self._layers.simplify(drawn)
        if kind == Name.Image:
            keep(drawn, _IMAGE)
            self._colour_space(drawn.get(Name.ColorSpace))
            self._checked = plain_image(drawn, self._found, checked=self._checked)
            for key in (Name.SMask, Name.Mask):
                mask = drawn.get(key)
                if isinstance(mask, Stream):
                    self.drawn(mask, resources)
        else:
            keep(drawn, _FORM)
            if not is_numbers(drawn.get(Name.BBox), 4):
                self._found.add(_NO_BOX)
                drawn[Name.BBox] = Array([-_FAR, -_FAR, _FAR, _FAR])
            if Name.Matrix in drawn and not is_numbers(drawn[Name.Matrix], 6):
                self._found.add(_NO_BOX)
                del drawn[Name.Matrix]
            self._waiting.append((drawn, resources, Role.FORM))

    def _font(self, font: Object, resources: Object) -> None:
        if not isinstance(font, Dictionary) or not self._is_new(font):
            return
        plain_font(font, self._found)
        if font.get(Name.Subtype) != Name.Type3:
            return
        own = font.get(Name.Resources)
        if not isinstance(own, Dictionary):
            font[Name.Resources] = own = resources
        else:
            self._resources(own)
        drawn = _entries(own, Name.XObject, Stream)
        plain_drawings(font, frozenset(name for name, one in drawn if one.get(Name.Subtype) == Name.Image), self._found)
        for _, glyph in _entries(font, Name.CharProcs):
            if isinstance(glyph, Stream) and self._is_new(glyph):
                self._waiting.append((glyph, own, Role.GLYPH))


def _entries(holder: Object, key: Name, kind: type | UnionType = Object) -> Iterator[tuple[str, Object]]:
    """Returns the entries of a dictionary of resources that are of a kind. A reference to no object is of none."""
    entries = holder.get(key)
    listed = list(entries.items()) if isinstance(entries, Dictionary) else ()
    return ((name, one) for name, one in listed if isinstance(one, kind))


def _is_point(ends: Object | None) -> bool:
    """Returns whether a shading begins where it ends (8.7.4.5.3 and 4): readers draw one of its colours, or none."""
    if not isinstance(ends, Array) or len(ends) % 2 or not is_numbers(ends, len(ends)):
        return False
    half = len(ends) // 2
    return all(one == other for one, other in zip(list(ends)[:half], list(ends)[half:], strict=True))


def _drawn(drawn: Object) -> Drawn:
    if drawn.get(Name.Subtype) != Name.Image:
        return Drawn.FORM
    return Drawn.STENCIL if drawn.get(Name.ImageMask, False) else Drawn.PICTURE


def _space(space: Object) -> Space:
    """Returns the colour space for content."""
    return replace(_space_of_colours(space), samples=components_of(space) if is_whole(space) else 0)


def _space_of_colours(space: Object) -> Space:
    family = space[0] if isinstance(space, Array) and len(space) == 1 else space
    if isinstance(family, Name) and str(family) in DEVICE_SPACES:
        return DEVICE_SPACES[str(family)]
    if isinstance(space, Array) and len(space) and space[0] == Name.Pattern:
        return Space(components_of(space[1]) or None if len(space) > 1 else 0, is_pattern=True)
    return Space(components_of(space) or None)


def _is_profile(space: Object, components: int) -> bool:
    """Returns whether a default colour space is a calibrated one of so many components."""
    if not isinstance(space, Array) or not len(space):
        return False
    family = str(space[0])
    if family == "/ICCBased" and len(space) > 1 and isinstance(space[1], Stream):
        return bool(space[1].get(Name.N) == components)
    return (family, components) in {("/CalGray", 1), ("/CalRGB", 3)}
