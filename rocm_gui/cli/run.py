"""``rocm-gui run``: a person's own script, in an environment, on the right GPU."""

from __future__ import annotations

import argparse
import codecs
import contextlib
import os
import signal
import sys
from typing import TYPE_CHECKING, BinaryIO, Literal

from rocm_gui.core.errors import AppError, ExitCode

if TYPE_CHECKING:
    from collections.abc import Callable, Generator
    from types import FrameType

    from rocm_gui.cli.output import Output
    from rocm_gui.core.script_faults import ScriptOutcome
    from rocm_gui.services.script_run import PreparedScript, ScriptRequest, ScriptRun

_LINE_LIMIT_BYTES = 1 << 20


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The arguments of ``run``."""
    parser.usage = (
        "rocm-gui run [-h] --python PATH [--device N|all] [--cwd DIR] [--timeout S] [--json] -- SCRIPT.py [ARGS ...]\n"
        "       rocm-gui run --python PATH [options] -- -m MODULE [ARGS ...]"
    )
    parser.add_argument(
        "--python",
        required=True,
        metavar="PATH",
        help="interpreter or folder of the environment, or the folder of its setup",
    )
    parser.add_argument(
        "--device",
        type=_device,
        metavar="N|all",
        help="GPU as PyTorch counts, the only one that the script will see, as cuda:0; all: hide none "
        "(default: the discrete GPU with the most memory)",
    )
    parser.add_argument("--cwd", metavar="DIR", help="folder to run in (default: the script's own)")
    parser.add_argument("--timeout", type=_seconds, metavar="S", help="end the script after so many seconds")
    parser.add_argument("--json", action="store_true", help="JSON lines on standard output: log, then one result")
    parser.add_argument("script", nargs=argparse.REMAINDER, metavar="-- SCRIPT ARGS", help="the script, its arguments")
    parser.epilog = (
        "Exit codes: the script's own where that is 0 to 125; 4 where it crashed or ran out of time; 130 after Ctrl-C; "
        "2 where script, Python or GPU are not there; 1 for any other code of the script. "
        "The first Ctrl-C goes to the script, the second one ends it. The computer does not go to sleep meanwhile."
    )


def _device(text: str) -> int | Literal["all"]:
    if text == "all":
        return "all"
    if not text.isascii() or not text.isdecimal():
        raise argparse.ArgumentTypeError(f"{text!r} is neither a number from 0 on nor all")
    return int(text)


def _seconds(text: str) -> float:
    try:
        seconds = float(text)
    except ValueError:
        seconds = 0.0
    if not 0 < seconds < float("inf"):
        raise argparse.ArgumentTypeError(f"{text!r} is not a number of seconds above 0")
    return seconds


def run(args: argparse.Namespace, out: Output) -> int:
    """Prepare, run, explain."""
    from rocm_gui.services.script_run import ScriptRun, Streams, known_troubles, prepare_script
    from rocm_gui.system.paths import default_paths

    paths = default_paths()
    request = request_of(args)
    out.say(out.texts.get("run.looking"))
    prepared = prepare_script(request, paths=paths)
    _tell_place(prepared, out)
    windows = sys.platform == "win32"
    terminal = _is_terminal(sys.stdout)
    streams = Streams(
        own_stdin=not args.json,
        own_stdout=terminal and not args.json and not windows,  # Windows: it could not reach our console
        share_console=windows and _is_terminal(sys.stdin) and not args.json,
    )
    printer = _JsonPrinter(out) if args.json else _RawPrinter()
    script = ScriptRun(prepared, printer, streams=streams, troubles=known_troubles(paths))
    with _interrupts(script, out):
        outcome = script.run()
    printer.close()
    if args.json:
        out.document(result_document(prepared, outcome, out))
    _tell_end(prepared, outcome, out)
    return outcome.exit_code


def request_of(args: argparse.Namespace) -> ScriptRequest:
    """What the command line asks for.

    Raises:
        AppError: ``script_not_named``.
    """
    from rocm_gui.services.script_run import ScriptRequest

    words: list[str] = list(args.script)
    if words[:1] == ["--"]:
        words = words[1:]
    module = words[:1] == ["-m"]
    if module:
        words = words[1:]
    if not words:
        raise AppError("script_not_named", ExitCode.USAGE)
    return ScriptRequest(
        python=args.python,
        script=words[0],
        arguments=tuple(words[1:]),
        cwd=args.cwd,
        device=args.device,
        timeout_s=args.timeout,
        module=module,
    )


def result_document(prepared: PreparedScript, outcome: ScriptOutcome, out: Output) -> dict[str, object]:
    """The last line of ``--json``; its schema stands in ``resources/docs/schema/run.json``."""
    import msgspec

    from rocm_gui.core.script_faults import describe

    known = outcome.explanation
    explanation: dict[str, object] | None = None
    if known is not None:
        cause, remedy = describe(known, out.texts)
        explanation = {
            "code": known.code,
            "layer": known.layer,
            "message": known.message or None,
            "cause": cause,
            "remedy": remedy or None,
            "facts": known.facts,
        }
    return {
        "type": "result",
        "schema": 1,
        "state": outcome.state,
        "exit_code": outcome.exit_code,
        "script_exit_code": outcome.script_exit_code,
        "seconds": round(outcome.seconds, 3),
        "python": prepared.argv[0],
        "argv": list(prepared.argv),
        "cwd": prepared.cwd,
        "build": prepared.probe.build,
        "device": None if prepared.device is None else msgspec.to_builtins(prepared.device),
        "visible": None if prepared.visible is None else dict([prepared.visible]),
        "kept_awake": outcome.kept_awake,
        "explanation": explanation,
    }


def _tell_place(prepared: PreparedScript, out: Output) -> None:
    from rocm_gui.services.script_words import place_sentence

    out.say(place_sentence(prepared, out.texts))
    for snippet in prepared.snippets:
        out.say(out.texts.get("run.needs_snippet") + "\n" + snippet.rstrip())


def _tell_end(prepared: PreparedScript, outcome: ScriptOutcome, out: Output) -> None:
    from rocm_gui.services.script_words import end_sentences

    sentences = end_sentences(prepared, outcome, out.texts)
    if outcome.state in ("done", "failed"):
        sentences = sentences[1:]  # its exit code says it; a terminal need not
    for sentence in sentences:
        out.say("rocm-gui: " + sentence)


class _RawPrinter:
    """The script's bytes, as they are, on our own streams."""

    def __call__(self, stream: str, data: bytes) -> None:
        target: BinaryIO = sys.stdout.buffer if stream == "stdout" else sys.stderr.buffer
        try:
            target.write(data)
            target.flush()
        except (BrokenPipeError, ValueError):  # nobody reads any more: the script goes on, as it would by itself
            with contextlib.suppress(OSError, ValueError):
                os.dup2(os.open(os.devnull, os.O_WRONLY), target.fileno())

    def close(self) -> None:
        """Nothing is held back."""


class _JsonPrinter:
    """One JSON object for each line of the script."""

    def __init__(self, out: Output) -> None:
        from rocm_gui.core.lines import LineSplitter

        self._out = out
        self._lines = {name: LineSplitter(_LINE_LIMIT_BYTES, carriage_returns=True) for name in ("stdout", "stderr")}

    def __call__(self, stream: str, data: bytes) -> None:
        self._tell(stream, self._lines[stream].feed(data))

    def close(self) -> None:
        """Tell the last lines, which had no end."""
        for stream, lines in self._lines.items():
            self._tell(stream, lines.flush())

    def _tell(self, stream: str, lines: list[bytes]) -> None:
        for line in lines:
            text = codecs.decode(line, "utf-8", "replace")
            self._out.document({"type": "log", "stream": stream, "text": text})


def _is_terminal(stream: object) -> bool:
    try:
        return bool(stream.isatty())  # type: ignore[attr-defined]
    except (AttributeError, ValueError):
        return False


@contextlib.contextmanager
def _interrupts(script: ScriptRun, out: Output) -> Generator[None]:
    """Ctrl-C stops the script, not us; a polite kill of this program ends the script too."""

    def heed(number: int, _frame: FrameType | None) -> None:
        if number != signal.SIGINT and script.asked_to_stop == 0:
            script.interrupt()  # no time for a polite word: straight to the second
        script.interrupt()
        out.call_out(out.texts.get("run.interrupting" if script.asked_to_stop == 1 else "run.ending"))

    names = ("SIGINT", "SIGTERM", "SIGHUP", "SIGBREAK")
    before: dict[int, Callable[[int, FrameType | None], object] | int | None] = {}
    for name in names:
        number = getattr(signal, name, None)
        if number is not None:
            before[number] = signal.signal(number, heed)
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
