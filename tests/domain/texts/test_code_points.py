from domain.texts.code_points import named


def test_invisible_characters_are_named() -> None:
    assert named("\u202e\x00\ue000") == "U+202E RIGHT-TO-LEFT OVERRIDE, U+0000 CONTROL CHARACTER, U+E000 PRIVATE USE"


def test_at_most_ten_are_named_and_each_once() -> None:
    assert named("aabb") == "U+0061 LATIN SMALL LETTER A, U+0062 LATIN SMALL LETTER B"
    assert named(map(chr, range(0xE000, 0xE100))).count("U+") == 10
    assert named(map(chr, range(0xE000, 0xE100))).endswith(", …")


def test_no_name_holds_the_character_itself() -> None:
    assert all(chr(code) not in named(chr(code)) for code in (0x7F, 0xAD, 0x200B, 0x202E, 0xFEFF, 0xFFFE, 0xE0001))
