"""The pinned Qt binding survives many signal emissions; some releases lose a reference with each and abort."""

import subprocess
import sys

import pytest

PROGRAM = """
from PySide6.QtCore import QCoreApplication, QObject, Signal

class Source(QObject):
    changed = Signal(bool, int)

application = QCoreApplication([])
source, seen = Source(), []
source.changed.connect(lambda flag, number: seen.append(number))
for number in range(20_000):
    source.changed.emit(True, number)
print(len(seen))
"""


@pytest.mark.qt
def test_twenty_thousand_emissions_end_cleanly() -> None:
    answer = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False)
    assert (answer.returncode, answer.stdout.strip(), answer.stderr) == (0, "20000", "")
