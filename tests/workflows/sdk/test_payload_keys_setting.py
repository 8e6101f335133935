import base64

import pytest

from workflows.sdk.payload_keys_setting import new_payload_key, read_payload_keys


def test_keys_are_read_in_their_order_and_never_shown() -> None:
    first, second = new_payload_key(), new_payload_key()
    keys = read_payload_keys(f"{first}, {second}")
    assert [f"zlib:{base64.b64encode(key.secret).decode()}" for key in keys] == [first, second]
    assert first not in repr(keys)


def test_the_same_key_has_the_same_name_everywhere_and_another_one_another() -> None:
    key, other = new_payload_key(), new_payload_key()
    [alone], [beside, _] = read_payload_keys(key), read_payload_keys(f"{key},{other}")
    assert alone.key_id == beside.key_id
    assert len({key.key_id for key in read_payload_keys(f"{key},{other}")}) == 2


def test_a_new_key_compresses_and_the_same_without_its_prefix_is_another_key() -> None:
    key = new_payload_key()
    compressing, other = read_payload_keys(f"{key},{key.removeprefix('zlib:')}")
    assert (compressing.compresses, other.compresses) == (True, False)
    assert compressing.key_id != other.key_id


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("zlib:", "key 1 has 0 bytes"),
        ("", "key 1 has 0 bytes"),
        ("c2hvcnQ=", "key 1 has 5 bytes"),
        (f"{'A' * 43}=,not base64", "key 2 is not base64"),
        (f"{'A' * 43}=,{'A' * 43}=", "twice"),
    ],
)
def test_an_invalid_key_is_named_by_its_position(text: str, wrong: str) -> None:
    with pytest.raises(ValueError, match=wrong):
        read_payload_keys(text)
