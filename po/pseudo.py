#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""A made-up language for looking at the window: every text marked at both ends, accented and a third longer.

Usage: po/pseudo.py FILE.mo..., from anywhere; then LANGUAGE=pseudo LC_ALL=C.UTF-8 with FILE = .../pseudo/LC_MESSAGES/lacuna.mo.
What the window shows in plain letters was never marked for translation; what lacks its last bracket is clipped.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
ACCENTS = str.maketrans("aceilnoruyzACEINOUYZ", "áčéíľňóŕúýžÁČÉÍŇÓÚÝŽ")
KEPT = re.compile(r"(%[-+0-9.$]*(?:<\w+>|z?[a-zA-Z]|%)|\\.)")  # placeholders and escapes
KEYWORDS = ["_", "N_", "C_:1c,2", "NC_:1c,2", "ngettext:1,2", "g_dngettext:2,3"]


def pseudo(text):
    parts = KEPT.split(text)
    dressed = "".join(part if i % 2 else part.translate(ACCENTS) for i, part in enumerate(parts))
    ends = "\\n" if text.endswith("\\n") else ""
    begins = "\\n" if text.startswith("\\n") else ""
    core = dressed[len(begins):len(dressed) - len(ends)]
    return f"{begins}[{core}{'·~' * (len(core) // 6)}]{ends}"


def translate(template):
    """The template with every msgstr filled from the msgid above it."""
    out, texts, field = [], {}, None
    for line in template.splitlines() + [""]:
        if line.startswith(("msgid", "msgctxt", "msgstr")):
            field, text = line.split(" ", 1)
            texts[field] = text[1:-1]
        elif line.startswith('"'):
            texts[field] += line[1:-1]
        elif line.startswith("#,"):
            out.append(line)  # numbers of a size of this machine are found by the flag of their text
        elif not line.startswith("#") and texts:
            if texts["msgid"] == "":
                out += ['msgid ""', 'msgstr ""', r'"Content-Type: text/plain; charset=UTF-8\n"', r'"Plural-Forms: nplurals=2; plural=(n != 1);\n"', ""]
            else:
                out += [f'{key} "{text}"' for key, text in texts.items() if not key.startswith("msgstr")]
                if "msgid_plural" in texts:
                    out += [f'msgstr[0] "{pseudo(texts["msgid"])}"', f'msgstr[1] "{pseudo(texts["msgid_plural"])}"', ""]
                else:
                    out += [f'msgstr "{pseudo(texts["msgid"])}"', ""]
            texts = {}
    return "\n".join(out)


def main(paths):
    files = [line for line in (ROOT / "po/POTFILES").read_text().splitlines() if line and not line.startswith("#")]
    with tempfile.TemporaryDirectory() as folder:
        made = pathlib.Path(folder, "lacuna.pot")
        subprocess.run(["xgettext", "--from-code=UTF-8", *(f"--keyword={word}" for word in KEYWORDS), "-o", made, *files],
                       cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
        po = pathlib.Path(folder, "pseudo.po")
        po.write_text(translate(made.read_text()))
        for path in map(pathlib.Path, paths):
            path.parent.mkdir(parents=True, exist_ok=True)
            subprocess.run(["msgfmt", "-o", path, po], check=True)


if __name__ == "__main__":
    main(sys.argv[1:])
