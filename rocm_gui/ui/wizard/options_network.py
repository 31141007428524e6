"""The advanced options: venv or conda, where packages come from, how the network is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDir, Signal
from PySide6.QtWidgets import (
    QComboBox,
    QFileDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QSizePolicy,
    QWidget,
)

from rocm_gui.core.settings import check_setting
from rocm_gui.core.texts import pick
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Text

if TYPE_CHECKING:
    from rocm_gui.core.model import SetupOptions
    from rocm_gui.core.settings import Settings
    from rocm_gui.ui.app import Gui

LINES = ("index_url", "proxy", "ca_bundle")


class NetworkForm(QWidget):
    """Emits (name of the option, value or None); shows what it is told."""

    changed = Signal(str, object)

    def __init__(self, gui: Gui, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._gui = gui
        self._mirrors = gui.mirrors
        self._wrong: dict[str, str] = {}
        size = unit(self.font())
        self.kind = self._combo("env_kind")
        self.mirror = self._combo("pypi_mirror")
        self.lines = {name: QLineEdit(self) for name in LINES}
        for name, line in self.lines.items():
            line.textEdited.connect(lambda text, name=name: self._on_edited(name, text))
        self.browse = QPushButton(self)
        self.browse.clicked.connect(self._browse)
        certificate = QWidget(self)
        row = QHBoxLayout(certificate)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(round(2 * size))
        row.addWidget(self.lines["ca_bundle"], 1)
        row.addWidget(self.browse)
        self.wrong = Text("", "note", "bad", wrap=True, parent=self)
        self.wrong.hide()
        form = QFormLayout(self)
        form.setContentsMargins(0, 0, 0, 0)
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setRowWrapPolicy(QFormLayout.RowWrapPolicy.WrapLongRows)
        form.setVerticalSpacing(round(2.5 * size))
        form.setHorizontalSpacing(round(4 * size))
        self._labels: dict[str, QLabel] = {}
        fields = {
            "env_kind": (self.kind, self.kind),
            "pypi_mirror": (self.mirror, self.mirror),
            "index_url": (self.lines["index_url"], self.lines["index_url"]),
            "proxy": (self.lines["proxy"], self.lines["proxy"]),
            "ca_bundle": (certificate, self.lines["ca_bundle"]),
        }
        for name, (field, buddy) in fields.items():
            label = QLabel(self)
            label.setBuddy(buddy)
            self._labels[name] = label
            form.addRow(label, field)
        form.addRow(self.wrong)

    @property
    def good(self) -> bool:
        """Whether everything typed is what it stands for."""
        return not self._wrong

    def given(self, options: SetupOptions) -> bool:
        """Whether something here was chosen, so that it must not be folded away."""
        chosen = (options.pypi_mirror, *(getattr(options, name) for name in LINES))
        return options.env_kind != "venv" or any(value is not None for value in chosen)

    def retranslate(self) -> None:
        """Set every text of its own."""
        names = {
            "env_kind": self.tr("&Kind of environment"),
            "pypi_mirror": self.tr("&PyPI mirror"),
            "index_url": self.tr("Package &index"),
            "proxy": self.tr("P&roxy"),
            "ca_bundle": self.tr("&Certificate file"),
        }
        for name, text in names.items():
            self._labels[name].setText(text)
        self.browse.setText(self.tr("Browse…"))
        self.browse.setAccessibleName(self.tr("Browse for a certificate file"))
        self._show_wrong()

    def show_options(self, options: SetupOptions, settings: Settings, conda: str | None) -> None:
        """Show what is chosen, and as a hint what the settings say where nothing is."""
        kinds: dict[object, str] = {"venv": self.tr("venv: Python's own, proposed")}
        if conda is not None:
            kinds["conda"] = self.tr("conda, found at {path}").format(path=conda)
        self._offer(self.kind, kinds, options.env_kind)
        self.kind.setEnabled(len(kinds) > 1 or options.env_kind == "conda")
        self.kind.setToolTip("" if conda is not None else self.tr("conda was not found on this computer"))
        mirrors: dict[object, str] = {None: self._mirror_hint(settings)}
        language = self._gui.languages.language
        mirrors |= {mirror.id: pick(mirror.title, language) or mirror.id for mirror in self._mirrors}
        self._offer(self.mirror, mirrors, options.pypi_mirror)
        hints = {
            "index_url": self.tr("the route's own index"),
            "proxy": self.tr("the system's own, or http://host:port"),
            "ca_bundle": self.tr("built-in ones, or a PEM file"),
        }
        for name, line in self.lines.items():
            if not line.hasFocus():
                line.setText(getattr(options, name) or "")
            kept = getattr(settings, name)
            hint = self.tr("{value} (from the settings)").format(value=kept) if kept else hints[name]
            line.setPlaceholderText(hint)

    def _mirror_hint(self, settings: Settings) -> str:
        if settings.pypi_mirror:
            return self.tr("{value} (from the settings)").format(value=settings.pypi_mirror)
        return self.tr("As pip is configured here")

    def _combo(self, name: str) -> QComboBox:
        combo = QComboBox(self)
        combo.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        combo.setMinimumContentsLength(8)
        combo.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        combo.activated.connect(lambda index: self.changed.emit(name, combo.itemData(index)))
        return combo

    @staticmethod
    def _offer(combo: QComboBox, choices: dict[object, str], chosen: object) -> None:
        if chosen is not None and chosen not in choices:
            choices = {**choices, chosen: str(chosen)}
        shown = {combo.itemData(row): combo.itemText(row) for row in range(combo.count())}
        if shown != choices:
            combo.clear()
            for value, text in choices.items():
                combo.addItem(text, value)
        combo.setCurrentIndex(list(choices).index(chosen))

    def _on_edited(self, name: str, text: str) -> None:
        value = text.strip() or None
        self._wrong.pop(name, None)
        if value is not None:
            try:
                check_setting(name, value)
            except ValueError:
                self._wrong[name] = value
        self._show_wrong()
        self.changed.emit(name, value)

    def _show_wrong(self) -> None:
        words = {
            "index_url": self.tr(
                "“{value}” is not the address of an index. It begins with https://, http:// or file://."
            ),
            "proxy": self.tr(
                "“{value}” is no proxy that pip can use. Write http://host:port; for SOCKS give the HTTP port."
            ),
        }
        self.wrong.setText("\n".join(words[name].format(value=value) for name, value in self._wrong.items()))
        self.wrong.setVisible(bool(self._wrong))

    def _browse(self) -> None:
        dialog = QFileDialog(self, self.tr("Choose a file of certificates"))
        dialog.setFileMode(QFileDialog.FileMode.ExistingFile)
        dialog.setNameFilters([self.tr("Certificates (*.pem *.crt *.cer)"), self.tr("All files (*)")])
        dialog.fileSelected.connect(self._on_picked)
        dialog.open()

    def _on_picked(self, path: str) -> None:
        native = QDir.toNativeSeparators(path)
        self.lines["ca_bundle"].setText(native)
        self._on_edited("ca_bundle", native)
