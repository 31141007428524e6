"""The report of ``rocm-gui check`` as text."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rocm_gui.core.check_texts import found, remedy

if TYPE_CHECKING:
    from rocm_gui.cli.output import Output
    from rocm_gui.core.checks import CheckResult
    from rocm_gui.core.model import Gpu, Host
    from rocm_gui.core.texts import Texts
    from rocm_gui.services.doctor import Diagnosis

GB = 1024**3
INDENT = " " * 4
_GAP = " · "  # a title with its colon follows


class Report:
    """Writes a diagnosis: the machine, one line a check in groups, what to do, what comes next."""

    def __init__(self, out: Output, texts: Texts, *, verbose: bool) -> None:
        self._out = out
        self._texts = texts  # of the checks
        self._verbose = verbose

    def write(self, diagnosis: Diagnosis) -> None:
        """The whole report."""
        self._header(diagnosis)
        for group, results in groupby(diagnosis.results, key=lambda result: result.group):
            self._out.report()
            self._out.report(self._texts.get(f"groups.{group}"))
            self._group(list(results))
        self._out.report()
        self._summary(diagnosis)

    def _header(self, diagnosis: Diagnosis) -> None:
        machine = diagnosis.machine
        rows: list[tuple[str, str, Gpu | None]] = [(self._label("machine"), self._host(machine.host), None)]
        if not machine.gpus:
            said = self._label("unknown" if machine.gpus is None else "no_gpu")
            rows.append((self._label("gpus_unknown"), said, None))
        rows += [(self._label("gpu", index=i), self._gpu(gpu), gpu) for i, gpu in enumerate(machine.gpus or ())]
        rows.append((self._label("route"), self._route(diagnosis), None))
        rows.append((self._label("target"), diagnosis.target or self._label("unknown"), None))
        width = max(_columns(label) for label, _, _ in rows) + 2
        for label, text, gpu in rows:
            self._out.report(label + " " * (width - _columns(label)) + text)
            if gpu is not None and self._verbose:
                self._evidence(gpu, width)

    def _evidence(self, gpu: Gpu, width: int) -> None:
        for item in gpu.evidence:
            source = f"{self._label('evidence')} {item.source}"
            self._out.report(" " * width + f"{item.field} = {item.value}  ({source})")

    def _host(self, host: Host | None) -> str:
        if host is None:
            return self._label("unknown")
        memory = host.ram_installed_bytes or host.ram_bytes
        build = f"{host.os_build}.{host.os_update}" if host.os_build and host.os_update else host.os_build
        parts = [
            " ".join(str(part) for part in (host.os_name or host.os, host.os_release if build else None) if part),
            str(build) if build else host.kernel,
            "WSL" if host.wsl else None,
            host.cpu_name,
            self._label("memory", gb=f"{memory / GB:.1f}") if memory else None,
        ]
        return " · ".join(part for part in parts if part)

    def _gpu(self, gpu: Gpu) -> str:
        name = gpu.name
        if name is None and gpu.candidates:
            name = self._label("one_of", names=" / ".join(gpu.candidates))
        name = name or self._label("unknown")
        if gpu.pci_id and not gpu.name:
            name += f" ({gpu.pci_id})"
        version = gpu.driver_release or gpu.driver_version
        parts = [
            name,
            (gpu.gfx_target or self._label("gfx_unknown")) if gpu.vendor == "amd" else None,
            self._label("integrated") if gpu.integrated else None,
            self._label("vram", gb=f"{gpu.vram_bytes / GB:.1f}") if gpu.vram_bytes else self._label("vram_unknown"),
            self._label("driver", version=" ".join(part for part in (gpu.driver, version) if part))
            if gpu.driver or version
            else self._label("driver_unknown"),
        ]
        return " · ".join(part for part in parts if part)

    def _route(self, diagnosis: Diagnosis) -> str:
        choice = diagnosis.choice
        if choice is None:
            return self._label("no_route")
        title = choice.route.title.get(self._out.texts.language) or choice.route.title.get("en", "")
        text = f"{choice.route.id} · {title}"
        if choice.fits:
            return text
        said = (self._out.texts.get(f"route.unfit.{reason.code}", **reason.facts) for reason in choice.reasons)
        return f"{text} · {self._label('route_unfit', reasons=' '.join(said))}"

    def _group(self, results: list[CheckResult]) -> None:
        if self._verbose:
            for result in results:
                self._line([result])
            return
        told = [result for result in results if result.status != "ok"]
        for _, same in groupby(told, key=lambda result: (result.status, self._found(result), self._remedy(result))):
            self._line(list(same))  # what failed for one reason is told once
        passed = [result for result in results if result.status == "ok"]
        if passed:
            self._out.report(f"  {self._out.mark('ok')} {self._word('ok')}{_GAP}{self._titles(passed)}")

    def _line(self, same: list[CheckResult]) -> None:
        first = same[0]
        start = f"  {self._out.mark(first.status)} {self._word(first.status)}{_GAP}"
        self._out.report(f"{start}{self._titles(same)}{self._out.texts.colon}{self._found(first)}")
        todo = self._remedy(first)
        if todo is not None:
            self._out.report(f"{INDENT}-> {todo}")
        if self._verbose:
            self._out.report(INDENT + self._label("why", why=self._texts.get(f"{first.id}.why")))

    def _found(self, result: CheckResult) -> str:
        return found(result, self._texts)

    def _remedy(self, result: CheckResult) -> str | None:
        return remedy(result, self._texts)

    def _titles(self, results: list[CheckResult]) -> str:
        comma = "、" if self._out.texts.language == "zh_CN" else ", "
        return comma.join(self._texts.get(f"{result.id}.title") for result in results)

    def _summary(self, diagnosis: Diagnosis) -> None:
        counts = dict.fromkeys(("ok", "warn", "fail", "unknown"), 0)
        for result in diagnosis.results:
            counts[result.status] += 1
        texts, choice = self._out.texts, diagnosis.choice
        self._out.report(texts.get("check.summary.counts", **counts))
        if counts["fail"]:
            self._out.report(texts.get("check.summary.fix"))
        elif choice is None or not choice.fits:
            self._out.report(texts.get("check.summary.routes"))
        else:
            self._out.report(texts.get("check.summary.plan", route=choice.route.id))

    def _label(self, code: str, **facts: object) -> str:
        return self._out.texts.get(f"check.label.{code}", **facts)

    def _word(self, status: str) -> str:
        return self._out.texts.get(f"check.word.{status}")


def _columns(text: str) -> int:
    """How many terminal columns ``text`` takes: Chinese characters take two."""
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(letter) in "WF" else 1 for letter in text)
