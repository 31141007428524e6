"""The report reads the same in both formats, in both languages, whatever was found."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import get_args

import jsonschema
import msgspec
import pytest
from msgspec.structs import replace
from test_verdict import GOOD, MACHINE, RADEON, ROCM, WRONG, trial, with_bad

from rocm_gui.core import crash_codes, faults, verdict
from rocm_gui.core.report import compose, describe_fault
from rocm_gui.core.report_formats import to_html, to_text
from rocm_gui.core.texts import LANGUAGES, Language, Texts
from rocm_gui.core.verification import (
    DtypeSupport,
    Fault,
    Finding,
    Layer,
    ToolResult,
    VerdictCode,
    VerificationReport,
    Workaround,
)
from rocm_gui.system.datafiles import read_messages
from rocm_gui.system.paths import find_resources

MESSAGES = read_messages(find_resources())
SOURCES = Path(verdict.__file__).resolve().parents[1]


def report_of(**changes: object) -> VerificationReport:
    base = VerificationReport(
        product_version="0.1.0",
        created="2026-12-01T10:00:00+08:00",
        verdict="ok",
        exit_code=0,
        device="cuda:0",
        probe=ROCM,
        layers=verdict.layer_versions(ROCM, MACHINE, RADEON),
        tests=tuple(with_bad()),
        tools=(
            ToolResult(id="rocminfo", status="ok", path="/opt/rocm/bin/rocminfo", gfx_targets=("gfx1100",)),
            ToolResult(id="amd-smi", status="absent", note="smi_absent"),
        ),
        dtypes=(DtypeSupport(dtype="bfloat16", support="matrix"),),
        seconds=12.3,
    )
    return replace(base, **changes)


def text_of(report: VerificationReport, language: Language = "en") -> str:
    return to_text(compose(report, Texts(MESSAGES, language)))


def test_everything_that_the_articles_script_prints_is_there() -> None:
    text = text_of(report_of())
    assert re.search(r"PyTorch version +2\.14\.0\+rocm10\.1\.0", text)
    assert re.search(r"ROCm support +yes \(HIP 7\.17\.1", text)
    assert re.search(r"GPUs found +1", text)
    assert re.search(r"GPU 0 +AMD Radeon RX 7900 XTX · memory 25\.75 GB · gfx1100", text)
    assert re.search(r"✓ Matrix multiplication .* right, on AMD Radeon RX 7900 XTX", text)


def test_the_articles_lines_in_chinese() -> None:
    text = text_of(report_of(), "zh_CN")
    for line in ("PyTorch 版本", "ROCm 支持状态", "检测到的 GPU 数量", "内存容量 25.75 GB", "矩阵乘法（1024 × 1024）"):
        assert line in text


def test_columns_line_up_under_chinese_headings() -> None:
    lines = text_of(report_of(), "zh_CN").splitlines()
    rows = [line for line in lines if line.startswith(("  操作系统", "  GPU 驱动程序"))]
    starts = {
        sum(2 if ord(sign) > 0x2E80 else 1 for sign in row[: re.search(r"(—|26\.8)", row).start()]) for row in rows
    }
    assert len(starts) == 1


def test_a_failure_says_the_layer_what_happened_and_what_to_do() -> None:
    bad = trial(
        "conv", "crashed", cases=(), fault=Fault(code="crash", facts={"crash": "access_violation", "shown": "SIGSEGV"})
    )
    judged = verdict.judge(ROCM, with_bad(bad), device=RADEON)
    text = text_of(
        report_of(
            verdict=judged.verdict,
            layer=judged.layer,
            fault=judged.fault,
            remedy=judged.remedy,
            tests=tuple(with_bad(bad)),
        )
    )
    assert "✗ Not usable" in text
    assert "Failing layer: MIOpen" in text
    assert "What happened: The process crashed (SIGSEGV): it touched memory" in text
    assert "What to do: " in text
    assert re.search(r"✗ Convolution +crashed", text)


def test_wrong_numbers_are_listed_with_their_tolerance() -> None:
    text = text_of(report_of(tests=tuple(with_bad(trial("gemm", "wrong", cases=(GOOD, WRONG))))))
    assert "WRONG RESULT in 1 of 2 compared" in text
    assert "3x3, float16: error 0.5, allowed 0.01" in text


def test_the_snippet_of_a_workaround_is_shown_whole() -> None:
    snippet = "import torch\n\ntorch.backends.cudnn.enabled = False\n"
    item = Workaround(id="miopen_off", tests=("batchnorm",), snippet=snippet)
    text = text_of(report_of(verdict="workaround", workarounds=(item,)))
    assert "    import torch\n\n    torch.backends.cudnn.enabled = False" in text
    assert snippet in to_html(compose(report_of(workarounds=(item,)), Texts(MESSAGES)))


class Balanced(HTMLParser):
    """Raises where tags are not closed in order; gathers what would load something from outside."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.outside: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag != "meta":
            self.open.append(tag)
        self.outside += [value or "" for name, value in attrs if name in {"src", "href"}]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


@pytest.mark.parametrize("language", LANGUAGES)
def test_html_is_one_self_contained_page(language: Language) -> None:
    page = to_html(
        compose(report_of(findings=(Finding(code="hsa_override", facts={"value": "<b>&"}),)), Texts(MESSAGES, language))
    )
    parser = Balanced()
    parser.feed(page)
    assert parser.open == []
    assert parser.outside == []
    assert "url(" not in page
    assert "prefers-color-scheme: dark" in page
    assert "@media print" in page
    assert f'<html lang="{language.replace("_", "-")}">' in page
    assert "&lt;b&gt;&amp;" in page
    assert "<b>" not in page


def codes_in(pattern: str, *modules: Path) -> set[str]:
    return {code for module in modules for code in re.findall(pattern, module.read_text(encoding="utf-8"))}


def test_every_code_has_a_sentence_in_both_languages() -> None:
    services = [SOURCES / "services" / name for name in ("numeric_tests.py", "system_tools.py")]
    core = [Path(module.__file__ or "") for module in (verdict, faults)]
    wanted = {
        "layer": set(get_args(Layer)),
        "verdict": set(get_args(VerdictCode)),
        "test": {*verdict.TEST_LAYERS, "probe"},
        "remedy": {*verdict._REMEDIES.values(), *verdict._LAYER_REMEDIES.values(), "unhide", "no_gpu", "rocm_build",
                   "untrusted", "workaround"},
        "fault": codes_in(r'Fault\(code="(\w+)"', *core, *services) | {rule[0] for rule in faults._RULES} | {"crash"},
        "crash": {row[0] for row in crash_codes._WINDOWS.values()}
        | {row[1] for row in crash_codes._SIGNALS.values()} | {"signal", "exception_code"},
        "finding": codes_in(r'add\("(\w+)"(?=[,)])', core[0]) - {"os", "python", "driver", "hip", "rocm_wheels", "cuda",
                                                                "kernels", "gpu"},
        "row": {row.id for row in report_of().layers} | {"cuda"},
        "notice": codes_in(r'_say\("(\w+)"', services[0]),
        "tool": codes_in(r'"(\w+_absent)"', services[1]) | {"ok", "ok_gfx", "failed", "timed_out"},
        "support": {"matrix", "vector", "emulated", "none"},
    }  # fmt: skip
    missing = [
        f"verify.{group}.{code} {language}"
        for group, codes in wanted.items()
        for code in sorted(codes)
        for language in LANGUAGES
        if language not in (Texts(MESSAGES).entry(f"verify.{group}.{code}") or {})
    ]
    assert missing == []
    assert all(len(codes) > 3 for codes in wanted.values())  # the patterns above still find them


def test_no_sentence_is_left_without_its_facts() -> None:
    texts = Texts(MESSAGES)
    crash = Fault(code="crash", facts={"exit_code": -11, "crash": "access_violation", "shown": "SIGSEGV"})
    assert "{" not in describe_fault(crash, texts)
    assert "{" not in describe_fault(Fault(code="library_missing"), texts)
    for language in LANGUAGES:
        assert "{" not in text_of(report_of(), language)


def test_the_schema_describes_the_report() -> None:
    schema = json.loads((find_resources() / "docs" / "schema" / "verify.json").read_text(encoding="utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    bad = trial("gemm", "wrong", cases=(GOOD, WRONG), fault=Fault(code="x", facts={"a": 1}))
    document = json.loads(
        msgspec.json.encode(report_of(tests=(bad,), workarounds=(Workaround(id="miopen_off", tests=("rnn",)),)))
    )
    jsonschema.validate(document, schema)
    assert set(schema["properties"]) == {"type", *VerificationReport.__struct_fields__}
    assert msgspec.convert(document, VerificationReport).tests == (bad,)
