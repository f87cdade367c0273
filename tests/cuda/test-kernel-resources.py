#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Parsing the assembler's report, computing occupancy from it, and a lint that detects a spilling kernel."""
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(ROOT / "bench"))
import kernel_resources as resources  # noqa: E402

# Reports of CUDA 13 and CUDA 11.8.
NEW = """ptxas info    : 272 bytes gmem
ptxas info    : Compiling entry function '_Z12moves_kernelIdLb1EEv10WalkerArgs16LacElectronMoves' for 'sm_90'
ptxas info    : Function properties for _Z12moves_kernelIdLb1EEv10WalkerArgs16LacElectronMoves
    432 bytes stack frame, 128 bytes spill stores, 260 bytes spill loads
ptxas info    : Used 128 registers, used 1 barriers, 432 bytes cumulative stack size, 2048 bytes smem
ptxas info    : Compile time = 165.031 ms
ptxas info    : Function properties for __internal_trig_reduction_slowpathd
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Function properties for _ZN47_INTERNAL_70f5f009_16_electron_wide_cu_4761a0c410pair_layerILb1EfEEvRK6WalkerIT0_EjPKS2_PS2_S8_
    0 bytes stack frame, 4 bytes spill stores, 4 bytes spill loads
"""
OLD = """ptxas info    : 0 bytes gmem
ptxas info    : Compiling entry function '_Z11fill_kernelIfEvPT_S0_m' for 'sm_86'
ptxas info    : Function properties for _Z11fill_kernelIfEvPT_S0_m
    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads
ptxas info    : Used 38 registers, 584 bytes cmem[0], 32 bytes cmem[2]
"""


def figures_of_both_toolkits():
    with tempfile.TemporaryDirectory() as name:
        build = pathlib.Path(name)
        (build / "cuda").mkdir()
        assert resources.read_figures(build) == []
        (build / "cuda" / "electrons.ptxas").write_text(NEW)
        (build / "cuda" / "elementwise.ptxas").write_text(OLD)
        found = [tuple(row[key] for key in ("source", "kernel", "capability", "registers", "stack", "spilled", "shared")) for row in resources.read_figures(build)]
    assert found == [("electrons", "moves_kernel<double,true>", 90, 128, 432, 388, 2048), ("electrons", "pair_layer<true,float>", 90, 0, 0, 8, 0),
                     ("elementwise", "fill_kernel<float>", 86, 38, 0, 0, 0)], found


def names_as_the_source_has_them():
    for said, name in (("void layer_kernel<float, 3, 128>(LayerArgs<float>)", "layer_kernel<float,3,128>"), ("store_kernel(char*, Letter, unsigned int)", "store_kernel"),
                       ("void (anonymous namespace)::f<(int)2, true>(Pair<int>)", "f<2,true>")):
        assert resources.plain_name(said) == name, resources.plain_name(said)


def occupancy_by_the_guide():
    cases = [(90, 256, 32, 0, 8, 1), (80, 256, 32, 0, 8, 1), (86, 256, 32, 0, 6, 1), (89, 256, 32, 0, 6, 1), (75, 256, 32, 0, 4, 1),
             (90, 256, 255, 0, 1, 1 / 8), (86, 256, 255, 0, 1, 1 / 6), (90, 128, 128, 0, 4, 1 / 4), (86, 128, 128, 0, 4, 1 / 3),
             (86, 256, 32, 49152, 2, 1 / 3), (90, 256, 32, 49152, 4, 1 / 2), (86, 32, 16, 0, 16, 1 / 3), (90, 1, 10, 0, 32, 1 / 2)]
    for capability, threads, registers, shared, blocks, share in cases:
        found = resources.occupancy(capability, threads, registers, shared)
        assert found[0] == blocks and abs(found[1] - share) < 1e-12, (capability, threads, registers, shared, found)


def lint(limits, log):
    with tempfile.TemporaryDirectory() as name:
        root = pathlib.Path(name)
        for folder in ("cuda", "build/cuda"):
            (root / folder).mkdir(parents=True)
        (root / "cuda" / "kernels.txt").write_text(limits)
        if log:
            (root / "build" / "cuda" / "electrons.ptxas").write_text(log)
        done = subprocess.run([sys.executable, ROOT / "tests" / "lint" / "check-kernels.py", root, root / "build"], capture_output=True, text=True)
    return done.returncode, done.stdout + done.stderr


def kernels_that_spill_are_found():
    sound = "# threads, bytes\nelectrons moves_kernel<double,true> 128 388 # why\nelectrons pair_layer 0 8\n"
    assert lint(sound, NEW) == (0, "\n"), lint(sound, NEW)
    status, text = lint(sound.replace("388", "387"), NEW)
    assert status == 1 and "electrons.cu: moves_kernel<double,true> spills 388 bytes for capability 90; cuda/kernels.txt allows 387" in text, text
    status, text = lint("electrons moves_kernel 128 388\n", NEW)
    assert status == 1 and "electrons.cu: pair_layer<true,float> has no line" in text, text
    status, text = lint(sound + "electrons gone_kernel 128 0\n", NEW)
    assert status == 1 and "a line for electrons gone_kernel, which no source has" in text, text


def without_a_module_the_lint_says_so():
    status, text = lint("", "")
    assert status == 77 and "the CUDA module was not built" in text, (status, text)


def main():
    parts = [figures_of_both_toolkits, names_as_the_source_has_them, occupancy_by_the_guide, kernels_that_spill_are_found, without_a_module_the_lint_says_so]
    print(f"1..{len(parts)}")
    for i, part in enumerate(parts):
        part()
        print(f"ok {i + 1} {part.__name__.replace('_', '-')}", flush=True)


if __name__ == "__main__":
    main()
