#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that sources are formatted by clang-format 14. Tables (.def) are excluded. Skipped with other versions, which format differently."""
import os
import pathlib
import re
import shutil
import subprocess
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
import needs  # noqa: E402

VERSION = "14"
SKIPPED = 77


def main(root):
    formatter = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not formatter:
        print(needs.missing("clang-format"))
        return 1
    version = re.search(r"version (\d+)", subprocess.run([formatter, "--version"], capture_output=True, text=True).stdout).group(1)
    if version != VERSION:
        print(f"skipped: the layout is that of clang-format {VERSION}, and this is {version}")
        return SKIPPED
    files = [
        str(path)
        for room in ("src", "cuda", "tests", "bench")
        for path in sorted(pathlib.Path(root, room).rglob("*"))
        if path.suffix in (".c", ".h", ".cu", ".cuh")
    ]
    # clang-format 14 sometimes crashes on many files in one process: run small batches, and retry after a crash
    environment = {**os.environ, "MALLOC_PERTURB_": "0"}
    worst = 0
    for i in range(0, len(files), 8):
        command = [formatter, "--dry-run", "-Werror", *files[i : i + 8]]
        code = subprocess.run(command, cwd=root, env=environment).returncode
        if code < 0:
            codes = [subprocess.run([*command[:3], file], cwd=root, env=environment).returncode for file in files[i : i + 8]]
            code = max(map(abs, codes))
        worst = max(worst, code)
    return worst


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
