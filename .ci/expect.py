"""Fails when a test report lacks what the build must have run: a tick that could not fail is a defect."""

import argparse
import sys
from xml.etree import ElementTree as ET


def main():
    """Read a JUnit file in which every test carries its marks as a property."""
    parser = argparse.ArgumentParser()
    parser.add_argument("report")
    parser.add_argument(
        "--ran", nargs="*", default=[], help="marks: each needs tests that ran, and none of them skipped"
    )
    parser.add_argument("--at-least", type=int, default=1)
    parser.add_argument("--no-skips", action="store_true")
    parser.add_argument(
        "--allow-skip", action="append", default=[], metavar="TEXT", help="a reason that may skip a test"
    )
    args = parser.parse_args()
    ran, skipped, total = {}, {}, 0
    for case in ET.parse(args.report).iter("testcase"):
        skip = case.find("skipped")
        was_skipped = skip is not None
        if was_skipped and any(text in skip.get("message", "") for text in args.allow_skip):
            continue
        total += not was_skipped
        marks = " ".join(p.get("value", "") for p in case.iter("property") if p.get("name") == "marks").split()
        for mark in {*marks, "any"}:
            ran[mark] = ran.get(mark, 0) + (not was_skipped)
            if was_skipped and not (mark != "windows" and "windows" in marks):
                skipped.setdefault(mark, []).append(f"{case.get('classname')}::{case.get('name')}")
    problems = [] if total >= args.at_least else [f"only {total} tests ran, at least {args.at_least} must"]
    for mark in args.ran:
        if not ran.get(mark):
            problems.append(f"no test marked {mark} ran")
        problems += [f"skipped although marked {mark}: {name}" for name in skipped.get(mark, [])]
    if args.no_skips:
        problems += [f"skipped: {name}" for name in skipped.get("any", [])]
    print(f"{args.report}: {total} tests ran", {mark: count for mark, count in sorted(ran.items()) if mark in args.ran})
    if problems:
        sys.exit("\n".join(problems))


if __name__ == "__main__":
    main()
