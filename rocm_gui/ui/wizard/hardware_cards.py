"""Cards of a GPU and of the computer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec
from PySide6.QtWidgets import QGridLayout

from rocm_gui.ui.theme import scaled_font, unit
from rocm_gui.ui.widgets.basics import Card, State, Text
from rocm_gui.ui.widgets.fact_grid import FactGrid
from rocm_gui.ui.widgets.fold import Fold

if TYPE_CHECKING:
    from collections.abc import Sequence

    from PySide6.QtWidgets import QWidget

    from rocm_gui.core.model import Evidence, Gpu, Host
    from rocm_gui.ui.theme import Theme

GIB = 1024**3


def alike(gpus: Sequence[Gpu]) -> list[list[Gpu]]:
    """The GPUs in groups that differ in nothing but their place, in the order found."""
    kinds: dict[Gpu, list[Gpu]] = {}
    for gpu in gpus:
        kind = msgspec.structs.replace(gpu, pci_address=None, drives_display=None, evidence=())
        kinds.setdefault(kind, []).append(gpu)
    return list(kinds.values())


class GpuCard(Card):
    """Name, target, memory, driver, how well it is supported, and where each of it is known from."""

    def __init__(self, theme: Theme, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._facts = FactGrid(self)
        self.evidence = Fold(theme, self)
        self.evidence.head.setFont(scaled_font(self.font(), 9.0))
        self._table = QGridLayout()
        self._table.setHorizontalSpacing(round(4 * unit(self.font())))
        self._table.setVerticalSpacing(round(0.5 * unit(self.font())))
        self._table.setColumnStretch(1, 1)
        self._table.setColumnStretch(2, 2)
        self.evidence.body.addLayout(self._table)
        self.body.addWidget(self._facts)
        self.body.addWidget(self.evidence)

    def present_gpus(self, gpus: Sequence[Gpu]) -> None:
        """Show one GPU, or several of one kind."""
        gpu, count = gpus[0], len(gpus)
        name = gpu.name or self._candidates(gpu)
        places = [one.pci_address for one in gpus if one.pci_address]
        parts = (gpu.gfx_target, gpu.architecture, gpu.pci_address if count == 1 else None)
        self.set_title(f"{count} × {name}" if count > 1 else name, "  ·  ".join(part for part in parts if part))
        self.pill.set_state(*self._support(gpu))
        rows = self._rows(gpu)
        if count > 1 and places:
            rows.append((self.tr("PCI addresses"), ", ".join(places)))
        self._facts.present(rows)
        evidence = tuple(item for one in gpus for item in one.evidence)
        self.evidence.setVisible(bool(evidence))
        self.evidence.set_title(self.tr("Where this is known from"))
        self._show_evidence(evidence)

    def _candidates(self, gpu: Gpu) -> str:
        if gpu.candidates:
            return self.tr("One of: {names}").format(names=" / ".join(gpu.candidates))
        return self.tr("Unknown GPU ({id})").format(id=gpu.pci_id or "?")

    def _support(self, gpu: Gpu) -> tuple[str, State]:
        if gpu.vendor != "amd":
            return self.tr("Not AMD"), "neutral"
        if gpu.support == "official":
            return self.tr("Officially supported"), "ok"
        if gpu.support == "wheel":
            return self.tr("Works, unofficial"), "warn"
        if gpu.support == "too_old":
            return self.tr("Too old for ROCm"), "warn"
        if gpu.support == "none":
            return self.tr("No ROCm for it"), "warn"
        return self.tr("Support unknown"), "neutral"

    def _rows(self, gpu: Gpu) -> list[tuple[str, str]]:
        unknown = self.tr("not known")
        memory = unknown if gpu.vram_bytes is None else self.tr("{gb} GB").format(gb=f"{gpu.vram_bytes / GIB:.1f}")
        rows = [(self.tr("Memory"), memory)]
        if gpu.shared_memory_bytes is not None:
            shared = self.tr("{gb} GB").format(gb=f"{gpu.shared_memory_bytes / GIB:.1f}")
            rows.append((self.tr("Shared with the system"), shared))
        rows.append((self.tr("Driver"), self._driver(gpu)))
        if gpu.vendor == "amd":
            if gpu.gfx_target is None:  # where it is known it stands beside the name
                rows.append((self.tr("gfx target"), unknown))
            kinds = {True: self.tr("integrated in the processor"), False: self.tr("graphics card"), None: unknown}
            rows.append((self.tr("Kind"), kinds[gpu.integrated]))
        if gpu.partitions is not None and gpu.partitions > 1:
            rows.append((self.tr("Partitions"), str(gpu.partitions)))
        return rows

    def _driver(self, gpu: Gpu) -> str:
        release = gpu.driver_release or gpu.driver_version
        if release is None:
            return gpu.driver or self.tr("not known")
        own = gpu.driver_version if gpu.driver_release else None
        rest = ", ".join(part for part in (own, gpu.driver_date) if part)
        name = f"{gpu.driver} {release}" if gpu.driver else release
        return f"{name} ({rest})" if rest else name

    def _show_evidence(self, evidence: tuple[Evidence, ...]) -> None:
        while (item := self._table.takeAt(0)) is not None:
            if (widget := item.widget()) is not None:
                widget.deleteLater()
        for row, item in enumerate(evidence):
            for column, text in enumerate((item.field, item.value, item.source)):
                label = Text(text, "note", "muted" if column == 2 else None, wrap=True, parent=self).selectable()
                self._table.addWidget(label, row, column)


class HostCard(Card):
    """Processor, memory and system."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent=parent)
        self._facts = FactGrid(self)
        self.body.addWidget(self._facts)

    def present_host(self, host: Host) -> None:
        """Show the computer."""
        self.set_title(self.tr("This computer"))
        unknown = self.tr("not known")
        rows = [(self.tr("System"), self._system(host) or unknown), (self.tr("Processor"), self._processor(host))]
        memory = host.ram_installed_bytes or host.ram_bytes
        rows.append(
            (self.tr("Memory"), unknown if memory is None else self.tr("{gb} GB").format(gb=f"{memory / GIB:.1f}"))
        )
        if host.page_file_bytes is not None:
            name = self.tr("Page file") if host.os == "windows" else self.tr("Swap")
            size = self.tr("{gb} GB").format(gb=f"{host.page_file_bytes / GIB:.1f}")
            rows.append((name, size if host.page_file_bytes else self.tr("none")))
        self._facts.present(rows)

    def _processor(self, host: Host) -> str:
        name = host.cpu_name or self.tr("not known")
        if host.physical_cores is None:
            return name
        return self.tr("{name}, %n core(s)", "", host.physical_cores).format(name=name)

    def _system(self, host: Host) -> str:
        name = " ".join(part for part in (host.os_name or host.os, host.os_release if host.os_build else None) if part)
        if host.os_build is not None:
            build = f"{host.os_build}.{host.os_update}" if host.os_update is not None else str(host.os_build)
            return self.tr("{name}, build {build}").format(name=name, build=build)
        if host.kernel:
            name = self.tr("{name}, kernel {kernel}").format(name=name, kernel=host.kernel)
        return f"{name} (WSL)" if host.wsl else name
