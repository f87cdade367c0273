#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Prints structural figures of src as a table: measure-structure.py ROOT BUILD [--check] [--list FIGURE].

--check fails where a held figure is above its allowance in HELD; an allowance only goes down. --list prints the items behind one figure.
References come from `nm` over the object files in BUILD, mapped to sources by its compile_commands.json; generated files are left out.
Not measured here: the number of code locations that define threads, metadata or CSV rows (found by reading), and the CPU time of a build.

Definitions
  files               .c and .h in src; a folder's files are those directly in it
  file serves one     a .c file whose public functions are used by exactly one other .c file. References to data (tables, descriptors)
                      do not count, nor do the functions left out under `used by one`
  connected group     strongly connected component of at least two .c files, by references to functions or data; without src/app
  members             declarations in the struct; `int a, b;` is one
  function            a definition in a .c or .inc file as clang-format writes it: the name starts a line, the braces stand alone.
                      Its length is counted from the line of its name to its closing brace
  public function     a function that is not static
  used by one         share of the public functions in the symbol tables that exactly one other .c file uses. Left out: get_type, and
                      functions that exist once for each vector level or element type (_v3, _f32)
  tokens              preprocessing tokens of C11 in .c, .h and .inc, without comments
  ceremony            signatures, lines with a brace alone, and blank lines inside functions of .c, .h and .inc
"""
import argparse
import collections
import json
import pathlib
import re
import subprocess
import sys

# Upper limits. They only go down: lower them in the commit that lowers the figure.
HELD = {
    "largest folder outside app": 48,
    "connected groups of files outside app": 6,
    "connected groups across folders": 0,
    "files outside app that serve exactly one other": 87,
    "members of LacRun": 25,
    "members of LacWindow": 22,
}
STRUCTS = {"LacRun": "src/run/core/run-private.h", "LacWindow": "src/app/shell/window-private.h"}
SHORT_HEADER = 40
PER_VARIANT = re.compile(r"_(baseline|v3|v4)(_|$)|_(f32|f64)$")
NAME = re.compile(r"^([A-Za-z_]\w*)\(")
BEFORE_SIGNATURE = re.compile(r"[}#/ *]|.*;$|.*\*/$")
LITERAL = r'"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\''
COMMENT = re.compile(rf"/\*.*?\*/|//[^\n]*|{LITERAL}", re.S)
TOKEN = re.compile(
    rf"{LITERAL}|[A-Za-z_]\w*|\.?\d(?:[eEpP][+-]|[\w.])*|\.\.\.|<<=|>>=|->|\+\+|--|<<|>>|<=|>=|==|!=|&&|\|\||##|[-+*/%&|^]=|\S"
)


def without_comments(text):
    return COMMENT.sub(lambda match: " " if match.group().startswith("/") else match.group(), text)


# ---- the text ----


class Function(collections.namedtuple("Function", "name path first sig opening closing is_static blanks braces")):
    @property
    def length(self):
        return self.closing - self.sig + 1


def functions(path, lines):
    name = opening = None
    for number, line in enumerate(lines):
        match = NAME.match(line)
        if match and opening is None:
            name, sig = match.group(1), number
        elif line == "{" and name and opening is None:
            opening = number
        elif line == "}" and opening is not None:
            first = sig
            while first > 0 and lines[first - 1].strip() and not BEFORE_SIGNATURE.match(lines[first - 1]):
                first -= 1
            body = lines[opening + 1 : number]
            is_static = any(re.match(r"static\b", text) for text in lines[first : sig + 1])
            blanks = sum(not text.strip() for text in body)
            braces = sum(text.strip() in ("{", "}") for text in body)
            yield Function(name, path, first, sig, opening, number, is_static, blanks, braces)
            name = opening = None
        elif line and not line[0].isspace() and line[0] not in "{}#" and opening is None:
            name = None


def measure_text(root, figures, lists):
    source = root / "src"
    paths = {ending: sorted(source.rglob(f"*.{ending}")) for ending in ("c", "h", "inc")}
    folders = collections.Counter(str(path.parent.relative_to(root)) for path in paths["c"] + paths["h"])
    outside = {folder: n for folder, n in folders.items() if folder != "src/app" and not folder.startswith("src/app/")}
    figures["largest folder outside app"] = max(outside.values())
    lists["largest folder outside app"] = [f"{n:4} {folder}" for folder, n in folders.most_common()]

    lines = {path: path.read_text().splitlines() for ending in paths for path in paths[ending]}
    defined = {ending: [one for path in paths[ending] for one in functions(path, lines[path])] for ending in paths}
    own = defined["c"] + defined["inc"]
    short = [path for path in paths["h"] if len(lines[path]) < SHORT_HEADER]
    n_lines = sum(map(len, lines.values()))
    everywhere = own + defined["h"]
    ceremony = sum(one.opening - one.first + 2 + one.blanks + one.braces for one in everywhere)
    longest = max(own, key=lambda one: one.length)

    figures["files in src (.c .h)"] = len(paths["c"]) + len(paths["h"])
    figures["files in src (.c .h .inc .def .in)"] = sum(path.suffix in (".c", ".h", ".inc", ".def", ".in") for path in source.rglob("*"))
    figures["headers in src"] = len(paths["h"])
    figures["headers under 40 lines"] = len(short)
    figures["functions"] = len(own)
    figures["functions in headers"] = len(defined["h"])
    figures["public functions"] = sum(not one.is_static for one in own)
    figures["mean length of a function"] = f"{sum(one.length for one in own) / len(own):.2f}"
    figures["longest function"] = f"{longest.length} ({longest.name})"
    figures["tokens of C"] = sum(len(TOKEN.findall(without_comments(path.read_text()).replace("\\\n", " "))) for path in lines)
    figures["lines of .c .h .inc"] = n_lines
    figures["ceremony, % of the lines"] = f"{100 * ceremony / n_lines:.1f}"
    lists["headers under 40 lines"] = [f"{len(lines[path]):3} {path.relative_to(root)}" for path in short]


def measure_structs(root, figures):
    for name, path in STRUCTS.items():
        where = root / path
        match = where.exists() and re.search(rf"^struct _{name} \{{$(.*?)^\}};$", where.read_text(), re.S | re.M)
        if not match:
            sys.exit(f"struct _{name} is not in {path}: correct STRUCTS")
        figures[f"members of {name}"] = without_comments(match.group(1)).count(";")


# ---- the references ----


class References:
    """defined[symbol]: files of src that define it; users[symbol]: other files that refer to it."""

    def __init__(self, root, build):
        self.root = root
        self.defined, self.users = collections.defaultdict(set), collections.defaultdict(set)
        self.is_function = {}
        wanted = collections.defaultdict(set)
        sources = {str(build / output): source for output, source in self.objects(build)}
        if sources:
            listing = subprocess.run(["nm", "-A", *sources], capture_output=True, text=True, check=True).stdout
            for line in listing.splitlines():
                output, rest = line.split(":", 1)
                *_, kind, symbol = rest.split()
                source = sources[output]
                if kind == "U":
                    wanted[source].add(symbol)
                elif kind in "TDBRCVWu":
                    self.defined[symbol].add(source)
                    self.is_function[symbol] = kind == "T"
        for source, symbols in wanted.items():
            for symbol in symbols & self.defined.keys():
                if source not in self.defined[symbol]:
                    self.users[symbol].add(source)

    def objects(self, build):
        """Yields object and source. The build folder may still hold objects of deleted sources, so compile_commands.json decides."""
        for command in json.loads((build / "compile_commands.json").read_text()):
            output = command.get("output", "")
            source = (pathlib.Path(command["directory"]) / command["file"]).resolve()
            if not output.startswith(("src/", "lacuna.p/")) or not output.endswith(".o") or not source.is_relative_to(self.root / "src"):
                continue
            if not (build / output).exists():
                sys.exit(f"{build / output} is missing: build first")
            yield output, str(source.relative_to(self.root))

    def functions(self):
        return [
            symbol for symbol, yes in self.is_function.items()
            if yes and not symbol.endswith("_get_type") and not PER_VARIANT.search(symbol)
        ]

    def edges(self, symbols):
        """Returns file -> the files whose @symbols it refers to."""
        found = collections.defaultdict(set)
        for symbol in symbols:
            for user in self.users.get(symbol, ()):
                found[user] |= self.defined[symbol]
        return found


def connected(nodes, edges):
    """Returns the strongly connected components of at least two nodes (Tarjan 1972), smallest first."""
    index, low, stack, open_nodes, groups = {}, {}, [], set(), []

    def visit(node):
        index[node] = low[node] = len(index)
        stack.append(node)
        open_nodes.add(node)
        for other in sorted(edges.get(node, set()) & nodes):
            if other not in index:
                visit(other)
                low[node] = min(low[node], low[other])
            elif other in open_nodes:
                low[node] = min(low[node], index[other])
        if low[node] == index[node]:
            group = [stack.pop()]
            while group[-1] != node:
                group.append(stack.pop())
            open_nodes.difference_update(group)
            if len(group) > 1:
                groups.append(sorted(group))

    sys.setrecursionlimit(10 * len(nodes) + 1000)
    for node in sorted(nodes):
        if node not in index:
            visit(node)
    return sorted(groups, key=lambda group: (len(group), group))


def measure_references(root, build, figures, lists):
    references = References(root, build)
    if not references.defined:
        sys.exit(f"no object file of src in {build}: build first")
    files = set().union(*references.defined.values())
    outside = {file for file in files if not file.startswith("src/app/")}
    groups = connected(outside, references.edges(references.defined))
    across = [group for group in groups if len({pathlib.Path(file).parent for file in group}) > 1]

    names = references.functions()
    served = collections.defaultdict(set)
    for user, others in references.edges(names).items():
        for other in others:
            served[other].add(user)
    of_one = {file: next(iter(users)) for file, users in served.items() if len(users) == 1}
    used_by_one = [symbol for symbol in names if len(references.users[symbol]) == 1]
    unused = [symbol for symbol in names if not references.users[symbol]]

    figures["connected groups of files outside app"] = len(groups)
    figures["connected groups across folders"] = len(across)
    figures["files in connected groups"] = sum(map(len, groups))
    figures["files that serve exactly one other"] = len(of_one)
    # in app a widget is a file, and most widgets belong to one page
    figures["files outside app that serve exactly one other"] = sum(not file.startswith("src/app/") for file in of_one)
    figures["public functions in symbol tables"] = len(names)
    figures["public functions used by one other file, %"] = f"{100 * len(used_by_one) / len(names):.1f}"
    figures["public functions used by no other file"] = len(unused)
    lists["connected groups of files outside app"] = [f"{len(group):3} {' '.join(group)}" for group in groups]
    lists["connected groups across folders"] = [f"{len(group):3} {' '.join(group)}" for group in across]
    lists["files that serve exactly one other"] = [f"{file} serves {user}" for file, user in sorted(of_one.items())]
    for figure, symbols in (("public functions used by one other file, %", used_by_one), ("public functions used by no other file", unused)):
        lists[figure] = [f"{symbol} {' '.join(sorted(references.defined[symbol] | references.users[symbol]))}" for symbol in sorted(symbols)]


def check_held(figures):
    """Yields a message for each figure above its limit; prints one for each below it."""
    for figure, allowance in HELD.items():
        if figures[figure] > allowance:
            yield f"{figure}: {figures[figure]}, at most {allowance}"
        elif figures[figure] < allowance:
            print(f"{figure}: {figures[figure]}; lower its allowance in HELD from {allowance}")


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("root", type=pathlib.Path)
    parser.add_argument("build", type=pathlib.Path)
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--list", metavar="FIGURE")
    arguments = parser.parse_args()
    figures, lists = {}, {}
    root = arguments.root.resolve()
    measure_text(root, figures, lists)
    measure_structs(root, figures)
    measure_references(root, arguments.build.resolve(), figures, lists)
    if arguments.list:
        if arguments.list not in lists:
            parser.error(f"--list {arguments.list}: choose one of {'; '.join(lists)}")
        print("\n".join(lists[arguments.list]))
        return 0
    for figure, value in figures.items():
        print(f"{figure:44} {value!s:>8}" + (f"   at most {HELD[figure]}" if figure in HELD else ""))
    faults = list(check_held(figures)) if arguments.check else []
    print("\n".join(faults))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
