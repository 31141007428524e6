"""A verification as sections of words, in either language: what the text and the HTML report have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import msgspec

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rocm_gui.core.texts import Texts
    from rocm_gui.core.verification import Case, Fault, ToolResult, Trial, VerificationReport

Mark = Literal["ok", "warn", "fail", "unknown"]

_VERDICT_MARKS: dict[str, Mark] = {
    "ok": "ok",
    "workaround": "warn",
    "cpu_only": "warn",
    "failed": "fail",
    "untrusted": "fail",
}
_SHOWN_CASES = 6


class Row(msgspec.Struct, frozen=True, kw_only=True):
    """One line of a table, and the sentences that explain it."""

    cells: tuple[str, ...]
    mark: Mark | None = None
    details: tuple[str, ...] = ()


class Section(msgspec.Struct, frozen=True, kw_only=True):
    """A titled table; ``code`` is shown as it is."""

    id: str
    title: str
    header: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    code: str | None = None


class Document(msgspec.Struct, frozen=True, kw_only=True):
    """The whole report in words."""

    language: str
    title: str
    made: str
    verdict: str
    mark: Mark
    reasons: tuple[str, ...] = ()
    sections: tuple[Section, ...] = ()


def compose(report: VerificationReport, texts: Texts) -> Document:
    """The report in the language of ``texts``."""
    say = texts.get
    sections = (
        _summary(report, texts),
        _versions(report, texts),
        _tests(report, texts),
        *_workarounds(report, texts),
        _tools(report, texts),
        _dtypes(report, texts),
        _findings(report, texts),
    )
    return Document(
        language=texts.language,
        title=say("verify.title"),
        made=say(
            "verify.made",
            version=report.product_version,
            created=report.created,
            seconds=report.seconds,
            python=report.probe.python,
        ),
        verdict=say(f"verify.verdict.{report.verdict}", device=_device_name(report)),
        mark=_VERDICT_MARKS[report.verdict],
        reasons=tuple(_reasons(report, texts)),
        sections=tuple(section for section in sections if section.rows or section.code),
    )


def describe_fault(fault: Fault, texts: Texts) -> str:
    """What happened, as one sentence."""
    facts = dict(fault.facts)
    if "crash" in facts:
        facts["text"] = texts.get(f"verify.crash.{facts['crash']}")
    test = facts.get("test")
    if isinstance(test, str):
        facts["test"] = texts.get(f"verify.test.{test}")
    if fault.code == "library_missing" and "library" not in facts:
        facts["library"] = "?"
    return texts.get(f"verify.fault.{fault.code}", **facts)


def describe_trial(trial: Trial, texts: Texts) -> str:
    """How a test ended, in a few words."""
    status = "workaround" if trial.workaround else trial.status
    bad = sum(case.status == "wrong" for case in trial.cases)
    done = sum(case.status != "unsupported" for case in trial.cases)
    return texts.get(f"verify.status.{status}", count=done, bad=bad)


def trial_mark(trial: Trial) -> Mark:
    """The sign before a test."""
    if trial.workaround:
        return "warn"
    marks: dict[str, Mark] = {"ok": "ok", "unsupported": "unknown", "skipped": "unknown"}
    return marks.get(trial.status, "fail")


def _device_name(report: VerificationReport) -> str | None:
    chosen = next((item for item in report.probe.devices if f"cuda:{item.index}" == report.device), None)
    if chosen is None:
        return "CPU" if report.device == "cpu" else None
    arch = chosen.gfx_target or chosen.arch_full
    return f"{chosen.name} ({arch})" if arch else chosen.name


def _reasons(report: VerificationReport, texts: Texts) -> Iterable[str]:
    if report.layer is not None and report.verdict in {"failed", "untrusted"}:
        yield texts.get("verify.layer_line", layer=texts.get(f"verify.layer.{report.layer}"))
    if report.fault is not None:
        yield texts.get("verify.what", text=describe_fault(report.fault, texts))
        if report.fault.message:
            yield texts.get("verify.said", message=report.fault.message)
    if report.remedy is not None:
        yield texts.get("verify.todo", text=texts.get(f"verify.remedy.{report.remedy}"))


def _summary(report: VerificationReport, texts: Texts) -> Section:
    """All that the article's own script prints."""
    probe, say = report.probe, texts.get
    unknown = say("verify.summary.unknown")
    rows = [Row(cells=(say("verify.summary.torch"), probe.torch_version or unknown))]
    if probe.build is not None:
        supported = probe.build == "rocm" and probe.available
        code = "verify.summary.supported" if supported else "verify.summary.unsupported"
        build = {"rocm": "ROCm", "cuda": "CUDA", "cpu": "CPU"}[probe.build]
        text = say(code, hip=probe.hip_version, available=probe.available, build=build)
        rows.append(Row(cells=(say("verify.summary.support"), text)))
        count = unknown if probe.device_count is None else str(probe.device_count)
        rows.append(Row(cells=(say("verify.summary.count"), count)))
    for device in probe.devices:
        parts = [device.name or unknown]
        if device.total_memory_bytes is not None:
            parts.append(say("verify.summary.memory", memory=device.total_memory_bytes / 1e9))
        parts += [part for part in (device.gfx_target or device.arch_full, device.pci_address) if part]
        rows.append(Row(cells=(say("verify.summary.gpu", index=device.index), " · ".join(parts))))
    article = next((trial for trial in report.tests if trial.id == "article"), None)
    label = say("verify.summary.matmul")
    if article is None:
        rows.append(Row(mark="unknown", cells=(label, say("verify.summary.not_run"))))
    elif article.status == "ok":
        where = article.device_name or (article.device or "").upper()
        rows.append(Row(mark="ok", cells=(label, say("verify.summary.matmul_ok", device=where))))
    else:
        rows.append(Row(mark="fail", cells=(label, say("verify.summary.matmul_bad"))))
    return Section(id="summary", title=say("verify.section.summary"), rows=tuple(rows))


def _versions(report: VerificationReport, texts: Texts) -> Section:
    say = texts.get
    rows = [Row(cells=(say(f"verify.row.{row.id}"), row.version or "—", row.source or "")) for row in report.layers]
    header = (say("verify.column.layer"), say("verify.column.version"), say("verify.column.source"))
    return Section(id="versions", title=say("verify.section.versions"), header=header, rows=tuple(rows))


def _tests(report: VerificationReport, texts: Texts) -> Section:
    say = texts.get
    header = tuple(say(f"verify.column.{name}") for name in ("test", "result", "share", "seconds"))
    rows: list[Row] = []
    for trial in report.tests:
        share = "" if trial.worst is None else say("verify.percent", share=trial.worst)
        seconds = "" if trial.seconds is None else f"{trial.seconds:.1f}"
        cells = (say(f"verify.test.{trial.id}"), describe_trial(trial, texts), share, seconds)
        rows.append(Row(mark=trial_mark(trial), cells=cells, details=tuple(_details(trial, texts))))
    title = say("verify.section.tests", device=_device_name(report))
    return Section(id="tests", title=title, header=header, rows=tuple(rows))


def _details(trial: Trial, texts: Texts) -> Iterable[str]:
    if trial.fault is not None:
        yield describe_fault(trial.fault, texts)
    wrong = [case for case in trial.cases if case.status == "wrong"]
    missing = [case for case in trial.cases if case.status == "unsupported"]
    for case in wrong[:_SHOWN_CASES]:
        yield _wrong(case, texts)
    if len(wrong) > _SHOWN_CASES:
        yield "…"
    for case in missing[:_SHOWN_CASES]:
        yield texts.get("verify.case_unsupported", name=case.name, dtype=case.dtype)


def _wrong(case: Case, texts: Texts) -> str:
    error = texts.get("verify.case_not_finite") if case.max_error is None else f"{case.max_error:.2g}"
    return texts.get("verify.case_wrong", name=case.name, dtype=case.dtype, error=error, tolerance=case.tolerance)


def _workarounds(report: VerificationReport, texts: Texts) -> Iterable[Section]:
    for item in report.workarounds:
        yield Section(id=item.id, title=texts.get("verify.section.workaround"), code=item.snippet)


def _tools(report: VerificationReport, texts: Texts) -> Section:
    header = (texts.get("verify.column.tool"), texts.get("verify.column.result"))
    marks: dict[str, Mark] = {"ok": "ok", "absent": "unknown", "not_applicable": "unknown"}
    rows = [
        Row(
            mark=marks.get(tool.status, "warn"),
            cells=(tool.id, _tool_text(tool, texts)),
            details=_tool_fault(tool, texts),
        )
        for tool in report.tools
    ]
    return Section(id="tools", title=texts.get("verify.section.tools"), header=header, rows=tuple(rows))


def _tool_text(tool: ToolResult, texts: Texts) -> str:
    if tool.note is not None:
        return texts.get(f"verify.tool.{tool.note}")
    if tool.status == "ok" and tool.gfx_targets:
        return texts.get("verify.tool.ok_gfx", gfx=", ".join(tool.gfx_targets))
    return texts.get(f"verify.tool.{tool.status}")


def _tool_fault(tool: ToolResult, texts: Texts) -> tuple[str, ...]:
    if tool.fault is None:
        return ()
    said = (tool.fault.message,) if tool.fault.message else ()
    return (describe_fault(tool.fault, texts), *said)


def _dtypes(report: VerificationReport, texts: Texts) -> Section:
    say = texts.get
    header = (say("verify.column.dtype"), say("verify.column.support"))
    rows = [Row(cells=(row.dtype, say(f"verify.support.{row.support}"))) for row in report.dtypes or ()]
    chosen = next((item for item in report.probe.devices if f"cuda:{item.index}" == report.device), None)
    title = say("verify.section.dtypes", gfx_target=chosen.gfx_target if chosen else None)
    return Section(id="dtypes", title=title, header=header, rows=tuple(rows))


def _findings(report: VerificationReport, texts: Texts) -> Section:
    rows = [
        Row(mark="warn", cells=(texts.get(f"verify.finding.{item.code}", **item.facts),)) for item in report.findings
    ]
    return Section(id="findings", title=texts.get("verify.section.findings"), rows=tuple(rows))
