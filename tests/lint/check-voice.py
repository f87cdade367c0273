#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Plain words: counts words of the old private vocabulary and comments that circle around their subject.

The words and their replacements are in WORDS. Identifiers, comments, texts of the window and documents are searched; keys that files
hold and people type are data, and strings without a space are therefore left alone. ALLOWED only goes down. --list prints each place,
--sentences the sentences of the documents above 25 words."""
import pathlib
import re
import subprocess
import sys

ALLOWED = {"private words": 6, "comments that begin with Of, What, Whether, Where or By": 0, "entries of the glossary": 25}
WORDS = {
    "told": "reported, notified, logged",
    "somebody|nobody": "the user, (nullable)",
    "a person|persons": "the user",
    "engines?": "method",
    "image solvers?": "method",
    "retrievals?": "method",
    "seekers?": "method",
    "hypothes[ie]s": "estimate",
    "hindcasts?|hindsight": "reanalysis, smoother",
    "vantages?": "view",
    "sittings?": "recording, UI script",
    "parcels?": "staging buffer",
    "tally|tallies": "count",
    "thinners?": "decimator",
    "yardsticks?": "reference",
    "sameness": "bitwise comparison",
    "intakes?": "import",
    "knobs?": "tunable parameter",
    "judge[sd]?|judgements?": "evaluate, score, verdict",
    "let go": "dropped",
    "comes? to rest": "converge",
    "stands? still": "constant, frozen",
    "holds? on to": "retain",
    "on (its|their) way": "in flight",
    "turn taker": "scheduler",
    "spare room": "free space",
    "is no number|are no numbers": "NaN",
    "believes?|believed": "estimate",
}
PRIVATE = {re.compile(rf"(?<![\w-])({word})(?![\w-])", re.IGNORECASE): instead for word, instead in WORDS.items()}
PARTS = {w for word in WORDS for w in re.findall(r"^[a-z]+$", re.sub(r"\[.*?\]|\?", "", word.split("|")[0]))} | {"judged", "sitting"}
# terms of the field that hold such a word; keys and words of files, which are data
FIELD = re.compile(r"phase retrieval|search engine|iterative engine|\b(engines|judge|judge_by)\\?[\"']? *[=:,]|[\"“]sitting|\bsitting[.:]\w+|sitting\.txt", re.IGNORECASE)
CIRCLING = re.compile(r"(Of|What|Whether|Where|By)\b")
TOKEN = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:\\.|[^"\\\n])*"|[A-Za-z_]\w*', re.DOTALL)
CODE = (".c", ".h", ".cu", ".cuh", ".inc", ".def")


def private_words(text):
    text = FIELD.sub("", text)
    return [match.group(0) for pattern in PRIVATE for match in pattern.finditer(text)]


def is_private_name(name):
    parts = re.sub(r"(?<=[a-z0-9])(?=[A-Z])", "_", name).lower().split("_")
    return any(part in PARTS for part in parts)


def search_code(text):
    """Returns: (words, comments), each a list of (offset, text)"""
    words, comments = [], []
    names = set()
    for match in TOKEN.finditer(text):
        token = match.group(0)
        if token.startswith(("/*", "//")):
            body = " ".join(token.strip("/* \n").replace("\n *", " ").split())
            words += [(match.start(), word) for word in private_words(body)]
            if CIRCLING.match(body):
                comments.append((match.start(), body))
        elif token.startswith('"'):
            if " " in token:
                words += [(match.start(), word) for word in private_words(token)]
        elif token not in names and is_private_name(token):
            names.add(token)
            words.append((match.start(), token))
    return words, comments


def self_test():
    words, comments = search_code('/* What is told to nobody */ int n_told; /* phase retrieval */ f("engine"); g("an engine here");')
    assert [word for _, word in words] == ["told", "nobody", "n_told", "engine"], words
    assert [text for _, text in comments] == ["What is told to nobody"], comments


def sentences(text):
    text = re.sub(r"```.*?```|^\|.*?$|^    .*?$|^#.*?$|<!--.*?-->", "", text, flags=re.DOTALL | re.MULTILINE)
    return [s for s in re.split(r"(?<=[.:!?])\s+|\n\n|\n- ", text) if len(re.findall(r"[\w'’-]+", s)) > 25]


def main(root, options):
    self_test()
    files = [f for f in subprocess.run(["git", "ls-files"], cwd=root, capture_output=True, text=True, check=True).stdout.splitlines()]
    words, comments = [], []
    for name in files:
        path = pathlib.Path(root, name)
        if name.startswith(("po/", "tests/lint/", "data/colour-maps/")) or not path.is_file():
            continue
        if name.split("/")[0] in ("src", "cuda", "tests", "bench", "docs") and path.suffix in CODE:
            text = path.read_text(errors="replace")
            found, circling = search_code(text)
            words += [(name, text.count("\n", 0, at) + 1, word) for at, word in found]
            comments += [(name, text.count("\n", 0, at) + 1, body) for at, body in circling]
        elif path.suffix in (".md", ".ui") and not re.search(r"help\.\w+\.md|NEWS\.md", name):
            text = path.read_text()
            for number, line in enumerate(text.splitlines(), 1):
                words += [(name, number, word) for word in private_words(re.sub(r"`[^`]*`|\]\([^)]*\)", "", line))]
    glossary = pathlib.Path(root, "src/README.md").read_text().partition("## Glossary")[2].partition("\n## ")[0]
    entries = [line for line in glossary.splitlines() if line.startswith("| ") and not re.match(r"\| *(word|-)", line)]
    counts = dict(zip(ALLOWED, (len(words), len(comments), len(entries))))
    if "--list" in options:
        for place in words + comments:
            print("{}:{}: {}".format(*place))
    if "--sentences" in options:
        for name in files:
            if name.endswith(".md"):
                for sentence in sentences(pathlib.Path(root, name).read_text()):
                    print(f"{name}: {' '.join(sentence.split())}")
    for what, count in counts.items():
        print(f"{what}: {count}, at most {ALLOWED[what]}")
    return 1 if any(count > ALLOWED[what] for what, count in counts.items()) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2:]))
