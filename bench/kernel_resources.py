#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compiler statistics of every CUDA kernel, saved by the build of the module (build/cuda/*.ptxas), and the resulting occupancy.

kernel_resources.py BUILD [-o FILE]: the table, for the capabilities the module was built for. cuda/kernels.txt holds the threads per block and
the allowed spill bytes of each kernel."""
import argparse
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
SHOWN = (86, 89, 90)
REGISTERS, WARP, GRAIN = 65536, 32, 256  # per multiprocessor; threads per warp; allocation unit of registers per warp
# CUDA C++ Programming Guide, "Technical Specifications per Compute Capability": warps, blocks, bytes of shared memory per multiprocessor.
# From 8.0 on the system reserves 1 KB of shared memory per block.
PROCESSORS = {75: (32, 16, 65536), 80: (64, 32, 167936), 86: (48, 16, 102400), 89: (48, 24, 102400), 90: (64, 32, 233472), 120: (48, 24, 102400)}

KERNEL = re.compile(r"Compiling entry function '(\S+)' for 'sm_(\d+)\w*'")
FUNCTION = re.compile(r"Function properties for (\S+)")
FRAME = re.compile(r"(\d+) bytes stack frame, (\d+) bytes spill stores, (\d+) bytes spill loads")
USED = re.compile(r"Used (\d+) registers")
SHARED = re.compile(r"(\d+)(?:\+\d+)? bytes smem")


def parse(text):
    """Parses ptxas -v: rows of function, capability, registers (0: a function called by kernels), stack, spilled (stored and loaded), shared."""
    rows, entry, capability, row = [], None, 0, None
    for line in text.splitlines():
        if found := KERNEL.search(line):
            entry, capability = found[1], int(found[2])
        elif found := FUNCTION.search(line):
            row = {"function": found[1], "capability": capability, "registers": 0, "stack": 0, "spilled": 0, "shared": 0}
            rows.append(row)
        elif found := FRAME.search(line):
            row["stack"], row["spilled"] = int(found[1]), int(found[2]) + int(found[3])
        elif found := USED.search(line):
            mine = next(one for one in reversed(rows) if one["function"] == entry)
            mine["registers"], shared = int(found[1]), SHARED.search(line)
            mine["shared"] = int(shared[1]) if shared else 0
    return rows


def plain_name(demangled):
    """Shortens void layer_kernel<float, 3, 128>(LayerArgs<float>) to layer_kernel<float,3,128>."""
    name, depth = re.sub(r"^void ", "", demangled).replace("(anonymous namespace)::", ""), 0
    for at, letter in enumerate(name):
        depth += (letter == "<") - (letter == ">")
        if letter == "(" and depth == 0:
            name = name[:at]
            break
    return re.sub(r"^(\w+::)+|&_INTERNAL_\w+::|\(\w+\)(?=\d)|\s", "", name)


def read_figures(build):
    """Returns: rows of all sources with the name in `kernel`; empty where no module was built."""
    rows = []
    for path in sorted(pathlib.Path(build, "cuda").glob("*.ptxas")):
        rows += [dict(row, source=path.stem) for row in parse(path.read_text(encoding="utf-8"))]
    if rows:
        names = subprocess.run(["c++filt"], input="\n".join(row["function"] for row in rows), stdout=subprocess.PIPE, text=True, check=True).stdout
        for row, name in zip(rows, names.splitlines()):
            row["kernel"] = plain_name(name)
    return [row for row in rows if not row["function"].startswith("__")]


def read_limits(path=ROOT / "cuda" / "kernels.txt"):
    """Returns: (source, kernel) -> threads, allowed spill bytes. A kernel without its <...> covers all instances without their own line."""
    lines = (line.split("#")[0].split() for line in pathlib.Path(path).read_text(encoding="utf-8").splitlines())
    return {(line[0], line[1]): (int(line[2]), int(line[3])) for line in lines if line}


def limits_of(limits, row):
    """Returns: the key of the line that applies to a row, or None."""
    keys = [(row["source"], row["kernel"]), (row["source"], row["kernel"].split("<")[0])]
    return next((key for key in keys if key in limits), None)


def occupancy(capability, threads, registers, shared):
    """Returns: blocks per multiprocessor, and occupancy: their share of its warps."""
    most_warps, most_blocks, memory = PROCESSORS[capability]
    warps = -(-threads // WARP)
    of_a_warp = -(-max(registers, 1) * WARP // GRAIN) * GRAIN
    of_a_block = -(-(shared + (1024 if capability >= 80 else 0)) // 128) * 128
    blocks = min(most_blocks, most_warps // warps, REGISTERS // of_a_warp // 4 * 4 // warps, memory // of_a_block if of_a_block else most_blocks)
    return blocks, blocks * warps / most_warps


def joined(values):
    return str(values[0]) if len(set(values)) == 1 else " / ".join(map(str, values))


def table(rows, limits, capabilities):
    """Yields one line per kernel, or function of kernels that spills, with its statistics for all capabilities; a single number where they agree."""
    heads = ["source", "kernel", "threads", "registers", "stack", "spilled", "shared", "blocks", "occupancy, %"]
    yield "| " + " | ".join(heads) + " |"
    yield "|---|---|" + "---:|" * (len(heads) - 2)
    found = {}
    for row in rows:
        mine = found.setdefault((row["source"], row["kernel"]), {})
        if row["capability"] not in mine or row["spilled"] > mine[row["capability"]]["spilled"]:
            mine[row["capability"]] = row
    for (source, kernel), figures in sorted(found.items()):
        mine = [figures[one] for one in capabilities if one in figures]
        cells = [joined([one[key] for one in mine]) for key in ("registers", "stack", "spilled", "shared")]
        if any(one["registers"] for one in mine):
            threads = limits[limits_of(limits, mine[0])][0]
            full = [occupancy(one["capability"], threads, one["registers"], one["shared"]) for one in mine]
            cells = [str(threads), *cells, joined([blocks for blocks, _ in full]), joined([round(100 * share) for _, share in full])]
        elif any(one["spilled"] for one in mine):
            cells = ["", "", *cells[1:], "", ""]
        else:
            continue
        yield f"| {source} | `{kernel}` | " + " | ".join(cells) + " |"


def version(build):
    facts = pathlib.Path(build, "meson-logs", "meson-log.txt").read_text(encoding="utf-8", errors="replace")
    return re.findall(r"CUDA module\s*: CUDA (\S+)", facts)[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="a build folder")
    parser.add_argument("-o", help="a file in place of the terminal")
    options = parser.parse_args()
    rows = read_figures(options.build)
    capabilities = [one for one in SHOWN if any(row["capability"] == one for row in rows)]
    if not capabilities:
        sys.exit(f"{options.build} holds no CUDA module for any of {', '.join(map(str, SHOWN))}: build it with -Ddevice_capabilities=all")
    lines = [
        "# What each kernel takes",
        "",
        f"By `bench/kernel_resources.py build`, from what ptxas of CUDA {version(options.build)} says for {' / '.join(map(str, capabilities))}; one number where they agree.",
        "Registers and stack (bytes) of a thread; bytes that it spills, stored and loaded; shared memory (bytes) of a block, without what is asked for at the",
        "launch, which for the walkers of `electron*` depends on the molecule. Blocks of a multiprocessor, and the share of its warps that they are, as far as",
        "these allow.",
        "",
        *table(rows, read_limits(), capabilities),
        "",
    ]
    if options.o:
        pathlib.Path(options.o).write_text("\n".join(lines), encoding="utf-8")
    else:
        print("\n".join(lines), end="")


if __name__ == "__main__":
    main()
