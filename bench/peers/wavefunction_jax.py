#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The local kinetic energy of bench-wavefunction's case four-256x32 in JAX, by folx's forward Laplacian, sparse or dense.

Prints the versions on the first line, then the wall and CPU milliseconds of each evaluation; compilation is not counted."""
import argparse
import os
import time

os.environ.setdefault("JAX_PLATFORMS", "cpu")
parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("mode", choices=["dense", "sparse"])
parser.add_argument("--walkers", type=int, default=256)
parser.add_argument("--threads", type=int, default=1)
parser.add_argument("--steps", type=int, default=5)
options = parser.parse_args()
if options.threads == 1:
    os.environ["XLA_FLAGS"] = "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1"
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})

import folx  # noqa: E402
import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402

jax.config.update("jax_enable_x64", True)
NUCLEI = np.array([[0.0, 0.0, -0.7], [0.0, 0.0, 0.7]])
UP, DOWN, WIDTH, PAIR_WIDTH, LAYERS, DETERMINANTS = 2, 2, 256, 32, 4, 16
N = UP + DOWN
SPINS = (slice(0, UP), slice(UP, N))


def parameters(dtype):
    generator = np.random.default_rng(0)

    def normal(*shape, scale=1.0):
        return jnp.asarray(generator.standard_normal(shape) * scale, dtype)

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


def log_psi(p, x):
    """Log amplitude of one walker; x: [3 N]"""
    r = x.reshape(N, 3)
    apart = r[:, None] - NUCLEI.astype(x.dtype)
    distance = jnp.linalg.norm(apart, axis=-1, keepdims=True)
    h = jnp.concatenate([distance, apart], -1).reshape(N, -1)
    rho = r[None] - r[:, None]
    eye = jnp.eye(N, dtype=x.dtype)[..., None]
    g = jnp.concatenate([jnp.linalg.norm(rho + eye, axis=-1, keepdims=True) * (1 - eye), rho], -1)
    for layer in range(LAYERS):
        means = [jnp.repeat(h[spin].mean(0, keepdims=True), N, 0) for spin in SPINS]
        among = [g[spin].mean(0) for spin in SPINS]
        new = jnp.tanh(jnp.concatenate([h, *means, *among], -1) @ p[f"w{layer}"] + p[f"b{layer}"])
        h = (h + new) * np.sqrt(0.5).astype(x.dtype) if layer else new
        if layer + 1 < LAYERS:
            new = jnp.tanh(g @ p[f"v{layer}"] + p[f"c{layer}"])
            g = (g + new) * np.sqrt(0.5).astype(x.dtype) if layer else new
    signs, logs = [], []
    for s, spin in enumerate(SPINS):
        n = spin.stop - spin.start
        envelope = (p[f"amplitude{s}"] * jnp.exp(-distance[spin] * p[f"decay{s}"])).sum(1)
        phi = ((h[spin] @ p[f"orbital{s}"]) * envelope).reshape(n, DETERMINANTS, n).swapaxes(0, 1)
        sign, log = jnp.linalg.slogdet(phi)
        signs.append(sign)
        logs.append(log)
    log, sign = logs[0] + logs[1], signs[0] * signs[1]
    most = jax.lax.stop_gradient(log.max())
    return jnp.log(jnp.abs((sign * jnp.exp(log - most)).sum())) + most


def kinetic(p, x, sparsity):
    y = folx.forward_laplacian(lambda z: log_psi(p, z), sparsity_threshold=sparsity)(x)
    return -0.5 * (y.laplacian + jnp.square(y.jacobian.dense_array).sum())


def kinetic_nested(p, x):
    gradient = jax.grad(lambda z: log_psi(p, z))
    hessian = jax.jacfwd(gradient)(x)
    return -0.5 * (jnp.trace(hessian) + jnp.square(gradient(x)).sum())


def main():
    sparsity = 0 if options.mode == "dense" else 6
    generator = np.random.default_rng(1)
    wide, few = parameters(jnp.float64), jnp.asarray(generator.standard_normal((8, 3 * N)))
    expected = jax.vmap(lambda x: kinetic_nested(wide, x))(few)
    found = jax.vmap(lambda x: kinetic(wide, x, sparsity))(few)
    error = float((jnp.abs(found - expected) / (1 + jnp.abs(expected))).max())
    if not error < 1e-9:
        raise SystemExit(f"the two ways differ by {error}")
    print(f"JAX {jax.__version__}, folx {getattr(folx, '__version__', '?')}, {options.threads} threads")
    p = parameters(jnp.float32)
    x = jnp.asarray(generator.standard_normal((options.walkers, 3 * N)), jnp.float32)
    run = jax.jit(jax.vmap(lambda q, z: kinetic(q, z, sparsity), in_axes=(None, 0)))
    run(p, x).block_until_ready()
    for _ in range(options.steps):
        wall, cpu = time.perf_counter(), time.process_time()
        run(p, x).block_until_ready()
        print(1e3 * (time.perf_counter() - wall), 1e3 * (time.process_time() - cpu))


if __name__ == "__main__":
    main()
