#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds up the subtests of several meson builds and ends with one line: N passed, N failed, N skipped."""
import pathlib
import sys
import xml.etree.ElementTree as tree


def count(build):
    passed = failed = skipped = 0
    log = pathlib.Path(build, "meson-logs", "testlog.junit.xml")
    if not log.exists():
        print(f"{build}: no test log")
        return 0, 1, 0
    for case in tree.parse(log).getroot().iter("testcase"):
        name = f'{case.get("classname")} {case.get("name")}'
        if case.find("failure") is not None or case.find("error") is not None:
            failed += 1
            print(f"failed in {build}: {name}")
        elif case.find("skipped") is not None:
            skipped += 1
            print(f"skipped in {build}: {name}")
        else:
            passed += 1
    return passed, failed, skipped


def main(builds):
    passed, failed, skipped = (sum(column) for column in zip(*map(count, builds)))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
