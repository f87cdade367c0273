#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Emulated toolkits of every sort: the one chosen for the module, the messages about the others, and that none aborts the configuration."""
import contextlib
import importlib.util
import io
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1])
FIVE = "50 60 70 75 80 86 89 90"
SIX = FIVE + " 100 120"

# A mock nvcc of a given version and capabilities; its mock compiler may fail.
NVCC = r"""#!/bin/sh
case "$*" in
  --version) echo "Cuda compilation tools, release {version}, V{version}.0"; exit 0;;
  --list-gpu-code) for code in {codes}; do echo sm_$code; done; exit 0;;
  --dryrun*) echo '#$ LIBRARIES=  "-L{folder}/stubs" "-L{folder}/lib"' >&2; exit 0;;
esac
{refusal}
while [ $# -gt 1 ]; do [ "$1" = -o ] && : > "$2"; shift; done
"""
REFUSED = 'echo "In file included from x"; echo "host_config.h:132:2: error: #error -- unsupported GNU version!"; exit 1'
WITHOUT = 'echo "ld: cannot find -lcufft: No such file"; echo "ld: cannot find -lcublas"; exit 1'


def load():
    spec = importlib.util.spec_from_file_location("toolkit", ROOT / "cuda" / "toolkit.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def script(path, text):
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text, encoding="utf-8")
    path.chmod(0o755)
    return path


def nvcc(folder, version="13.0", codes=SIX, refusal=""):
    return script(folder / "bin" / "nvcc", NVCC.format(version=version, codes=codes, refusal=refusal, folder=folder))


@contextlib.contextmanager
def machine(homes=(), path=()):
    """A machine with only these programs: sh, and those in the folders of @path."""
    kept = dict(os.environ)
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        (folder / "own").mkdir()
        (folder / "own" / "sh").symlink_to(shutil.which("sh"))
        for word in ("NVCC", "CUDA_PATH", "CUDA_HOME"):
            os.environ.pop(word, None)
        os.environ["PATH"] = ":".join([*(str(folder / one) for one in path), str(folder / "own")])
        toolkit = load()
        toolkit.HOMES = [str(folder / home) for home in homes]
        try:
            yield folder, toolkit
        finally:
            os.environ.clear()
            os.environ.update(kept)


def look(toolkit, *words):
    with contextlib.redirect_stdout(io.StringIO()) as said:
        status = toolkit.main(*words)
    return status, said.getvalue().rstrip("\n").split("\n")


def machine_without_a_toolkit():
    with machine(homes=["cuda"]) as (folder, toolkit):
        status, lines = look(toolkit)
        assert status == 1 and len(lines) == 1 and "no CUDA compiler" in lines[0] and f"{folder}/cuda/bin" in lines[0], lines


def each_supported_version():
    for version, codes, wanted in (("11.8", FIVE, "75 80 86 89 90"), ("12.4", FIVE, "75 80 86 89 90"), ("13.0", SIX, "75 80 86 89 90 120")):
        with machine(homes=["cuda"]) as (folder, toolkit):
            path = nvcc(folder / "cuda", version, codes)
            (folder / "cuda" / "lib").mkdir()
            (folder / "cuda" / "lib" / "libcublas.so").touch()
            status, lines = look(toolkit)
            assert status == 0, lines
            assert lines[:4] == [str(path), version, "", wanted], lines
            codes = lines[4].split()
            assert codes[0] == "-gencode=arch=compute_75,code=compute_75" and codes.count("-gencode=arch=compute_80,code=sm_86") == 1, codes
            assert [code.split("sm_")[1] for code in codes[1:]] == wanted.split(), codes
            assert lines[5] == str((folder / "cuda" / "lib").resolve()), lines


def versions_that_are_too_old():
    for version in ("9.2", "10.2", "11.7"):
        with machine(path=["cuda/bin"]) as (folder, toolkit):
            path = nvcc(folder / "cuda", version)
            status, lines = look(toolkit)
            assert status == 1 and lines == [f"{path} is of CUDA {version}; 11.8 or later is needed"], lines


def a_newer_one_in_its_usual_place():
    with machine(homes=["cuda"], path=["old/bin"]) as (folder, toolkit):
        nvcc(folder / "old", "10.2")
        path = nvcc(folder / "cuda", "12.4", FIVE)
        status, lines = look(toolkit)
        assert status == 0 and lines[0] == str(path), lines


def compiler_that_does_not_run():
    with machine(path=["bin"]) as (folder, toolkit):
        script(folder / "bin" / "nvcc", "#!/bin/sh\nexec /nowhere/nvcc\n")
        status, lines = look(toolkit)
        assert status == 1 and len(lines) == 1 and "does not run" in lines[0], lines


def host_compiler_that_is_refused():
    with machine(path=["cuda/bin", "hosts"]) as (folder, toolkit):
        nvcc(folder / "cuda", "11.8", FIVE, f'case "$*" in *"-ccbin clang++-14 "*) ;; *) {REFUSED};; esac')
        status, lines = look(toolkit)
        assert status == 1 and len(lines) == 1 and "unsupported GNU version" in lines[0], lines
        script(folder / "hosts" / "clang++-14", "#!/bin/sh\n")
        status, lines = look(toolkit)
        assert status == 0 and lines[2] == "-ccbin clang++-14", lines


def libraries_that_are_missing():
    with machine(path=["cuda/bin"]) as (folder, toolkit):
        path = nvcc(folder / "cuda", refusal=WITHOUT)
        status, lines = look(toolkit)
        assert status == 1 and lines == [f"{path} cannot build a module: without libcublas, libcufft"], lines


def capabilities_that_are_asked_for():
    with machine(path=["cuda/bin"]) as (folder, toolkit):
        nvcc(folder / "cuda", "11.8", FIVE)
        assert look(toolkit, "--capabilities", "90,86")[1][3] == "86 90"
        assert look(toolkit, "--capabilities", "70")[1][3] == "70"
        for wanted, wrong in (("86,120", "120"), ("60", "60"), ("ampere", "ampere"), ("", "")):
            status, lines = look(toolkit, "--capabilities", wanted)
            assert status == 1 and f": {wrong} is not one of all, native, 70, 75, 80, 86, 89, 90" in lines[0], lines
        every = "75 80 86 89 90"
        for cards, found in (("8.6\\n", "86"), ("9.0\\n8.6\\n8.6\\n", "86 90"), ("12.0\\n", every), ("6.1\\n", every), ("No devices were found\\n", every)):
            script(folder / "cuda" / "bin" / "nvidia-smi", f"#!/bin/sh\nprintf '{cards}'\n")
            assert look(toolkit, "--capabilities", "native")[1][3] == found, cards
        (folder / "cuda" / "bin" / "nvidia-smi").unlink()
        assert look(toolkit, "--capabilities", "native")[1][3] == every


def configure(folder, *options, **environment):
    """A project with only this folder, included as in the full one."""
    project = folder / "project"
    if not project.exists():
        shutil.copytree(ROOT / "cuda", project / "cuda", ignore=shutil.ignore_patterns("__pycache__"))
        shutil.copy(ROOT / "meson_options.txt", project)
        (project / "meson.build").write_text("project('module', version: '1')\npython = find_program('python3')\nsubdir('cuda')\n", encoding="utf-8")
    shutil.rmtree(folder / "build", ignore_errors=True)
    done = subprocess.run([shutil.which("meson"), "setup", str(folder / "build"), str(project), *options], capture_output=True, text=True,
                          env=dict(os.environ, **environment))
    return done.returncode, done.stdout + done.stderr


def configuration_never_ends_where_the_module_is_not_asked_for():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        old, refused, good = (nvcc(folder / "old", "10.2"), nvcc(folder / "refused", "11.8", FIVE, REFUSED), nvcc(folder / "good", "11.8", FIVE))
        for path, why in ((old, "is of CUDA 10.2; 11.8 or later is needed"), (refused, "unsupported GNU version"), ("/nowhere/nvcc", "does not run")):
            status, text = configure(folder, NVCC=str(path))
            told = [line for line in text.splitlines() if why in line]
            assert status == 0 and len(told) == 2 and told[0].startswith("Message: The CUDA module is left out: ") and "CUDA module: left out" in told[1], text
            assert not list((folder / "build").rglob("*cuda*.so")) and not re.search("lac-cuda|build module:", (folder / "build" / "build.ninja").read_text()), text
        status, text = configure(folder, "-Dcuda=enabled", NVCC=str(old))
        assert status != 0 and "ERROR: Problem encountered: The CUDA module is left out" in text and "11.8 or later is needed" in text, text
        status, text = configure(folder, "-Dcuda=enabled", NVCC=str(good))
        assert status == 0 and f"CUDA 11.8 ({good}), machine code for 75, 80, 86, 89, 90" in text, text
        ninja = (folder / "build" / "build.ninja").read_text()
        assert "liblac-cuda.so" in ninja and "build module: phony" in ninja, ninja  # built by ./dev build, but not by ./dev run without a card
        assert "./dev build builds it" in (folder / "build" / "cuda" / "liblac-cuda.why").read_text()
        status, text = configure(folder, "-Dcuda=disabled", NVCC=str(good))
        assert status == 0 and "left out: the option cuda is disabled" in text, text


def main():
    parts = [machine_without_a_toolkit, each_supported_version, versions_that_are_too_old, a_newer_one_in_its_usual_place, compiler_that_does_not_run,
             host_compiler_that_is_refused, libraries_that_are_missing, capabilities_that_are_asked_for,
             configuration_never_ends_where_the_module_is_not_asked_for]
    print(f"1..{len(parts)}")
    for i, part in enumerate(parts):
        part()
        print(f"ok {i + 1} {part.__name__.replace('_', '-')}", flush=True)


if __name__ == "__main__":
    main()
