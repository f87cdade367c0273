#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Generates the manual page and the bash completion from the output of the program's --help and list.

Usage: describe-program.py manual|completion PROGRAM > FILE
"""
import json
import re
import subprocess
import sys

VERB = re.compile(r"^  lacuna (\S+) (.*?)(?:\s{2,}(.*))?$")
OPTION = re.compile(r"^  (?:-(\w), )?--([\w-]+)(?:=(\S+))?\s*(.*)$")


def ask(program, *words):
    return subprocess.run([program, *words], env={"LC_ALL": "C.UTF-8", "ASAN_OPTIONS": "detect_leaks=0"}, check=True, capture_output=True, text=True).stdout


def verbs_of(program):
    """[name, form, summary, [(letter, word, value, help)]] of every verb."""
    found = []
    for line in ask(program, "--help").splitlines():
        match = VERB.match(line)
        if not match or match[1].startswith("VERB"):
            continue
        said = ask(program, match[1], "--help")
        options = [m.groups() for m in map(OPTION.match, said.splitlines()) if m and m[2] != "help"]
        usage, summary = re.match(r"Usage:\n  ([^\n]*)\n\n([^\n]*)\n", said).groups()
        found.append((match[1], re.sub(r"\[OPTION ?…\]", "[OPTION...]", usage), summary, options))
    return found


def escape(text):
    return text.replace("\\", r"\e").replace("-", r"\-").replace("'", r"\(aq").replace("…", "...")


def manual(program):
    version = ask(program, "--version").split()[1]
    out = [
        '.\\" SPDX-License-Identifier: GPL-3.0-or-later',
        '.\\" Generated from the output of --help.',
        f'.TH LACUNA 1 "" "Lacuna {version}" "User Commands"',
        ".SH NAME", "lacuna \\- reconstruct what the sensors did not see",
        ".SH SYNOPSIS", ".B lacuna", ".RI [ FILE ]", ".br", ".B lacuna", ".I VERB", ".RI [ OPTION... ]",
        ".SH DESCRIPTION",
        "Without a verb, the window opens; FILE may be a run, a plan, a trace or a data file. With a verb, the command runs in the terminal.",
        ".SH VERBS",
    ]
    for name, usage, summary, options in verbs_of(program):
        out += [f".SS {escape(usage)}", escape(summary)]
        for letter, word, value, help_text in options:
            forms = ([f"\\-{letter}"] if letter else []) + [f"\\-\\-{escape(word)}" + (f"={escape(value)}" if value else "")]
            out += [".TP", ".B " + ", ".join(forms), escape(help_text)]
    out += [
        ".SH EXPERIMENTS",
        "Arguments of",
        ".BR \"lacuna run\" ; the parameters are listed by",
        ".BR \"lacuna list\" .",
    ]
    for experiment in json.loads(ask(program, "list", "--json")):
        out += [".TP", f".B {escape(experiment['name'])}", escape(experiment["title"] + ": " + experiment["summary"])]
    out += [
        ".SH EXIT STATUS", "0 finished, 1 failed, 2 invalid usage or input, 3 diverged, 130 interrupted after a checkpoint.",
        "SIGTERM stops",
        ".B lacuna run",
        "after a checkpoint, with status 0. A second SIGINT or SIGTERM, or a step that takes ten more seconds, ends it at once with status",
        "130 or 143; the last checkpoint remains.",
        ".SH FILES", ".TP", ".I ~/.local/share/lacuna/runs", "Default folder of the runs.",
    ]
    return "\n".join(out) + "\n"


def completion(program):
    verbs = verbs_of(program)
    experiments = json.loads(ask(program, "list", "--json"))
    out = [
        "# SPDX-License-Identifier: GPL-3.0-or-later",
        "# Completion of lacuna for bash, generated from the program's --help.",
        "_lacuna() {",
        "  local cur prev words cword",
        "  _init_completion -n = 2>/dev/null || { cur=${COMP_WORDS[COMP_CWORD]}; prev=${COMP_WORDS[COMP_CWORD-1]}; words=(\"${COMP_WORDS[@]}\"); cword=$COMP_CWORD; }",
        "  if [ \"$cword\" = 1 ]; then",
        "    COMPREPLY=($(compgen -W \"" + " ".join(v[0] for v in verbs) + " --help --version\" -- \"$cur\") $(compgen -f -- \"$cur\"))",
        "    return",
        "  fi",
        "  case \"${words[1]} $prev\" in",
    ]
    cases = {f"run --{word}": value for name, _, _, options in verbs if name == "run" for _, word, value, _ in options if value == "DIR"}
    for case in cases:
        out.append(f"  '{case}') COMPREPLY=($(compgen -d -- \"$cur\")); return ;;")
    out += ["  'run -s' | 'run --set' | 'run --sweep')", "    case ${words[2]} in"]
    for experiment in experiments:
        keys = " ".join(row["key"] + "=" for row in experiment["parameters"])
        out.append(f"    {experiment['name']}) COMPREPLY=($(compgen -W \"{keys}\" -- \"$cur\")) ;;")
    out += ["    esac", "    compopt -o nospace 2>/dev/null", "    return", "    ;;", "  esac", "  case ${words[1]} in"]
    for name, _, _, options in verbs:
        words = " ".join(f"--{word}" for _, word, _, _ in options) + " --help"
        more = " " + " ".join(e["name"] for e in experiments) if name == "run" else ""
        out.append(f"  {name}) COMPREPLY=($(compgen -W \"{words}{more}\" -- \"$cur\") $(compgen -f -- \"$cur\")) ;;")
    out += ["  esac", "}", "complete -o filenames -F _lacuna lacuna"]
    return "\n".join(out) + "\n"


if __name__ == "__main__":
    sys.stdout.write({"manual": manual, "completion": completion}[sys.argv[1]](sys.argv[2]))
