#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Finds a CUDA toolkit that can build the module, by building a small one, so that an unusable toolkit never stops the rest of the build.

Prints six lines: nvcc, its version, host compiler arguments, compute capabilities, the arguments for them, and the folder of its
libraries. Exit status 1: no usable toolkit, with the reason in one line. NVCC names the compiler to use."""
import argparse
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

LEAST = (11, 8)  # the first with Ada and Hopper
LEAST_CAPABILITY = 70  # the first whose kernels read their arguments in place
CAPABILITIES = [75, 80, 86, 89, 90, 120]  # Turing, Ampere (A100; RTX 30), Ada, Hopper, Blackwell
HOMES = ["/usr/local/cuda", "/opt/cuda"]
LIBRARIES = ["cublas", "cufft", "cusolver"]
HOSTS = [f"g++-{n}" for n in range(15, 8, -1)] + [f"clang++-{n}" for n in range(20, 10, -1)] + ["clang++"]

# One function of each header and library used by the module, and a kernel.
PROBE = r"""
#include <cmath>
#include <cstdlib>
#include <type_traits>
#include <cublas_v2.h>
#include <cuda_bf16.h>
#include <cufft.h>
#include <cusolverDn.h>
static_assert(CUDART_VERSION / 10 == __CUDACC_VER_MAJOR__ * 100 + __CUDACC_VER_MINOR__, "the headers found are of another toolkit");
template <typename Real> __global__ static void kernel(const __grid_constant__ int n, Real *y)
{
  if constexpr (std::is_same<Real, float>::value)
    y[threadIdx.x] = __bfloat162float(__float2bfloat16(std::sqrt((float) n)));
}
extern "C" int probe(void)
{
  cublasHandle_t blas;
  cufftHandle fft;
  cusolverDnHandle_t solver;
  cudaGraphExec_t exec;
  kernel<float><<<1, 1>>>(1, NULL);
  return cublasCreate(&blas) + cufftCreate(&fft) + cusolverDnCreate(&solver) + cudaGraphInstantiateWithFlags(&exec, NULL, 0);
}
"""


class Unusable(Exception):
    pass


def ask(*command):
    """Returns: exit status and output; 127 when the program does not exist."""
    try:
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace", timeout=300)
    except (OSError, subprocess.TimeoutExpired) as error:
        return 127, str(error)
    return done.returncode, done.stdout


def candidates():
    if os.environ.get("NVCC"):
        return [os.environ["NVCC"]]
    homes = [os.environ.get("CUDA_PATH"), os.environ.get("CUDA_HOME"), *HOMES]
    found = [shutil.which("nvcc")] + [shutil.which("nvcc", path=f"{home}/bin") for home in homes if home]
    return list(dict.fromkeys(path for path in found if path))


def first_line(text):
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    return next((line for line in lines if "error" in line.lower()), lines[0] if lines else "it printed nothing")


def version_of(nvcc):
    status, text = ask(nvcc, "--version")
    found = re.search(r"release (\d+)\.(\d+)", text)
    if status != 0 or not found:
        raise Unusable(f"{nvcc} does not run: {first_line(text)}")
    version = int(found[1]), int(found[2])
    if version < LEAST:
        raise Unusable(f"{nvcc} is of CUDA {version[0]}.{version[1]}; {LEAST[0]}.{LEAST[1]} or later is needed")
    return version


def own_cards():
    status, text = ask("nvidia-smi", "--query-gpu=compute_cap", "--format=csv,noheader")
    found = {int(line.replace(".", "")) for line in text.split() if re.fullmatch(r"\d+\.\d", line)} if status == 0 else set()
    return sorted(one for one in found if one >= LEAST_CAPABILITY)


def choose_capabilities(nvcc, wanted):
    """@wanted: "all", "native" or a comma-separated list. Cards newer than the compiler use the PTX."""
    known = {int(code) for code in re.findall(r"^sm_(\d+)\s*$", ask(nvcc, "--list-gpu-code")[1], re.MULTILINE)}
    own = [one for one in own_cards() if one in known] if wanted == "native" else []
    if wanted in ("all", "native"):
        return own or [one for one in CAPABILITIES if one in known]
    asked = [int(one) for one in wanted.split(",") if one.isdigit()]
    for one in wanted.split(","):
        if not one.isdigit() or int(one) not in known or int(one) < LEAST_CAPABILITY:
            names = ", ".join(str(code) for code in sorted(known) if code >= LEAST_CAPABILITY)
            raise Unusable(f"device_capabilities={wanted}: {one} is not one of all, native, {names}, which {nvcc} knows")
    return sorted(set(asked))


def code_arguments(capabilities):
    """Machine code for each capability, one PTX per generation, and PTX of the lowest for later cards."""
    lowest = {one // 10: one for one in reversed(capabilities)}
    codes = [f"-gencode=arch=compute_{lowest[one // 10]},code=sm_{one}" for one in capabilities]
    return [f"-gencode=arch=compute_{capabilities[0]},code=compute_{capabilities[0]}"] + codes


def why_not(text):
    libraries = sorted(set(re.findall(r"cannot find -l(\w+)", text)))
    header = re.search(r"fatal error: (\S+\.h): No such file", text)
    if libraries:
        return "without " + ", ".join(f"lib{name}" for name in libraries)
    return f"without {header[1]}" if header else first_line(text)


def probe(nvcc, capability):
    """Builds a one-kernel module. Returns: the arguments that select a host compiler accepted by nvcc."""
    hosts = [[]] + [["-ccbin", host] for host in HOSTS if shutil.which(host)]
    if shutil.which("g++"):
        hosts.append(["-ccbin", shutil.which("g++"), "-allow-unsupported-compiler"])
    reasons = []
    with tempfile.TemporaryDirectory() as folder:
        source, module = pathlib.Path(folder, "probe.cu"), pathlib.Path(folder, "probe.so")
        source.write_text(PROBE, encoding="utf-8")
        for host in hosts:
            status, text = ask(nvcc, *host, "-std=c++17", f"-gencode=arch=compute_{capability},code=sm_{capability}", "-Xcompiler=-fPIC", "-shared",
                               str(source), "-o", str(module), *(f"-l{name}" for name in LIBRARIES))
            if status == 0 and module.exists():
                return host
            reasons.append(why_not(text.replace(f"{folder}/", "")))
            if reasons[-1].startswith("without "):
                break
    raise Unusable(f"{nvcc} cannot build a module: {reasons[-1] if reasons[-1].startswith('without ') else reasons[0]}")


def library_folder(nvcc):
    """Returns: the library folder for the run path; "" for a system folder."""
    for folder in re.findall(r'-L"?([^"\s]+)', " ".join(re.findall(r"LIBRARIES=.*", ask(nvcc, "--dryrun", "-c", "x.cu")[1]))):
        if os.path.exists(f"{folder}/lib{LIBRARIES[0]}.so") and not folder.rstrip("/").endswith("stubs"):
            real = os.path.realpath(folder)
            return "" if real.startswith(("/usr/lib/", "/lib/")) else real
    return ""


def look(nvcc, wanted):
    version = version_of(nvcc)
    capabilities = choose_capabilities(nvcc, wanted)
    if not capabilities:
        raise Unusable(f"{nvcc} knows no compute capability from {LEAST_CAPABILITY} on")
    host = probe(nvcc, capabilities[0])
    names, codes = " ".join(map(str, capabilities)), " ".join(code_arguments(capabilities))
    return [nvcc, f"{version[0]}.{version[1]}", " ".join(host), names, codes, library_folder(nvcc)]


def main(*words):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--capabilities", default="all", help="all, native, or numbers with commas between")
    options = parser.parse_args(words)
    reasons = []
    for nvcc in candidates():
        try:
            print("\n".join(look(nvcc, options.capabilities)))
            return 0
        except Unusable as reason:
            reasons.append(str(reason))
    print("; ".join(reasons) or f"no CUDA compiler was found: nvcc is neither in PATH nor in {' or '.join(f'{home}/bin' for home in HOMES)}")
    return 1


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
