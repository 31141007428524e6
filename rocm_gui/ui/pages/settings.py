"""Language, theme, network and folders. A change is in force at once and kept at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QComboBox, QFormLayout, QHBoxLayout, QLabel, QLineEdit, QPushButton, QWidget

from rocm_gui import __version__
from rocm_gui.core.errors import AppError
from rocm_gui.core.settings import check_setting
from rocm_gui.core.texts import pick
from rocm_gui.ui.language import NAMES
from rocm_gui.ui.pages.base import Page
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text

if TYPE_CHECKING:
    from rocm_gui.ui.app import Gui


class SettingsPage(Page):
    """Every setting that a person may change here is also a line of the settings file."""

    def __init__(self, gui: Gui) -> None:
        super().__init__()
        self._gui = gui
        self._labels: dict[str, QLabel] = {}
        self._language = self._combo("language")
        self._theme = self._combo("theme")
        self._mirror = self._combo("pypi_mirror")
        self._lines = {
            name: self._line(name) for name in ("proxy", "ca_bundle", "index_url", "default_target", "cache_dir")
        }
        self._wrong = Text("", "note", "bad", wrap=True, parent=self)
        self._wrong.hide()
        self._look = self._card([("language", self._language), ("theme", self._theme)])
        network = [
            ("pypi_mirror", self._mirror),
            *((name, self._lines[name]) for name in ("proxy", "ca_bundle", "index_url")),
        ]
        self._network = self._card(network)
        self._folders = self._card([(name, self._lines[name]) for name in ("default_target", "cache_dir")])
        self._about = Card(parent=self)
        self._about_text = Text("", "note", "muted", wrap=True, parent=self._about).selectable()
        self._open = QPushButton(self._about)
        self._open.clicked.connect(self._open_folder)
        row = QHBoxLayout()
        row.addWidget(self._about_text, 1)
        row.addWidget(self._open)
        self._about.body.addLayout(row)
        self.content.addWidget(self._wrong)
        for card in (self._look, self._network, self._folders, self._about):
            self.content.addWidget(card)
        self.content.addStretch(1)

    def retranslate(self) -> None:
        """Set every text again."""
        self.title.setText(self.tr("Settings"))
        self.sentence.setText(self.tr("Changes take effect at once and are kept."))
        names = {
            "language": self.tr("&Language"),
            "theme": self.tr("&Theme"),
            "pypi_mirror": self.tr("&PyPI mirror"),
            "proxy": self.tr("P&roxy"),
            "ca_bundle": self.tr("&Certificate file"),
            "index_url": self.tr("Package &index"),
            "default_target": self.tr("&Folder for setups"),
            "cache_dir": self.tr("Folder for &downloads"),
        }
        for name, text in names.items():
            self._labels[name].setText(text)
        widest = max(label.sizeHint().width() for label in self._labels.values())
        for label in self._labels.values():  # the fields of all cards begin at one line
            label.setMinimumWidth(widest)
        hints = {
            "proxy": self.tr("empty: the system's own, for example http://127.0.0.1:7890"),
            "ca_bundle": self.tr("empty: the built-in certificates; a PEM file of your company otherwise"),
            "index_url": self.tr("empty: each route's own index"),
            "default_target": self.tr("empty: a short path in your own folder"),
            "cache_dir": self.tr("empty: {folder}").format(folder=self._gui.context.paths.downloads),
        }
        for name, text in hints.items():
            self._lines[name].setPlaceholderText(text)
        self._lines["cache_dir"].setToolTip(hints["cache_dir"])  # a long path is cut where letters are large
        self._look.set_title(self.tr("Look"))
        self._network.set_title(self.tr("Network"))
        self._folders.set_title(self.tr("Folders"))
        self._about.set_title(self.tr("About"))
        paths = self._gui.context.paths
        self._about_text.setText(
            self.tr(
                "ROCm GUI {version}. Settings: {settings}. Setups and jobs: {data}. Nothing is sent anywhere."
            ).format(version=__version__, settings=paths.settings_file, data=paths.data)
        )
        self._open.setText(self.tr("Open the folder"))
        self._fill()

    def enter(self) -> None:
        """Show what is in force now."""
        self._fill()

    def _combo(self, name: str) -> QComboBox:
        combo = QComboBox(self)
        combo.activated.connect(lambda index: self._on_chosen(name, combo.itemData(index)))
        return combo

    def _line(self, name: str) -> QLineEdit:
        line = QLineEdit(self)
        line.editingFinished.connect(lambda: self._on_edited(name, line.text()))
        return line

    def _card(self, rows: list[tuple[str, QWidget]]) -> Card:
        card = Card(parent=self)
        form = QFormLayout()
        form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.ExpandingFieldsGrow)
        form.setVerticalSpacing(round(2.5 * unit(self.font())))
        form.setHorizontalSpacing(round(4 * unit(self.font())))
        for name, widget in rows:
            label = QLabel(card)
            label.setBuddy(widget)
            self._labels[name] = label
            form.addRow(label, widget)
        card.body.addLayout(form)
        return card

    def _fill(self) -> None:
        settings = self._gui.context.settings
        themes = {"system": self.tr("Follow the system"), "light": self.tr("Light"), "dark": self.tr("Dark")}
        mirrors: dict[str | None, str] = {None: self.tr("Official (pypi.org)")}
        mirrors |= {
            mirror.id: pick(mirror.title, self._gui.languages.language) or mirror.id
            for mirror in self._gui.mirrors
            if mirror.id != "official"
        }
        self._offer(self._language, dict(NAMES), self._gui.languages.language)
        self._offer(self._theme, dict(themes), self._gui.theme.choice)
        self._offer(self._mirror, mirrors, settings.pypi_mirror)
        for name, line in self._lines.items():
            if not line.hasFocus():
                line.setText(getattr(settings, name) or "")

    @staticmethod
    def _offer(combo: QComboBox, choices: dict, chosen: object) -> None:
        combo.clear()
        for value, text in choices.items():
            combo.addItem(text, value)
        index = combo.findData(chosen)
        if index < 0 and chosen is not None:
            combo.addItem(str(chosen), chosen)
            index = combo.count() - 1
        combo.setCurrentIndex(max(0, index))

    def _on_chosen(self, name: str, value: object) -> None:
        self._change(name, value)
        if name == "language":
            self._gui.languages.choose(value)  # type: ignore[arg-type]
        elif name == "theme":
            self._gui.theme.choose(value)  # type: ignore[arg-type]

    def _on_edited(self, name: str, text: str) -> None:
        value = text.strip() or None
        if value == getattr(self._gui.context.settings, name):
            return
        try:
            value = check_setting(name, value)
        except ValueError as error:
            label = self._labels[name].text().replace("&", "")
            self._wrong.setText(self.tr("{name}: “{value}” was not kept. It must be {what}.").format(
                name=label, value=text, what=error))  # fmt: skip
            self._wrong.show()
            return
        self._change(name, value)

    def _change(self, name: str, value: object) -> None:
        self._wrong.hide()
        try:
            self._gui.context.change_settings(**{name: value})
        except AppError as error:
            self.banner.present(self._gui.error_text(error), "bad")

    def _open_folder(self) -> None:
        folder = self._gui.context.paths.data
        folder.mkdir(parents=True, exist_ok=True)
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(folder)))
