"""What the setup does, in which language, and what it will never do unasked."""

from __future__ import annotations

from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QPushButton

from rocm_gui.core.errors import AppError
from rocm_gui.ui.language import NAMES
from rocm_gui.ui.theme import unit
from rocm_gui.ui.widgets.basics import Card, Text
from rocm_gui.ui.wizard.step_page import StepPage


class WelcomePage(StepPage):
    """The first page: language and promise."""

    name = "welcome"

    def build(self) -> None:
        """Language buttons and three cards of one paragraph."""
        size = round(unit(self.font()))
        self._language_card = Card(parent=self)
        row = QHBoxLayout()
        row.setSpacing(2 * size)
        self.language_buttons: dict[str, QPushButton] = {}
        group = QButtonGroup(self)
        group.setExclusive(True)
        for language, name in NAMES.items():
            button = QPushButton(name, self._language_card)
            button.setProperty("kind", "segment")
            button.setCheckable(True)
            button.clicked.connect(lambda _checked=False, language=language: self._choose(language))
            group.addButton(button)
            row.addWidget(button)
            self.language_buttons[language] = button
        row.addStretch(1)
        self._language_card.body.addLayout(row)
        self._does, self._does_text = self._text_card()
        self._safe, self._safe_text = self._text_card()
        self._article, self._article_text = self._text_card()
        self.content.addWidget(self._language_card)
        for card in (self._does, self._safe, self._article):
            self.content.addWidget(card)
        self.content.addStretch(1)

    def retranslate(self) -> None:
        """Set every text."""
        self.title.setText(self.tr("From nothing to training on your GPU"))
        self.sentence.setText(
            self.tr("This guide sets up PyTorch for your AMD GPU and proves that it computes correctly.")
        )
        self._language_card.set_title(self.tr("Language"))
        self._does.set_title(self.tr("What happens"))
        self._does_text.setText(
            self.tr(
                "First it looks at this computer. Then it chooses the way to PyTorch that works here and shows "
                "every command and every change. Only then, when you say so, it downloads, installs and verifies. "
                "On a computer without a usable AMD GPU it sets up PyTorch for the processor and says so."
            )
        )
        self._safe.set_title(self.tr("What it promises"))
        self._safe_text.setText(
            self.tr(
                "Everything goes into one folder that you choose. Nothing needs administrator rights unless a step "
                "says so first. You can stop at any time and continue later, also after a power cut, and undo all of "
                "it. Nothing is sent anywhere."
            )
        )
        self._article.set_title(self.tr("If you come from a tutorial"))
        self._article_text.setText(
            self.tr(
                "Many guides build ROCm from source, set HSA_OVERRIDE_GFX_VERSION and change PATH with setx. On "
                "Windows none of that works or is needed today. Each such step appears here with the reason and with "
                "what works instead."
            )
        )

    def show_model(self) -> None:
        """Mark the language in force."""
        for language, button in self.language_buttons.items():
            button.setChecked(language == self.gui.languages.language)

    @property
    def next_text(self) -> str:
        """Start."""
        return self.tr("&Start")

    def _text_card(self) -> tuple[Card, Text]:
        card = Card(parent=self)
        text = Text("", wrap=True, parent=card)
        card.body.addWidget(text)
        return card, text

    def _choose(self, language: str) -> None:
        self.gui.languages.choose(language)  # type: ignore[arg-type]
        try:
            self.gui.context.change_settings(language=language)
        except AppError as error:
            self.banner.present(self.gui.error_text(error), "warn")
