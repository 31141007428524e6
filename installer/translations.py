"""Keeps the window's translations: ``python installer/translations.py [--check]``.

Collects every ``self.tr("...")`` of ``rocm_gui/ui`` into ``resources/i18n/rocm_gui_zh_CN.ts`` (no line numbers, so
that differences stay readable) and compiles the ``.qm`` that the program loads. English needs only its plural forms.
``--check`` changes nothing and fails where the files are not up to date or a text has no translation.
"""

from __future__ import annotations

import argparse
import re
import shutil
import subprocess
import sys
import tempfile
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "resources" / "i18n"
LANGUAGES = ("zh_CN", "en")


def tool(name: str) -> str:
    """The PySide6 tool ``name`` of this Python's environment."""
    found = shutil.which(f"pyside6-{name}", path=str(Path(sys.executable).parent)) or shutil.which(f"pyside6-{name}")
    if found is None:
        sys.exit(f"pyside6-{name} is not installed: pip install PySide6-Essentials")
    return found


def update(path: Path, language: str) -> None:
    """Bring the ``.ts`` file in step with the sources; finished translations stay."""
    sources = sorted(str(source.relative_to(ROOT)) for source in (ROOT / "rocm_gui" / "ui").rglob("*.py"))
    plurals = ["-pluralonly"] if language == "en" else []
    command = [tool("lupdate"), *sources, "-no-obsolete", "-locations", "none", *plurals]
    command += ["-source-language", "en", "-target-language", language, "-ts", str(path)]
    subprocess.run(command, check=True, cwd=ROOT, capture_output=True)
    text = path.read_text("utf-8")
    path.write_text(re.sub(r"\s*<location [^>]*/>", "", text), encoding="utf-8")


def compile_catalogue(ts: Path, qm: Path) -> None:
    """The ``.qm`` of a ``.ts``."""
    subprocess.run([tool("lrelease"), str(ts), "-qm", str(qm)], check=True, capture_output=True)


def unfinished(path: Path) -> list[str]:
    """Texts without a translation."""
    missing = []
    for message in ET.parse(path).iter("message"):
        translation = message.find("translation")
        forms = [] if translation is None else [form.text for form in translation.iter("numerusform")]
        text = None if translation is None else translation.text
        done = all(forms) if forms else bool(text)
        if translation is None or translation.get("type") == "unfinished" or not done:
            missing.append(message.findtext("source") or "")
    return missing


def messages(path: Path) -> set[tuple[str, str, str]]:
    """(context, source, comment) of every text."""
    return {
        (context.findtext("name") or "", message.findtext("source") or "", message.findtext("comment") or "")
        for context in ET.parse(path).iter("context")
        for message in context.iter("message")
    }


def check() -> list[str]:
    """What is not up to date, as sentences."""
    problems = []
    with tempfile.TemporaryDirectory() as folder:
        for language in LANGUAGES:
            ts, qm = FOLDER / f"rocm_gui_{language}.ts", FOLDER / f"rocm_gui_{language}.qm"
            fresh, compiled = Path(folder, ts.name), Path(folder, qm.name)
            shutil.copy(ts, fresh)
            update(fresh, language)
            have, wanted = messages(ts), messages(fresh)
            problems += [f"{ts.name} lacks {text!r} ({context})" for context, text, _ in sorted(wanted - have)]
            problems += [
                f"{ts.name} has {text!r} ({context}), which is gone" for context, text, _ in sorted(have - wanted)
            ]
            problems += [f"{ts.name}: {text!r} is not translated" for text in unfinished(ts)]
            compile_catalogue(ts, compiled)
            if not qm.is_file() or qm.read_bytes() != compiled.read_bytes():
                problems.append(f"{qm.name} is not the compiled {ts.name}")
    return problems


def main() -> None:
    """Update, or check."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--check", action="store_true")
    if parser.parse_args().check:
        problems = check()
        if problems:
            sys.exit("\n".join([*problems, "Run: python installer/translations.py"]))
        return
    FOLDER.mkdir(exist_ok=True)
    for language in LANGUAGES:
        ts = FOLDER / f"rocm_gui_{language}.ts"
        update(ts, language)
        compile_catalogue(ts, FOLDER / f"rocm_gui_{language}.qm")
        print(f"{ts.name}: {len(messages(ts))} texts, {len(unfinished(ts))} without translation")


if __name__ == "__main__":
    main()
