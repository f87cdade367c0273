#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Adds up the subtests of several meson builds and ends with one line: N passed, N failed, N skipped."""
import collections
import json
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

LAST_WORDS = 15


def count(build):
    passed = failed = skipped = 0
    skips = collections.Counter()
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
            # of "12 /backend/cuda/f32/fill" the first two folders name what is left out
            path = re.search(r"/[^/]+(/[^/]+)?", case.get("name"))
            skips[f'{case.get("classname").split(":")[-1].strip()} {path.group() if path else case.get("name")}'] += 1
        else:
            passed += 1
    for name, n in sorted(skips.items()):
        print(f"skipped in {build}: {n} of {name}")
    failed += tell_bad(build, failed)
    tell_second_tries(build)
    return passed, failed, skipped


def tell_bad(build, known):
    """How each program that ended badly ended, in its own last words. Returns how many there are beyond the `known` failures of
    subtests: one killed by a signal has none."""
    bad = [test for test in tests_of(build) if test["result"] not in ("OK", "SKIP", "EXPECTEDFAIL")]
    for test in bad:
        words = [line for line in (test.get("stdout", "") + test.get("stderr", "")).splitlines() if not re.match(r"ok|# (Start|End)|1\.\.", line)]
        print(f'in {build}: {test["name"]}: {test["result"]}, status {test.get("returncode")}')
        for line in words[-LAST_WORDS:]:
            print(f"    {line[:300]}")
    return max(len(bad) - known, 0)


def tests_of(build):
    return map(json.loads, pathlib.Path(build, "meson-logs", "testlog.json").read_text().splitlines())


def tell_second_tries(build):
    """Which tests of the window timed out at first (tests/app/end-to-end/end-to-end.sh)."""
    for test in tests_of(build):
        for reason in re.findall(r"^# (second try after: .*)", test.get("stdout", ""), re.M):
            print(f'in {build}: {test["name"]}: {reason}')


def main(builds):
    passed, failed, skipped = (sum(column) for column in zip(*map(count, builds)))
    print(f"{passed} passed, {failed} failed, {skipped} skipped")
    return 1 if failed or not passed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
