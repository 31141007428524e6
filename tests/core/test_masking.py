"""Nothing that names a person or a machine stays in a report."""

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rocm_gui.core.masking import _OWN_WORDS, Masker

WORDS = st.text(alphabet=string.ascii_letters + "张三李四王五", min_size=4, max_size=12).filter(
    lambda word: word.lower() not in _OWN_WORDS
)


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (r"C:\Users\zhangsan\rocm\env", r"<home>\rocm\env"),
        ("C:/Users/zhangsan/rocm/env", "<home>/rocm/env"),
        (r"'C:\\Users\\zhangsan\\env'", r"'<home>\\env'"),
        ("the user ZhangSan logged in", "the user <user> logged in"),
        ("zhangsanity is another word", "zhangsanity is another word"),
        ("on workstation-7.example.org", "on <host>"),
        ("on WORKSTATION-7: fine", "on <host>: fine"),
        (r"D:\Users\somebody else\x", r"D:\Users\<user>\x"),
        ("/home/other/x", "/home/<user>/x"),
        (r"C:\Users\Public\rocm_gui\miopen", r"C:\Users\Public\rocm_gui\miopen"),
        (r"C:\Users\publican\x", r"C:\Users\<user>\x"),
        ("uuid 6ca7ca64-3358-a0ab-f5d6-b077ee6cd6e6", "uuid <id>"),
        ("UUID: GPU-1f2e3d4c5b6a7988", "UUID: <id>"),
        ("Serial Number: PCB012345-6789", "Serial Number: <serial>"),
        ("序列号：A1B2C3", "序列号：<serial>"),
        ("https://me:secret@mirror.example/simple", "https://***@mirror.example/simple"),
        ("00:1a:2b:3c:4d:5e", "<id>"),
        ("0000:03:00.0", "0000:03:00.0"),  # a PCI address names no person
        ("torch 2.14.0+rocm10.1.0 on gfx1100", "torch 2.14.0+rocm10.1.0 on gfx1100"),
    ],
)
def test_texts(text: str, clean: str) -> None:
    masker = Masker(users=("zhangsan",), hosts=("workstation-7.example.org",), homes=(r"C:\Users\zhangsan",))
    assert masker.text(text) == clean


def test_a_chinese_name_is_found_inside_a_sentence() -> None:
    masker = Masker(users=("张小三",), homes=(r"C:\Users\张小三",))
    assert masker.text("用户张小三的文件夹C:\\Users\\张小三\\env") == "用户<user>的文件夹<home>\\env"


def test_a_person_named_like_the_product_does_not_black_out_the_report() -> None:
    masker = Masker(users=("torch",), homes=("/home/torch",))
    assert masker.text("torch in /home/torch/env") == "torch in <home>/env"


@given(user=WORDS, host=WORDS, before=st.text(max_size=20), after=st.text(max_size=20))
def test_the_names_are_gone_and_masking_twice_changes_nothing(user: str, host: str, before: str, after: str) -> None:
    home = f"/home/{user}"
    masker = Masker(users=(user,), hosts=(host,), homes=(home,))
    once = masker.text(f"{before} {user} {home}/env {host} {after}")
    inside = once.replace("<user>", "").replace("<home>", "").replace("<host>", "")
    assert f" {user} " not in inside
    assert f"{home}/" not in inside
    assert masker.text(once) == once


@given(
    st.recursive(st.none() | st.integers() | st.text(), lambda item: st.lists(item) | st.dictionaries(st.text(), item))
)
def test_data_keeps_its_shape(value: object) -> None:
    masked = Masker(users=("somebody",)).data(value)
    assert type(masked) is type(value)
    if isinstance(value, dict):
        assert isinstance(masked, dict)
        assert list(masked) == list(value)


def test_strings_deep_inside_are_masked() -> None:
    masker = Masker(users=("zhangsan",))
    assert masker.data({"a": ["zhangsan", 1, None, {"zhangsan": "by zhangsan"}]}) == {
        "a": ["<user>", 1, None, {"zhangsan": "by <user>"}]
    }
