"""The settings, their defaults, and how a value from a file becomes one of them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, cast
from urllib.parse import urlsplit

import msgspec

from rocm_gui.core.redact import mask_secrets

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rocm_gui.core.model import SetupOptions


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """What a person has chosen for good; None means the product's or the system's own choice."""

    language: Literal["en", "zh_CN"] | None = None
    theme: Literal["system", "light", "dark"] = "system"
    pypi_mirror: str | None = None  # id from routes.toml or a URL
    index_url: str | None = None  # instead of every route's own indexes
    proxy: str | None = None  # "http://host:port"; None: the system's
    ca_bundle: str | None = None  # a PEM file
    default_target: str | None = None  # folder that a setup proposes
    default_python: str | None = None
    cache_dir: str | None = None  # downloads
    simulate: bool = False  # show made-up GPUs, marked as such
    sample_period_s: float = 1.0  # of the monitor, 0.1 to 60
    log_level: Literal["debug", "info", "warning", "error"] = "info"


class SettingsWarning(msgspec.Struct, frozen=True, kw_only=True):
    """Something in the file that was passed over; the sentence is ``settings.warning.CODE``."""

    code: Literal["bad_value", "malformed", "unreadable"]
    facts: dict[str, Any] = {}


_URL_SCHEMES = {
    "proxy": ("http", "https"),  # for SOCKS pip needs a package that no fresh environment has
    "index_url": ("http", "https", "file"),
}
_SAMPLE_PERIOD_S = (0.1, 60.0)

SETTING_NAMES = tuple(field.name for field in msgspec.structs.fields(Settings))
DEFAULTS = Settings()


def settings_from(table: Mapping[str, object]) -> tuple[Settings, list[SettingsWarning]]:
    """The settings that ``table`` holds. A bad value falls back to its default and is named; unknown keys are fine."""
    good: dict[str, object] = {}
    warnings: list[SettingsWarning] = []
    for field in msgspec.structs.fields(Settings):
        if field.name not in table:
            continue
        value = table[field.name]
        try:
            good[field.name] = _checked(field.name, msgspec.convert(value, field.type, strict=True))
        except (msgspec.ValidationError, ValueError) as error:
            facts = {
                "key": field.name,
                "value": mask_secrets(str(value))[:200],
                "default": field.default,
                "reason": str(error),
            }
            warnings.append(SettingsWarning(code="bad_value", facts=facts))
    return Settings(**cast("dict[str, Any]", good)), warnings


def with_settings(options: SetupOptions, settings: Settings) -> SetupOptions:
    """``options`` with what they leave open taken from the settings."""
    return msgspec.structs.replace(
        options,
        target=options.target or settings.default_target,
        python=options.python or settings.default_python,
        index_url=options.index_url or settings.index_url,
        pypi_mirror=options.pypi_mirror or settings.pypi_mirror,
        proxy=options.proxy or settings.proxy,
        ca_bundle=options.ca_bundle or settings.ca_bundle,
    )


def check_setting(name: str, value: object) -> object:
    """``value`` as the setting ``name`` takes it.

    Raises:
        KeyError: where there is no such setting.
        ValueError: where the value does not fit; the message says what would.
    """
    types = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    return _checked(name, msgspec.convert(value, types[name], strict=True))


def _checked(name: str, value: object) -> object:
    """Bounds that a type does not say."""
    if isinstance(value, str) and not value.strip():
        return None if getattr(DEFAULTS, name) is None else getattr(DEFAULTS, name)
    schemes = _URL_SCHEMES.get(name)
    if schemes and isinstance(value, str):
        parts = urlsplit(value)
        if parts.scheme.lower() not in schemes or not (parts.netloc or parts.scheme == "file"):
            raise ValueError(f"a URL that starts with {', '.join(f'{scheme}://' for scheme in schemes)}")
        _ = parts.port  # ValueError where it is no number
    if name == "sample_period_s" and isinstance(value, float):
        low, high = _SAMPLE_PERIOD_S
        if not low <= value <= high:
            raise ValueError(f"a number from {low} to {high}")
    return value
