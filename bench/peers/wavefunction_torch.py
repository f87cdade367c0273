#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The local kinetic energy of bench-wavefunction's case four-256x32 in PyTorch: by nested autograd and by the forward Laplacian.

Prints the version on the first line, then the wall and CPU milliseconds of each evaluation."""
import argparse
import math
import time

import torch

NUCLEI = torch.tensor([[0.0, 0.0, -0.7], [0.0, 0.0, 0.7]], dtype=torch.float64)
UP, DOWN, WIDTH, PAIR_WIDTH, LAYERS, DETERMINANTS = 2, 2, 256, 32, 4, 16
N = UP + DOWN
SPINS = (slice(0, UP), slice(UP, N))


def parameters(dtype):
    generator = torch.Generator().manual_seed(0)

    def normal(*shape, scale=1.0):
        return (torch.randn(*shape, generator=generator, dtype=torch.float64) * scale).to(dtype)

    result, one, pair = {}, 4 * len(NUCLEI), 4
    for layer in range(LAYERS):
        n_in = 3 * one + 2 * pair
        result[f"w{layer}"] = normal(n_in, WIDTH, scale=n_in ** -0.5)
        result[f"b{layer}"] = normal(WIDTH)
        if layer + 1 < LAYERS:
            result[f"v{layer}"] = normal(pair, PAIR_WIDTH, scale=pair ** -0.5)
            result[f"c{layer}"] = normal(PAIR_WIDTH)
        one, pair = WIDTH, PAIR_WIDTH
    for spin, n in enumerate((UP, DOWN)):
        result[f"orbital{spin}"] = normal(WIDTH, DETERMINANTS * n, scale=WIDTH ** -0.5)
        result[f"amplitude{spin}"] = 1 + 0.1 * normal(len(NUCLEI), DETERMINANTS * n)
        result[f"decay{spin}"] = 1 + 0.1 * normal(len(NUCLEI), DETERMINANTS * n)
    return result


def log_psi(p, r):
    """r: [B, N, 3]; log |psi|: [B]"""
    batch = r.shape[0]
    apart = r[:, :, None] - NUCLEI.to(r)
    distance = apart.norm(dim=-1, keepdim=True)
    h = torch.cat([distance, apart], -1).reshape(batch, N, -1)
    rho = r[:, None] - r[:, :, None]
    eye = torch.eye(N, dtype=r.dtype)[None, :, :, None]
    g = torch.cat([(rho.square().sum(-1, keepdim=True) + eye).sqrt() * (1 - eye), rho], -1)
    for layer in range(LAYERS):
        means = [h[:, spin].mean(1, keepdim=True).expand(-1, N, -1) for spin in SPINS]
        among = [g[:, spin].mean(1) for spin in SPINS]
        new = torch.tanh(torch.cat([h, *means, *among], -1) @ p[f"w{layer}"] + p[f"b{layer}"])
        h = (h + new) * math.sqrt(0.5) if layer else new
        if layer + 1 < LAYERS:
            new = torch.tanh(g @ p[f"v{layer}"] + p[f"c{layer}"])
            g = (g + new) * math.sqrt(0.5) if layer else new
    product = 1
    for s, spin in enumerate(SPINS):
        n = spin.stop - spin.start
        envelope = (p[f"amplitude{s}"] * torch.exp(-distance[:, spin] * p[f"decay{s}"])).sum(2)
        phi = ((h[:, spin] @ p[f"orbital{s}"]) * envelope).view(batch, n, DETERMINANTS, n).transpose(1, 2)
        product = product * torch.linalg.det(phi)
    return product.sum(1).abs().log()


def kinetic_nested(p, r):
    x = r.reshape(len(r), -1).detach().requires_grad_()
    gradient, = torch.autograd.grad(log_psi(p, x.view(-1, N, 3)).sum(), x, create_graph=True)
    laplacian = 0
    for i in range(3 * N):
        laplacian = laplacian + torch.autograd.grad(gradient[:, i].sum(), x, retain_graph=True)[0][:, i]
    return -0.5 * (laplacian + gradient.detach().square().sum(1))


# The forward Laplacian: value, Jacobian (first axis: coordinate) and Laplacian are carried together, stacked for products.

def stacked(x):
    return torch.cat([x[0][None], x[1], x[2][None]], 0)


def split(x):
    return x[0], x[1:-1], x[-1]


def tanh(x):
    value, jacobian, laplacian = split(x)
    t = torch.tanh(value)
    slope = 1 - t * t
    return torch.cat([t[None], jacobian * slope,
                      (slope * laplacian - 2 * t * slope * jacobian.square().sum(0))[None]], 0)


def linear(x, w, b):
    y = x @ w
    y[0] += b
    return y


def inputs(r):
    batch, coordinates = len(r), 3 * N
    apart = r[:, :, None] - NUCLEI.to(r)
    distance = apart.norm(dim=-1, keepdim=True)
    unit = torch.zeros(N, 3, N, 1, 3, dtype=r.dtype)
    for i in range(N):
        for c in range(3):
            unit[i, c, i, 0, c] = 1
    unit = unit.view(coordinates, 1, N, 1, 3)
    slopes = (unit * (apart / distance)).sum(-1, keepdim=True)
    h = stacked((torch.cat([distance, apart], -1),
                 torch.cat([slopes, unit.expand(coordinates, batch, N, len(NUCLEI), 3)], -1),
                 torch.cat([2 / distance, torch.zeros_like(apart)], -1))).reshape(coordinates + 2, batch, N, -1)
    rho = r[:, None] - r[:, :, None]
    eye = torch.eye(N, dtype=r.dtype)[None, :, :, None]
    length = (rho.square().sum(-1, keepdim=True) + eye).sqrt()
    e = unit.view(coordinates, N, 3)
    pair_unit = (e[:, None] - e[:, :, None])[:, None]
    g = stacked((torch.cat([length * (1 - eye), rho], -1),
                 torch.cat([(pair_unit * (rho / length)).sum(-1, keepdim=True) * (1 - eye),
                            pair_unit.expand(coordinates, batch, N, N, 3)], -1),
                 torch.cat([4 / length * (1 - eye), torch.zeros_like(rho)], -1)))
    return h, g, distance[..., 0], slopes[..., 0]


def kinetic_forward(p, r):
    h, g, distance, slopes = inputs(r)
    for layer in range(LAYERS):
        means = [h[:, :, spin].mean(2, keepdim=True).expand(-1, -1, N, -1) for spin in SPINS]
        among = [g[:, :, spin].mean(2) for spin in SPINS]
        new = tanh(linear(torch.cat([h, *means, *among], -1), p[f"w{layer}"], p[f"b{layer}"]))
        h = (h + new) * math.sqrt(0.5) if layer else new
        if layer + 1 < LAYERS:
            new = tanh(linear(g, p[f"v{layer}"], p[f"c{layer}"]))
            g = (g + new) * math.sqrt(0.5) if layer else new
    value, gradient, laplacian = 1, 0, 0
    for s, spin in enumerate(SPINS):
        n = spin.stop - spin.start
        sigma, amplitude = p[f"decay{s}"], p[f"amplitude{s}"]
        d, slope = distance[:, spin, :, None], slopes[:, :, spin, :, None]
        decayed = amplitude * torch.exp(-d * sigma)
        envelope = decayed.sum(2)
        envelope_j = -(decayed * sigma * slope).sum(3)
        envelope_l = (decayed * (sigma * sigma - 2 * sigma / d)).sum(2)
        v, j, l = split(h[:, :, spin] @ p[f"orbital{s}"])
        phi = v * envelope, j * envelope + v * envelope_j, \
            l * envelope + v * envelope_l + 2 * (j * envelope_j).sum(0)
        v, j, l = (x.reshape(*x.shape[:-1], DETERMINANTS, n).transpose(-3, -2) for x in phi)
        inverse = torch.linalg.inv(v)
        m = inverse @ j
        value = value * torch.linalg.det(v)
        gradient = gradient + m.diagonal(dim1=-2, dim2=-1).sum(-1)
        laplacian = laplacian + (inverse * l.transpose(-1, -2)).sum((-1, -2)) \
            - (m * m.transpose(-1, -2)).sum((-1, -2)).sum(0)
    weight = value / value.sum(1, keepdim=True)
    return -0.5 * (weight * (laplacian + gradient.square().sum(0))).sum(-1)


KINETIC = {"nested": kinetic_nested, "forward": kinetic_forward}


def walkers(n, dtype):
    return torch.randn(n, N, 3, generator=torch.Generator().manual_seed(1), dtype=torch.float64).to(dtype)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=KINETIC)
    parser.add_argument("--walkers", type=int, default=256)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--steps", type=int, default=5)
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    wide, few = parameters(torch.float64), walkers(8, torch.float64)
    expected = kinetic_nested(wide, few)
    error = ((kinetic_forward(wide, few) - expected).abs() / (1 + expected.abs())).max().item()
    if error > 1e-9:
        raise SystemExit(f"the two ways differ by {error}")
    print(f"PyTorch {torch.__version__}, {options.threads} threads")
    p, r = parameters(torch.float32), walkers(options.walkers, torch.float32)
    for step in range(options.steps + 1):
        wall, cpu = time.perf_counter(), time.process_time()
        if options.mode == "nested":
            kinetic_nested(p, r)
        else:
            with torch.inference_mode():
                kinetic_forward(p, r)
        if step:
            print(1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu))


if __name__ == "__main__":
    main()
