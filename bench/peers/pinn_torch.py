#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The training step of bench-pinn-step in PyTorch: by nested autograd, as PINNs are usually written, and in Taylor mode.

Prints the version and configuration on the first line, then the wall and CPU milliseconds of each step."""
import argparse
import math
import time

import torch

VISCOSITY = 0.01


def parameters(layers, width, dtype):
    generator = torch.Generator().manual_seed(0)
    result, n_in = [], 3
    for n_out in [width] * layers + [3]:
        scale = math.sqrt(6 / (n_in + n_out))
        weight = (torch.rand(n_out, n_in, generator=generator, dtype=torch.float64) * 2 - 1) * scale
        bias = (torch.rand(n_out, generator=generator, dtype=torch.float64) * 2 - 1) * 0.1
        result.append((weight.to(dtype).requires_grad_(), bias.to(dtype).requires_grad_()))
        n_in = n_out
    return result


def data(n, dtype):
    generator = torch.Generator().manual_seed(1)
    x = torch.rand(n, 3, generator=generator, dtype=torch.float64) * 2 - 1
    a, b = 3 * x[:, 0], 3 * x[:, 1]
    return x.to(dtype), torch.stack([a.sin() * b.cos(), -a.cos() * b.sin()], 1).to(dtype)


def loss_of(out, dx, dy, dt, laplacian, target):
    """Returns out and its derivatives: [n, 3] for (u, v, p); laplacian: [n, 2]."""
    u, v = out[:, 0:1], out[:, 1:2]
    pressure = torch.stack([dx[:, 2], dy[:, 2]], 1)
    momentum = dt[:, :2] + u * dx[:, :2] + v * dy[:, :2] + pressure - VISCOSITY * laplacian
    divergence = dx[:, 0] + dy[:, 1]
    misfit = out[:, :2] - target
    return (momentum**2).sum(1).mean() + (divergence**2).mean() + (misfit**2).sum(1).mean()


def nested(x, target, net):
    """Makes three first-order and four second-order passes, each for all coordinates at once."""
    x = x.detach().requires_grad_()
    h = x
    for weight, bias in net[:-1]:
        h = torch.tanh(torch.nn.functional.linear(h, weight, bias))
    out = torch.nn.functional.linear(h, *net[-1])
    one = torch.ones_like(out[:, 0])

    def gradient(f):
        return torch.autograd.grad(f, x, one, create_graph=True)[0]

    du, dv, dp = (gradient(out[:, i]) for i in range(3))
    second = [gradient(d[:, 0])[:, 0] + gradient(d[:, 1])[:, 1] for d in (du, dv)]
    dx, dy, dt = (torch.stack([du[:, i], dv[:, i], dp[:, i]], 1) for i in range(3))
    return loss_of(out, dx, dy, dt, torch.stack(second, 1), target)


def taylor(x, target, net):
    """Five streams with one product per layer: value, three derivatives, the collapsed Laplacian."""
    n = x.shape[0]
    weight, bias = net[0]
    value = torch.nn.functional.linear(x, weight, bias)
    slopes = weight.t().unsqueeze(1)  # [3, 1, width]: equal at every point
    laplacian = None
    for weight, bias in net[1:]:
        t = torch.tanh(value)
        f1 = 1 - t * t
        f2 = -2 * t * f1
        bent = f2 * (slopes[0] ** 2 + slopes[1] ** 2)
        bent = bent if laplacian is None else bent + f1 * laplacian
        streams = torch.cat([t.unsqueeze(0), f1 * slopes, bent.unsqueeze(0)], 0)
        z = (streams.view(5 * n, -1) @ weight.t()).view(5, n, -1)
        value, slopes, laplacian = z[0] + bias, z[1:4], z[4]
    return loss_of(value, slopes[0], slopes[1], slopes[2], laplacian[:, :2], target)


def check():
    """Checks that both variants have one loss and one gradient, in double precision."""
    net = parameters(2, 8, torch.float64)
    x, target = data(16, torch.float64)
    flat = [p for pair in net for p in pair]
    results = []
    for loss in (nested, taylor):
        value = loss(x, target, net)
        results.append([value] + list(torch.autograd.grad(value, flat)))
    for a, b in zip(*results):
        assert torch.allclose(a, b, rtol=1e-10, atol=1e-12)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=["nested", "taylor"])
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--points", type=int, default=4096)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=10)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    check()
    print(f"torch {torch.__version__}, float32, {options.threads} threads, "
          f"{torch.backends.mkl.is_available() and 'MKL' or 'no MKL'}", flush=True)
    net = parameters(options.layers, options.width, torch.float32)
    x, target = data(options.points, torch.float32)
    optimiser = torch.optim.Adam([p for pair in net for p in pair], lr=1e-3)
    loss = {"nested": nested, "taylor": taylor}[options.mode]
    for step in range(options.steps + 3):
        wall, cpu = time.perf_counter(), time.process_time()
        optimiser.zero_grad()
        loss(x, target, net).backward()
        optimiser.step()
        wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
        if step >= 3:
            print(f"{wall * 1e3:.3f} {cpu * 1e3:.3f}", flush=True)


if __name__ == "__main__":
    main()
