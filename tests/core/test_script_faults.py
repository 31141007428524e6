"""Causes of a script's end."""

from __future__ import annotations

import pytest

from rocm_gui.bootstrap import load_texts
from rocm_gui.core import script_faults
from rocm_gui.core.script_faults import Explanation, describe, exit_code_of, explain_script, last_error, state_of
from rocm_gui.core.troubles import Trouble

HEAD = 'Traceback (most recent call last):\n  File "train.py", line 3, in <module>\n    main()\n'
CASES = {
    "main_guard": "RuntimeError: \n        An attempt has been made to start a new process before the\n"
    "        current process has finished its bootstrapping phase.",
    "module_missing": "ModuleNotFoundError: No module named 'xformers.ops'",
    "module_shadowed": "AttributeError: partially initialized module 'torch' has no attribute 'ones'",
    "cpu_build": "AssertionError: Torch not compiled with CUDA enabled",
    "device_mixed": "RuntimeError: Expected all tensors to be on the same device, but found at least two",
    "worker_died": "RuntimeError: DataLoader worker (pid(s) 812, 813) exited unexpectedly",
    "shared_memory": "RuntimeError: DataLoader worker (pid 812) is killed by signal: Bus error. It is possible that "
    "dataloader's workers are out of shared memory.",
    "out_of_memory": "torch.OutOfMemoryError: HIP out of memory. Tried to allocate 20.00 GiB.",
    "no_device": "RuntimeError: No HIP GPUs are available",
    "device_missing": "RuntimeError: HIP error: invalid device ordinal",
    "no_kernel": "RuntimeError: HIP error: invalid device function",
}


@pytest.mark.parametrize("code", CASES)
def test_the_last_error_of_a_script_has_a_cause(code):
    found = explain_script(1, "warming up\n" + HEAD + CASES[code] + "\n", "linux")
    assert found is not None
    assert found.code == code


@pytest.mark.parametrize("language", ["en", "zh_CN"])
def test_every_cause_has_its_sentences_in_both_languages(language):
    texts = load_texts(language)
    for code in (*sorted(script_faults._SENTENCES), "crash"):
        facts = {"library": "x", "crash": "killed", "shown": "SIGKILL"}
        for text in describe(Explanation(code=code, facts=facts), texts):
            assert text
            assert not text.startswith("run.fault")
            assert "{" not in text


def test_an_ordinary_error_needs_no_explanation():
    assert explain_script(1, HEAD + "ValueError: too many values to unpack\n", "linux") is None


def test_only_the_last_error_counts():
    handled = HEAD + "torch.OutOfMemoryError: HIP out of memory\n" + "halving the batch\n" * 20
    assert explain_script(1, handled + HEAD + "KeyError: 'loss'\n", "linux") is None


def test_the_cause_of_a_cause_counts():
    linked = "\nThe above exception was the direct cause of the following exception:\n\n"
    text = HEAD + "RuntimeError: No HIP GPUs are available\n" + linked + HEAD + "MyError: cannot train\n"
    found = explain_script(1, text, "linux")
    assert found is not None
    assert found.code == "no_device"


def test_a_known_trouble_brings_its_own_words():
    trouble = Trouble(
        id="x",
        pattern="amdgpu: ring gfx timeout",
        layer="driver",
        cause={"en": "hung", "zh_CN": "卡死"},
        remedy={"en": "reset", "zh_CN": "重置"},
    )
    found = explain_script(1, HEAD + "RuntimeError: amdgpu: ring gfx timeout\n", "windows", (trouble,))
    assert found is not None
    assert found.code == "x"
    assert describe(found, load_texts("zh_CN")) == ("卡死", "重置")


def test_a_crash_without_a_word():
    found = explain_script(0xC0000005, "", "windows")
    assert found is not None
    assert (found.code, found.facts["shown"]) == ("crash", "0xC0000005")


@pytest.mark.parametrize(
    ("code", "state", "ours"),
    [
        (0, "done", 0),
        (3, "failed", 3),
        (125, "failed", 125),
        (126, "failed", 1),
        (255, "failed", 1),
        (-11, "crashed", 4),
        (-2, "cancelled", 130),
        (0xC0000005, "crashed", 4),
        (0xC000013A, "cancelled", 130),
        (None, "crashed", 4),
    ],
)
def test_exit_codes(code, state, ours):
    assert state_of(code, cancelled=False, timed_out=False) == state
    assert exit_code_of(state, code) == ours


def test_what_was_done_to_it_decides():
    assert state_of(0, cancelled=True, timed_out=False) == "cancelled"
    assert state_of(-9, cancelled=False, timed_out=True) == "timed_out"


def test_the_end_of_long_output_without_a_traceback():
    assert len(last_error("x" * 100_000)) == 16_000
