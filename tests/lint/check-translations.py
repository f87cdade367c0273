#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that every language of po/LINGUAS is complete with the placeholders of the source, and that texts are not split in untranslatable ways."""
import pathlib
import re
import subprocess
import sys
import tempfile

# A string that ends in a format macro cannot be looked up in the catalogue: only the compiler expands it.
GLIB_FORMAT = re.compile(r"\b(?:_|N_|ngettext|g_dngettext)\s*\((?:[^()\"]|\"(?:[^\"\\]|\\.)*\"|\([^()]*\))*?\bG_G\w+_FORMAT")
KEYWORDS = ["_", "N_", "C_:1c,2", "NC_:1c,2", "ngettext:1,2", "g_dngettext:2,3", "g_dpgettext2:2c,3"]


def texts(po):
    """Returns the texts of a catalogue as (context, text) -> True when translated."""
    found, entry, field = {}, {}, None
    for line in po.splitlines() + [""]:
        if line.startswith("#"):
            continue
        if not line.strip():
            if entry.get("msgid"):
                said = [value for key, value in entry.items() if key.startswith("msgstr")]
                found[entry.get("msgctxt"), entry["msgid"]] = all(said)
            entry, field = {}, None
        elif line.startswith('"'):
            entry[field] += line[1:-1]
        else:
            field, rest = line.split(" ", 1)
            entry[field] = rest[1:-1]
    return found


def check_language(root, template, language):
    path = root / "po" / f"{language}.po"
    complaints = [
        line
        for line in subprocess.run(["msgfmt", "--check-format", "--check-domain", "-o", "/dev/null", str(path)], capture_output=True, text=True).stderr.splitlines()
        if "header field" not in line
    ]
    # Without the flag msgfmt does not prepare the entry for the integer sizes of the machine, and it is never found.
    complaints += [
        f"{path.name}: {entry.strip().splitlines()[0]} needs the line “#, c-format” above it"
        for entry in path.read_text().split("\n\n")
        if "%<PRI" in entry and "c-format" not in entry
    ]
    said = texts(path.read_text())
    complaints += [f"{path.name} lacks {key[1]!r}" for key in template if not said.get(key)]
    complaints += [f"{path.name} has {key[1]!r}, which the source does not say" for key in said if key not in template]
    return complaints


def shape(text):
    """Returns the number of paragraphs of each section of a help page."""
    return [len(part.strip().split("\n\n")) for part in text.split("\n## ")]


def check_help(root, language):
    english, path = root / "docs/help.md", root / f"docs/help.{language}.md"
    if not path.exists():
        return [f"docs/{path.name} is missing"]
    same = shape(english.read_text()) == shape(path.read_text())
    return [] if same else [f"docs/{path.name} has not the parts and paragraphs of help.md"]


def main(root):
    root = pathlib.Path(root)
    files = [line for line in (root / "po/POTFILES").read_text().splitlines() if line and not line.startswith("#")]
    complaints = [
        f"{name}: a format of GLib within a translatable text; PRId64, PRIu64 or %zu can be looked up"
        for name in files
        if name.endswith((".c", ".h")) and GLIB_FORMAT.search((root / name).read_text())
    ]
    with tempfile.NamedTemporaryFile(suffix=".pot") as made:
        subprocess.run(["xgettext", "--from-code=UTF-8", *(f"--keyword={word}" for word in KEYWORDS), "-o", made.name, *files],
                       cwd=root, check=True, capture_output=True)
        template = texts(pathlib.Path(made.name).read_text())
    for language in (line for line in (root / "po/LINGUAS").read_text().split("\n") if line and not line.startswith("#")):
        complaints += check_language(root, template, language) + check_help(root, language)
    print("\n".join(complaints))
    return 1 if complaints else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1]))
