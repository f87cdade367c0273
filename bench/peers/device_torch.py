#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of bench-device, bench-decoder and bench-walkers in PyTorch on a device. pinn: a training step by nested autograd, as PINNs are
usually written, and in Taylor mode, each also in a CUDA graph. decoder: a step, eager. walkers: local kinetic energies. Prints versions and precision, then on the last line one object of milliseconds a step by mode."""
import argparse
import json
import statistics
import time

import torch

import decoder_torch
import pinn_torch
import wavefunction_torch


def make_step(mode, options, device, capturable):
    net = [tuple(part.detach().to(device).requires_grad_() for part in layer) for layer in pinn_torch.parameters(options.layers, options.width, torch.float32)]
    x, target = (part.to(device) for part in pinn_torch.data(options.points, torch.float32))
    adam = torch.optim.Adam([part for layer in net for part in layer], lr=1e-3, **({"capturable": True} if capturable else {}))
    loss_of = getattr(pinn_torch, mode)

    def step():
        adam.zero_grad(set_to_none=not capturable)
        loss_of(x, target, net).backward()
        adam.step()
    return step


def synchronise(device):
    if device.type == "cuda":
        torch.cuda.synchronize()


def capture(step):
    """Warms up on a side stream, as recommended by PyTorch's notes on CUDA graphs."""
    side = torch.cuda.Stream()
    side.wait_stream(torch.cuda.current_stream())
    with torch.cuda.stream(side):
        for _ in range(3):
            step()
    torch.cuda.current_stream().wait_stream(side)
    graph = torch.cuda.CUDAGraph()
    with torch.cuda.graph(graph):
        step()
    return graph.replay


def milliseconds(step, device, rounds):
    for _ in range(3):
        step()
    times = []
    for _ in range(rounds):
        synchronise(device)
        begin = time.perf_counter()
        for _ in range(5):
            step()
        synchronise(device)
        times.append((time.perf_counter() - begin) / 5 * 1e3)
    return statistics.median(times)


def measure_pinn(options, device):
    found = {mode: milliseconds(make_step(mode, options, device, False), device, options.rounds) for mode in ("nested", "taylor")}
    if device.type == "cuda":
        for mode in ("nested", "taylor"):
            found[mode + "-graph"] = milliseconds(capture(make_step(mode, options, device, True)), device, options.rounds)
    return found


def measure_decoder(options, device):
    torch.manual_seed(1)
    decoder = decoder_torch.Decoder(options.grid, options.output).to(device)
    adam = torch.optim.Adam(decoder.parameters(), 1e-3)
    stripes = (torch.arange(options.output) % 2).float().expand(1, 1, options.output, options.output).contiguous().to(device)

    def step():
        adam.zero_grad()
        (decoder() - stripes).abs().mean().backward()
        adam.step()
    return {"eager": milliseconds(step, device, options.rounds)}


def measure_walkers(options, device):
    p = move(wavefunction_torch.parameters(torch.float32), device)
    r = wavefunction_torch.walkers(options.walkers, torch.float32).to(device)
    wavefunction_torch.NUCLEI = wavefunction_torch.NUCLEI.to(device)
    torch.set_default_device(device)  # applies to tensors created inside both variants
    return {mode: milliseconds(lambda: kinetic(p, r), device, options.rounds) for mode, kinetic in wavefunction_torch.KINETIC.items()}


def move(parts, device):
    """Maps over nested lists, tuples and dictionaries of tensors."""
    if torch.is_tensor(parts):
        return parts.to(device)
    if isinstance(parts, dict):
        return {key: move(part, device) for key, part in parts.items()}
    return type(parts)(move(part, device) for part in parts) if isinstance(parts, (list, tuple)) else parts


CASES = {"pinn": measure_pinn, "decoder": measure_decoder, "walkers": measure_walkers}


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", choices=CASES)
    parser.add_argument("--grid", type=int, default=1024)
    parser.add_argument("--output", type=int, default=512)
    parser.add_argument("--walkers", type=int, default=4096)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--points", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--device", default="cuda")
    options = parser.parse_args()
    device = torch.device(options.device)
    print(f"torch {torch.__version__}, {device}, 32-bit products without TF32")
    torch.backends.cuda.matmul.allow_tf32 = torch.backends.cudnn.allow_tf32 = False
    found = CASES[options.case](options, device)
    print(json.dumps({mode: round(value, 4) for mode, value in found.items()}))


if __name__ == "__main__":
    main()
