"""Rules of the project that no linter knows."""

from __future__ import annotations

import json
import re
import string
import subprocess
import sys
from pathlib import Path

import jsonschema
import pytest

from rocm_gui.system.datafiles import read_toml

REPOSITORY = Path(__file__).resolve().parent.parent
PACKAGE = REPOSITORY / "rocm_gui"
DATA = REPOSITORY / "resources" / "data"


def two_language_entries(node: object, path: str = "") -> list[tuple[str, dict[str, object]]]:
    """Every table with a text in one of the languages, with its dotted name."""
    found: list[tuple[str, dict[str, object]]] = []
    if isinstance(node, dict):
        if isinstance(node.get("en"), str) or isinstance(node.get("zh_CN"), str):
            found.append((path, node))
        for key, value in node.items():
            found += two_language_entries(value, f"{path}.{key}" if path else str(key))
    elif isinstance(node, list):
        for index, value in enumerate(node):
            found += two_language_entries(value, f"{path}[{index}]")
    return found


def placeholders(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name}


@pytest.mark.parametrize("path", sorted(DATA.rglob("*.toml")), ids=lambda path: str(path.relative_to(DATA)))
def test_every_text_stands_in_both_languages_with_the_same_placeholders(path: Path) -> None:
    problems = []
    for name, entry in two_language_entries(read_toml(path)):
        english, chinese = entry.get("en"), entry.get("zh_CN")
        if not (isinstance(english, str) and english.strip() and isinstance(chinese, str) and chinese.strip()):
            problems.append(f"{name}: one language is missing")
        elif placeholders(english) != placeholders(chinese):
            problems.append(f"{name}: {placeholders(english)} in English, {placeholders(chinese)} in Chinese")
        elif len(english) > 40 and not re.search(r"[\u4e00-\u9fff]", chinese):
            problems.append(f"{name}: the Chinese text is not Chinese")
    assert problems == []


def test_every_error_code_raised_in_the_code_has_its_sentence() -> None:
    known = set()
    for path in (DATA / "messages").glob("*.toml"):
        known |= set(read_toml(path).get("error", {}))
    used = {}
    for path in PACKAGE.rglob("*.py"):
        for code in re.findall(r"""AppError\(\s*["']([a-z0-9_.]+)["']""", path.read_text("utf-8")):
            used.setdefault(code, path.name)
    assert used
    assert {code: name for code, name in used.items() if code not in known} == {}


def test_every_schema_is_a_schema() -> None:
    schemas = sorted((REPOSITORY / "resources" / "docs" / "schema").glob("*.json"))
    assert schemas
    for path in schemas:
        jsonschema.Draft202012Validator.check_schema(json.loads(path.read_text("utf-8")))


def test_files_stay_short() -> None:
    long = {
        str(path.relative_to(REPOSITORY)): len(path.read_text("utf-8").splitlines()) for path in PACKAGE.rglob("*.py")
    }
    assert {name: lines for name, lines in long.items() if lines > 450} == {}


def test_the_command_line_needs_no_qt(tmp_path: Path) -> None:
    blocked = (
        "import sys\n"
        "class Block:\n"
        "    def find_spec(self, name, path=None, target=None):\n"
        "        if name.split('.')[0] in ('PySide6', 'pyqtgraph', 'torch', 'numpy'):\n"
        "            raise ModuleNotFoundError(name)\n"
        "sys.meta_path.insert(0, Block())\n"
        "from rocm_gui.cli import main\n"
        "sys.exit(main(sys.argv[1:]))\n"
    )
    answer = subprocess.run(
        [sys.executable, "-c", blocked, "check", "--json", "--only", "system.ram"],
        capture_output=True, text=True, encoding="utf-8", timeout=60, check=False, cwd=REPOSITORY,
    )  # fmt: skip
    assert answer.returncode in (0, 1, 2), answer.stderr
    assert "ModuleNotFoundError" not in answer.stderr


def test_no_service_core_or_command_imports_qt_or_torch() -> None:
    program = (
        "import sys, rocm_gui.services, rocm_gui.cli.check, rocm_gui.cli.setup, rocm_gui.cli.verify\n"
        "print([m for m in sys.modules if m.split('.')[0] in ('PySide6', 'pyqtgraph', 'torch', 'numpy')])"
    )
    answer = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (answer.stdout.strip(), answer.stderr) == ("[]", "")
