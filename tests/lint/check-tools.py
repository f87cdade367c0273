#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that no test is skipped for a missing tool: none is optional at configure time, and ./dev installs the package of each."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

# Part of every Debian system.
ESSENTIAL = {"bash", "libc-bin"}


def installed_by_dev(root):
    script = (root / "dev").read_text()
    lists = re.findall(r"^readonly (?:test_)?packages=\(\n(.*?)^\)", script, re.S | re.M)
    return {package for words in lists for package in words.split()}


def main(root):
    root = pathlib.Path(root)
    found = [f"{path.relative_to(root)}: {line.strip()}"
             for path in sorted((root / "tests").rglob("meson.build")) for line in path.read_text().splitlines()
             if re.search(r"required\s*:\s*false", line)]
    found += [f"dev does not install {package}, which has {tool}"
              for tool, package in needs.PACKAGES.items() if package not in installed_by_dev(root) | ESSENTIAL]
    print("\n".join(found))
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
