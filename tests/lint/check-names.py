#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Checks that no name that is data disappears: check-names.py ROOT LACUNA [--write].

Old run folders, gates, plans and users' scripts match on verbs, options, parameter keys, presets, checkpoint keys, names in HDF5 files,
columns, JSON keys, event words and names of operations. frozen-names.txt lists them; the lint fails when one is gone. --write adds new names
and removes none. The names are read from the program's own output and from the files of the short runs in RUNS; event words that no short
run produces are looked up as string literals in src.
"""
import collections
import json
import os
import pathlib
import re
import shutil
import struct
import subprocess
import sys
import tempfile

LIST = "tests/lint/frozen-names.txt"
HEAD = """# Names that are data: written to files, or typed by people. None may disappear. check-names.py --write adds new ones.
"""
SMALL_NETWORK = "depth=2 width=6 points=64 condition_points=16 pool=2 adam_steps=8 quasi_steps=8 refresh=4 judge=4"
WALKERS = "width=8 pair_width=2 layers=1 determinants=1 walkers=16 moves=2 burn_in=2 pretraining=4 iterations=10 evaluation=40 evaluation_moves=2 picture=16 volume=8"
CHART = """size=16 grid=16 diameter=8 roi=10 apertures=5 pie_sweeps=6 rpie_sweeps=6 raar_iterations=6 dm_iterations=6 ml_iterations=6
    decoder_steps=6 decoder_finish=2 decoder_start_steps=4"""
TURBULENCE = f"grid=16 spin_up=2 snapshots=20 observations=8 sensors=6 members=8 iterations=3 window=6 {SMALL_NETWORK} surrogate_steps=8 surrogate_width=8"
# Short runs that exercise every method. The backend `strict` moves data as a device does.
RUNS = (
    ("kolmogorov", "cpu", f"engines=enkf,pod,solver,pinn,surrogate viscosity_unknown=yes {TURBULENCE}"),
    ("kolmogorov", "strict", f"engines=enkf,pod,solver,pinn,surrogate {TURBULENCE}"),
    ("burgers", "cpu", f"{SMALL_NETWORK} identify=yes sensors=6 ensemble=2 held_out=20 first=soap point_weights=sa term_weights=gradient rule=fixed"),
    ("burgers", "cpu", f"{SMALL_NETWORK} architecture=piratenet fourier=random quasi=lbfgs point_weights=rba term_weights=ntk causal=1 windows=2"),
    ("burgers", "cpu", f"{SMALL_NETWORK} architecture=modified-mlp fourier=axes anneal=yes rwf=yes quasi=bfgs transform=root rule=rar"),
    ("smoke", "cpu", "grid=16 observations=12 family=3"),
    ("cylinder", "cpu", "reynolds=50 diameter=8 spin_up=4"),
    ("cavity", "cpu", f"grid=16 {SMALL_NETWORK}"),
    ("conductivity", "cpu", "grid=16 members=8 iterations=3"),
    ("obstacles", "cpu", f"cells=4 viscosity=10 {SMALL_NETWORK}"),
    ("usaf", "cpu", f"solver=pie,rpie,raar,dm,ml,cg,decoder snr=0 {CHART}"),
    ("usaf", "cpu", f"solver=pie,rpie,ml,decoder aberrations=3 position_error=1 calibrate_from=2 snr=40 bad_pixels=1 decoder_data=all decoder_start=circle {CHART}"),
    ("usaf", "strict", f"solver=pie,decoder {CHART}"),
    ("usaf", "strict", f"solver=decoder decoder_loss=ssim {CHART}"),
    ("usaf", "strict", f"solver=decoder decoder_data=self decoder_start=circle {CHART}"),
    ("usaf", "cpu", f"solver=decoder decoder_data=self {CHART}"),
    ("h2", "cpu", WALKERS),
    ("lih", "cpu", f"optimizer=kfac {WALKERS}"),
    ("he", "cpu", f"optimizer=adam proposal=langevin {WALKERS}"),
    ("h", "strict", WALKERS),
)
HOW = "--profile full --precision auto --disk-budget 1MB --threads 1 --out runs --no-cache --json --quiet".split()
EVENTS = ("set", "pause", "resume", "step", "checkpoint", "stop", "resumed", "diverged", "recording", "records kept", "room", "device", "fallback")
SEGMENT_HEAD = struct.Struct("<IIQII")
CHECKPOINT_HEAD, TENSOR_HEAD = struct.Struct("<IIqdQQQq"), struct.Struct("<QQII")  # LacCheckpointEntry, LacTensorEntry
# HDF5 groups with one member for each channel, metric or setting: those names have lists of their own.
MEMBERS = re.compile(r"^/(frames|settings|metrics)/(?!step$|seconds$)[^/]+")
OPEN_OBJECTS = ("metrics", "trust")  # in JSON: their keys are metrics


class Program:
    def __init__(self, path, folder):
        self.path, self.folder = os.path.abspath(path), folder
        self.env = {key: value for key, value in os.environ.items() if key not in ("DISPLAY", "WAYLAND_DISPLAY")}
        self.env.update(LC_ALL="C.UTF-8", XDG_DATA_HOME=str(folder / "data"), XDG_CACHE_HOME=str(folder / "cache"))

    def __call__(self, *words):
        done = subprocess.run([self.path, *map(str, words)], capture_output=True, text=True, cwd=self.folder, env=self.env)
        if done.returncode:
            sys.exit(f"lacuna {' '.join(map(str, words))}: exit status {done.returncode}\n{done.stdout}{done.stderr}")
        return done.stdout


# ---- output of the program ----


def keys_of_json(value, prefix=""):
    if isinstance(value, dict):
        for key, inner in value.items():
            yield f"{prefix}{key}"
            if key not in OPEN_OBJECTS or not isinstance(inner, dict):
                yield from keys_of_json(inner, f"{prefix}{key}.")
    elif isinstance(value, list):
        for inner in value:
            yield from keys_of_json(inner, prefix)


def flat(metrics, prefix=""):
    for key, value in metrics.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{key}.")
        else:
            yield prefix + key


def gather_printed(lacuna, names):
    verbs = sorted(set(re.findall(r"^  lacuna ([a-z-]+)", lacuna("--help"), re.M)))
    names["verbs"] = set(verbs)
    for verb in verbs:
        options = re.findall(r"^  (?:-\w, )?(--[a-z][a-z0-9-]*)", lacuna(verb, "--help"), re.M)
        names["options"] |= {f"{verb} {option}" for option in options if option != "--help"}
    listed = json.loads(lacuna("list", "--json"))
    names["keys of list --json"] = set(keys_of_json(listed))
    for experiment in listed:
        names["experiments"].add(experiment["name"])
        names["metrics"] |= set(experiment["metrics"])
        names["channels"] |= set(experiment["channels"])
        for row in experiment["parameters"]:
            names["parameters"].add(f"{row['key']} of {experiment['name']}")
            if row["kind"] in ("choice", "list"):
                names["values"] |= {f"{row['key']}={value}" for value in row["allowed"].split(", ")}
    shipped = json.loads(lacuna("presets", "--json"))
    names["keys of presets --json"] = set(keys_of_json(shipped))
    names["presets"] = {f"{row['experiment']}: {row['name']}" for row in shipped}


def gather_plan(lacuna, names):
    words = "--sweep sensors=4,5 --seeds 2 --seed 3 --backend cpu --precision f32 --threads 1 --time-limit 5 --out x --profile full --disk-budget 2MB"
    lacuna("run", "kolmogorov", "--set", "grid=16", *words.split(), "--write", "plan.yaml")
    plan = (lacuna.folder / "plan.yaml").read_text()
    names["keys of a plan"] = set(re.findall(r"^([a-z_-]+):", plan, re.M))


# ---- files of its runs ----


def names_in_hdf5(path):
    walk = subprocess.run(["h5ls", "-r", "-v", path], capture_output=True, text=True)
    if walk.returncode:
        sys.exit(f"h5ls {path}: {walk.stderr or walk.stdout}")
    where = ""
    for line in walk.stdout.splitlines():
        if re.match(r"/.*(Group|Dataset)", line):
            where = re.match(r"((?:[^\s\\]|\\.)+)", line).group().replace("\\ ", " ")
            where = MEMBERS.sub(r"/\1/*", where)
            yield where
        elif attribute := re.match(r"    Attribute: (.*?) (?:scalar|\{)", line):
            yield f"{where} @{attribute.group(1)}".replace("\\ ", " ")
        elif member := re.match(r'\s+"(\w+)"\s+\+\d', line):
            yield f"{where} .{member.group(1)}"


def segments(path):
    content = path.read_bytes()
    at = 0
    while at < len(content):
        _, kind, length, _, _ = SEGMENT_HEAD.unpack_from(content, at)
        at += SEGMENT_HEAD.size
        yield kind, content[at : at + length]
        at += (length + 7) // 8 * 8


def keys_of_checkpoint(path):
    (_, payload), = segments(path)
    n_tensors = CHECKPOINT_HEAD.unpack_from(payload)[1]
    heads = [TENSOR_HEAD.unpack_from(payload, CHECKPOINT_HEAD.size + i * TENSOR_HEAD.size) for i in range(n_tensors)]
    at = CHECKPOINT_HEAD.size + n_tensors * TENSOR_HEAD.size
    for n_rows, n_columns, element_size, name_bytes in heads:
        yield payload[at : at + name_bytes - 1].decode()
        for n_bytes in (name_bytes, n_rows * n_columns * element_size):
            at += (n_bytes + 7) // 8 * 8


def without_numbers(name):
    """Replaces sizes and indices, which depend on the settings: `layer tanh 10x6` becomes `layer tanh #x#`."""
    return re.sub(r"\d+", "#", name)


def gather_folder(lacuna, folder, names):
    names["files of a run folder"] |= {file.name for file in folder.iterdir()}
    names["run.h5"] |= set(names_in_hdf5(folder / "run.h5"))
    names["checkpoint"] |= set(map(without_numbers, keys_of_checkpoint(folder / "checkpoint")))
    header = json.loads(next(segments(folder / "journal"))[1].rstrip(b"\0"))
    names["header of the journal"] |= set(keys_of_json(header))
    names["metrics"] |= {row["key"] for row in header["metrics"]}
    names["channels"] |= {row["key"] for row in header["channels"]}
    if (folder / "sensors.csv").exists():
        names["columns of sensors.csv"] |= set((folder / "sensors.csv").read_text().split("\n", 1)[0].split(","))
    if (folder / "exposures.h5").exists():
        names["exposures.h5"] |= set(names_in_hdf5(folder / "exposures.h5"))
    lacuna("report", folder, "-o", "report.json")
    report = json.loads((lacuna.folder / "report.json").read_text())
    names["keys of a report"] |= set(keys_of_json(report))
    names["metrics"] |= set(flat(report["runs"][0]["metrics"]))
    names["operations"] |= {without_numbers(row["name"]) for row in report["runs"][0]["operations"]}
    names["events"] |= {row["what"] for row in report["runs"][0]["events"]}
    names["keys of profile --json"] |= set(keys_of_json(json.loads(lacuna("profile", folder, "--json"))))
    lacuna("export", folder, "-o", "export.h5")
    channel = re.compile("/(" + "|".join(re.escape(row["key"]) for row in header["channels"]) + ")(?=$|/| @)")
    names["exported .h5"] |= {channel.sub("/*", name) for name in names_in_hdf5(lacuna.folder / "export.h5")}


def gather_runs(lacuna, names):
    folders = {}
    for experiment, backend, settings in RUNS:
        words = [word for setting in settings.split() for word in ("--set", setting)]
        result = json.loads(lacuna("run", experiment, *words, "--backend", backend, *HOW).splitlines()[-1])
        if result["outcome"] != "finished":
            sys.exit(f"{experiment}: {result}")
        names["keys of run --json"] |= set(keys_of_json(result))
        folder = lacuna.folder / result["run"]
        gather_folder(lacuna, folder, names)
        if experiment in folders:
            compared = json.loads(lacuna("compare", folders[experiment], folder, "--json"))
            names["keys of compare --json"] |= set(keys_of_json(compared))
        folders[experiment] = folder


def gather_events(root, names):
    sources = "\n".join(path.read_text() for path in sorted((root / "src").rglob("*.[ch]")))
    names["events"] |= {event for event in EVENTS if f'"{event}"' in sources}


def gather(root, lacuna):
    names = collections.defaultdict(set)
    gather_printed(lacuna, names)
    gather_plan(lacuna, names)
    gather_runs(lacuna, names)
    gather_events(root, names)
    return names


# ---- the list ----


def read_list(path):
    names, section = collections.defaultdict(set), None
    for line in path.read_text().splitlines() if path.exists() else ():
        if line.startswith("["):
            section = line[1:-1]
        elif line and not line.startswith("#"):
            names[section].add(line)
    return unfold(names)


def unfold(names):
    """Expands `key of a b c` to one name for each of a, b and c."""
    names["parameters"] = {f"{line.split(' of ')[0]} of {experiment}" for line in names["parameters"] for experiment in line.split(" of ")[1].split()}
    return names


def write_list(path, names):
    of = collections.defaultdict(list)
    for name in names["parameters"]:
        of[name.split(" of ")[0]].append(name.split(" of ")[1])
    folded = {**names, "parameters": {f"{key} of {' '.join(sorted(experiments))}" for key, experiments in of.items()}}
    blocks = (f"[{section}]\n" + "".join(f"{name}\n" for name in sorted(folded[section])) for section in sorted(folded))
    path.write_text(HEAD + "\n" + "\n".join(blocks))


def main(root, program, *options):
    root = pathlib.Path(root)
    if not shutil.which("h5ls"):
        print("h5ls is not installed; ./dev test installs it")
        return 1
    frozen = read_list(root / LIST)
    folder = pathlib.Path(tempfile.mkdtemp(prefix="lacuna-names-"))
    found = gather(root, Program(program, folder))
    shutil.rmtree(folder)
    if "--write" in options:
        write_list(root / LIST, {section: frozen[section] | found[section] for section in {*frozen, *found}})
    gone = [f"{section}: {name} is gone" for section in sorted(frozen) for name in sorted(frozen[section] - found[section])]
    new = [f"{section}: {name}" for section in sorted(found) for name in sorted(found[section] - frozen[section])]
    print("\n".join([*(f"new, add it by --write: {name}" for name in new), *gone]) or "names: all there")
    return 1 if gone or not frozen else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
