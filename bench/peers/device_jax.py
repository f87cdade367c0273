#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The work of bench-device and bench-walkers in JAX, compiled as a whole, on a device or (--device cpu) the processor. pinn: a training step
with Adam by nested differentiation, with its five streams from jet (Taylor mode) and from one product per layer as in bench-device; the best
of them counts. walkers: local kinetic energies by folx's forward Laplacian, dense and sparse. Each variant is first checked against nested
differentiation in double precision. Prints versions and precision, then on the last line one object of milliseconds a step by mode."""
import argparse
import json
import os
import statistics
import sys
import time

VISCOSITY = 0.01
RATE, BETA1, BETA2, EPSILON = 1e-3, 0.9, 0.999, 1e-8


def options_of(words):
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("case", choices=("pinn", "walkers"))
    parser.add_argument("--walkers", type=int, default=4096)
    parser.add_argument("--layers", type=int, default=4)
    parser.add_argument("--width", type=int, default=128)
    parser.add_argument("--points", type=int, default=4096)
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--device", default="cuda", choices=("cuda", "cpu"))
    parser.add_argument("--save", help="parameters, data, loss and gradient of the case, as NumPy keeps them: what another peer is held against")
    return parser.parse_args(words)


options = options_of(sys.argv[1:])
os.environ["JAX_PLATFORMS"] = options.device
os.environ.setdefault("XLA_PYTHON_CLIENT_PREALLOCATE", "false")

import jax  # noqa: E402
import jax.numpy as jnp  # noqa: E402
import numpy as np  # noqa: E402
from jax.experimental import jet  # noqa: E402

jax.config.update("jax_enable_x64", True)
jax.config.update("jax_default_matmul_precision", "highest")  # 32-bit products without TF32


# ---- the step of bench-device; pinn_torch.py has the same ----

def parameters(layers, width, dtype):
    generator, result, n_in = np.random.default_rng(0), [], 3
    for n_out in [width] * layers + [3]:
        scale = np.sqrt(6 / (n_in + n_out))
        result.append((jnp.asarray(generator.uniform(-scale, scale, (n_out, n_in)), dtype), jnp.asarray(generator.uniform(-0.1, 0.1, n_out), dtype)))
        n_in = n_out
    return result


def data(n, dtype):
    x = np.random.default_rng(1).uniform(-1, 1, (n, 3))
    a, b = 3 * x[:, 0], 3 * x[:, 1]
    return jnp.asarray(x, dtype), jnp.asarray(np.stack([np.sin(a) * np.cos(b), -np.cos(a) * np.sin(b)], 1), dtype)


def loss_of(out, dx, dy, dt, laplacian, target):
    """Returns out and its derivatives: [n, 3] for (u, v, p); laplacian: [n, 2]."""
    u, v = out[:, 0:1], out[:, 1:2]
    pressure = jnp.stack([dx[:, 2], dy[:, 2]], 1)
    momentum = dt[:, :2] + u * dx[:, :2] + v * dy[:, :2] + pressure - VISCOSITY * laplacian
    divergence = dx[:, 0] + dy[:, 1]
    misfit = out[:, :2] - target
    return (momentum**2).sum(1).mean() + (divergence**2).mean() + (misfit**2).sum(1).mean()


def network(net, x):
    """[..., 3] to [..., 3]"""
    for weight, bias in net[:-1]:
        x = jnp.tanh(x @ weight.T + bias)
    return x @ net[-1][0].T + net[-1][1]


def nested(net, x, target):
    """Forward over forward differentiation, point by point, the usual use of jacfwd and hessian."""
    unit = jnp.eye(3, dtype=x.dtype)

    def at(point):
        def slope(i, z):
            return jax.jvp(lambda q: network(net, q), (z,), (unit[i],))[1]

        second = sum(jax.jvp(lambda z, i=i: slope(i, z), (point,), (unit[i],))[1] for i in (0, 1))
        return network(net, point), slope(0, point), slope(1, point), slope(2, point), second[:2]
    return loss_of(*jax.vmap(at)(x), target)


def by_jet(net, x, target):
    """Taylor mode of JAX: a second-order series along x and y, first-order along t."""
    def along(i, order):
        direction = jnp.zeros_like(x).at[:, i].set(1)
        return jet.jet(lambda q: network(net, q), (x,), ([direction] + [jnp.zeros_like(x)] * (order - 1),))

    out, (dx, dxx) = along(0, 2)
    _, (dy, dyy) = along(1, 2)
    _, dt = jax.jvp(lambda q: network(net, q), (x,), (jnp.zeros_like(x).at[:, 2].set(1),))
    return loss_of(out, dx, dy, dt, (dxx + dyy)[:, :2], target)


def streams(net, x, target):
    """Five streams with one product per layer: value, three derivatives, the collapsed Laplacian."""
    n = x.shape[0]
    weight, bias = net[0]
    value, slopes, laplacian = x @ weight.T + bias, weight.T[:, None], None
    for weight, bias in net[1:]:
        t = jnp.tanh(value)
        f1 = 1 - t * t
        bent = -2 * t * f1 * (slopes[0] ** 2 + slopes[1] ** 2)
        bent = bent if laplacian is None else bent + f1 * laplacian
        z = (jnp.concatenate([t[None], f1 * slopes, bent[None]], 0).reshape(5 * n, -1) @ weight.T).reshape(5, n, -1)
        value, slopes, laplacian = z[0] + bias, z[1:4], z[4]
    return loss_of(value, slopes[0], slopes[1], slopes[2], laplacian[:, :2], target)


WAYS = {"nested": nested, "jet": by_jet, "streams": streams}


def check_ways():
    """Checks that all variants have one loss and one gradient, in double precision."""
    net, (x, target) = parameters(2, 8, jnp.float64), data(16, jnp.float64)
    found = {mode: jax.tree_util.tree_leaves(jax.value_and_grad(way)(net, x, target)) for mode, way in WAYS.items()}
    for mode, parts in found.items():
        if not all(np.allclose(a, b, rtol=1e-10, atol=1e-12) for a, b in zip(parts, found["nested"])):
            raise SystemExit(f"{mode} is not what nested differentiation gives")


def make_step(way, x, target):
    def adam(theta, m, v, gradient, t):
        m, v = BETA1 * m + (1 - BETA1) * gradient, BETA2 * v + (1 - BETA2) * gradient**2
        return theta - RATE * m / (1 - BETA1**t) / (jnp.sqrt(v / (1 - BETA2**t)) + EPSILON), m, v

    def step(state):
        net, m, v, t = state
        loss, gradient = jax.value_and_grad(way)(net, x, target)
        new = jax.tree_util.tree_map(lambda *parts: adam(*parts, t + 1), net, m, v, gradient)
        is_three = lambda part: isinstance(part, tuple) and len(part) == 3  # noqa: E731
        net, m, v = (jax.tree_util.tree_map(lambda three, i=i: three[i], new, is_leaf=is_three) for i in range(3))
        return (net, m, v, t + 1), loss
    return jax.jit(step, donate_argnums=0)


def milliseconds(run, rounds):
    """Returns the median over rounds of five steps, without waiting within a round, after compilation."""
    for _ in range(3):
        last = run()
    times = []
    for _ in range(rounds):
        jax.block_until_ready(last)
        begin = time.perf_counter()
        for _ in range(5):
            last = run()
        jax.block_until_ready(last)
        times.append((time.perf_counter() - begin) / 5 * 1e3)
    return statistics.median(times)


def save_pinn(path):
    net, (x, target) = parameters(options.layers, options.width, jnp.float64), data(options.points, jnp.float64)
    loss, gradient = jax.value_and_grad(streams)(net, x, target)
    parts = {f"{name}{i}{k}": np.asarray(pair[k]) for name, pairs in (("net", net), ("bar", gradient)) for i, pair in enumerate(pairs) for k in range(2)}
    np.savez(path, x=np.asarray(x), target=np.asarray(target), loss=float(loss), **parts)


def measure_pinn():
    check_ways()
    if options.save:
        save_pinn(options.save)
    x, target = data(options.points, jnp.float32)
    found = {}
    for mode, way in WAYS.items():
        net = parameters(options.layers, options.width, jnp.float32)
        zeros = [jax.tree_util.tree_map(jnp.zeros_like, net) for _ in range(2)]
        state, step = [(net, *zeros, jnp.float32(0))], make_step(way, x, target)

        def run(state=state, step=step):
            state[0], loss = step(state[0])
            return loss
        found[mode] = milliseconds(run, options.rounds)
    return {**found, "best": min(found.values())}


# ---- the walkers of bench-walkers; the wavefunction is wavefunction_jax.py's ----

def measure_walkers():
    sys.argv[1:] = ["dense", "--threads", "0"]  # it parses its own options; none are used here
    import wavefunction_jax as wave
    p, generator, found = wave.parameters(jnp.float32), np.random.default_rng(1), {}
    wide, few = wave.parameters(jnp.float64), jnp.asarray(generator.standard_normal((8, 3 * wave.N)))
    expected = jax.vmap(lambda x: wave.kinetic_nested(wide, x))(few)
    x = jnp.asarray(generator.standard_normal((options.walkers, 3 * wave.N)), jnp.float32)
    for mode, sparsity in (("dense", 0), ("sparse", 6)):
        error = jnp.abs(jax.vmap(lambda r, s=sparsity: wave.kinetic(wide, r, s))(few) - expected) / (1 + jnp.abs(expected))
        if not float(error.max()) < 1e-9:
            raise SystemExit(f"folx, {mode}, is not what nested differentiation gives")
        run = jax.jit(jax.vmap(lambda q, r, s=sparsity: wave.kinetic(q, r, s), in_axes=(None, 0)))
        found[mode] = milliseconds(lambda run=run: run(p, x), options.rounds)
    return {**found, "best": min(found.values())}


def main():
    found = {"pinn": measure_pinn, "walkers": measure_walkers}[options.case]()
    print(f"JAX {jax.__version__}, {jax.devices()[0]}, 32-bit products without TF32")
    print(json.dumps({mode: round(value, 4) for mode, value in found.items()}))


if __name__ == "__main__":
    main()
