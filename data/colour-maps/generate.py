#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Computes the colour maps as paths through OKLab, and turns their tables into C.

    generate.py tables FOLDER          writes FOLDER/NAME.csv, 256 sRGB entries each
    generate.py source CSV... -o FILE  writes the C table that src/report includes

A map is a list of control points (lightness, chroma, hue in degrees). The path between them is a monotone cubic,
pulled into the sRGB gamut by lowering the chroma, and sampled at equal steps of OKLab distance.
OKLab: B. Ottosson (2020), https://bottosson.github.io/posts/oklab/
"""

import math
import sys
from pathlib import Path

ENTRIES = 256
DENSE = 8192

# lightness 0...1, chroma, hue in degrees
SEQUENTIAL = {
    "dusk": [(0.20, 0.070, 290), (0.36, 0.110, 272), (0.52, 0.105, 235), (0.68, 0.115, 190), (0.83, 0.135, 140), (0.96, 0.120, 108)],
    "grey": [(0.13, 0.0, 0), (0.35, 0.0, 0), (0.57, 0.0, 0), (0.79, 0.0, 0), (1.0, 0.0, 0)],
    "ember": [(0.13, 0.030, 300), (0.30, 0.120, 335), (0.46, 0.165, 10), (0.62, 0.185, 38), (0.79, 0.155, 70), (0.97, 0.070, 105)],
}
# the two hues of the arms; lightness and chroma are shared, so that the arms weigh the same
DIVERGING = {
    "balance": {"hues": (256, 27), "lightness": (0.27, 0.975), "chroma": [(0.0, 0.085), (0.35, 0.150), (0.7, 0.085), (1.0, 0.0)]},
}

# once round the hues; lightness waves once between the two, so that opposite places differ in grey too
CYCLIC = {
    "whirl": {"lightness": (0.50, 0.80), "chroma": 0.13, "darkest": 285},
}
# what older programs drew; its lightness goes up and down, so that it shows edges where there are none
LEGACY = {
    "jet": [(0.0, (0.0, 0.0, 0.5)), (0.125, (0.0, 0.0, 1.0)), (0.375, (0.0, 1.0, 1.0)), (0.625, (1.0, 1.0, 0.0)), (0.875, (1.0, 0.0, 0.0)), (1.0, (0.5, 0.0, 0.0))],
}


def to_linear_srgb(lightness, a, b):
    l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3
    m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3
    s = (lightness - 0.0894841775 * a - 1.2914855480 * b) ** 3
    return (
        4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
        -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
        -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    )


def in_gamut(lightness, chroma, hue):
    a, b = chroma * math.cos(hue), chroma * math.sin(hue)
    return all(0.0 <= c <= 1.0 for c in to_linear_srgb(lightness, a, b))


def greatest_chroma(lightness, chroma, hue):
    if in_gamut(lightness, chroma, hue):
        return chroma
    low, high = 0.0, chroma
    for _ in range(40):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if in_gamut(lightness, middle, hue) else (low, middle)
    return low


def to_byte(linear):
    linear = min(max(linear, 0.0), 1.0)
    value = 12.92 * linear if linear <= 0.0031308 else 1.055 * linear ** (1 / 2.4) - 0.055
    return round(255 * value)


def monotone_cubic(xs, ys):
    """Fritsch and Carlson (1980): no overshoot between the control points."""
    n = len(xs)
    slopes = [(ys[i + 1] - ys[i]) / (xs[i + 1] - xs[i]) for i in range(n - 1)]
    tangents = [slopes[0]] + [0.0] * (n - 2) + [slopes[-1]]
    for i in range(1, n - 1):
        if slopes[i - 1] * slopes[i] > 0:
            tangents[i] = 2 / (1 / slopes[i - 1] + 1 / slopes[i])

    def at(x):
        i = max(j for j in range(n - 1) if xs[j] <= x or j == 0)
        h = xs[i + 1] - xs[i]
        t = (x - xs[i]) / h
        return (
            (1 + 2 * t) * (1 - t) ** 2 * ys[i] + t * (1 - t) ** 2 * h * tangents[i]
            + t * t * (3 - 2 * t) * ys[i + 1] + t * t * (t - 1) * h * tangents[i + 1]
        )

    return at


def even_steps(path, n):
    """n points at the middles of n equal pieces of the path's length."""
    length = [0.0]
    for before, after in zip(path, path[1:]):
        length.append(length[-1] + math.dist(before, after))
    points, j = [], 0
    for i in range(n):
        target = (i + 0.5) / n * length[-1]
        while length[j + 1] < target:
            j += 1
        t = (target - length[j]) / (length[j + 1] - length[j])
        points.append(tuple(p + t * (q - p) for p, q in zip(path[j], path[j + 1])))
    return points


def sequential(control):
    at = [i / (len(control) - 1) for i in range(len(control))]
    lightness, chroma, hue = (monotone_cubic(at, [point[k] for point in control]) for k in range(3))
    # hues that cross 360 are written on without a jump
    path = []
    for i in range(DENSE + 1):
        t = i / DENSE
        h = math.radians(hue(t))
        c = greatest_chroma(lightness(t), chroma(t), h)
        path.append((lightness(t), c * math.cos(h), c * math.sin(h)))
    return even_steps(path, ENTRIES)


def diverging(row):
    hues = [math.radians(h) for h in row["hues"]]
    dark, light = row["lightness"]
    chroma = monotone_cubic(*zip(*row["chroma"]))
    arms = ([], [])
    for i in range(DENSE + 1):
        t = i / DENSE
        lightness = dark + (light - dark) * t
        c = min(greatest_chroma(lightness, chroma(t), h) for h in hues)
        for arm, h in zip(arms, hues):
            arm.append((lightness, c * math.cos(h), c * math.sin(h)))
    left, right = (even_steps(arm, ENTRIES // 2) for arm in arms)
    return left + right[::-1]


def cyclic(row):
    low, high = row["lightness"]
    path = []
    for i in range(DENSE + 1):
        turn = 2 * math.pi * i / DENSE
        lightness = 0.5 * (low + high) - 0.5 * (high - low) * math.cos(turn)
        hue = math.radians(row["darkest"]) + turn
        c = greatest_chroma(lightness, row["chroma"], hue)
        path.append((lightness, c * math.cos(hue), c * math.sin(hue)))
    return even_steps(path, ENTRIES)


def legacy(knots):
    """sRGB as it was, 0 to 1, linear between the knots."""
    points = []
    for i in range(ENTRIES):
        t = i / (ENTRIES - 1)
        k = max(j for j in range(len(knots) - 1) if knots[j][0] <= t)
        (a, left), (b, right) = knots[k], knots[k + 1]
        points.append(tuple(p + (t - a) / (b - a) * (q - p) for p, q in zip(left, right)))
    return points


def unwrap(control):
    points, last = [], None
    for lightness, chroma, hue in control:
        while last is not None and hue - last > 180:
            hue -= 360
        while last is not None and hue - last < -180:
            hue += 360
        points.append((lightness, chroma, hue))
        last = hue
    return points


def write_tables(folder):
    maps = [(name, "sequential", sequential(unwrap(c))) for name, c in SEQUENTIAL.items()]
    maps += [(name, "diverging", diverging(row)) for name, row in DIVERGING.items()]
    maps += [(name, "cyclic", cyclic(row)) for name, row in CYCLIC.items()]
    tables = [(name, kind, [[to_byte(c) for c in to_linear_srgb(*point)] for point in points]) for name, kind, points in maps]
    tables += [(name, "legacy", [[round(255 * c) for c in point] for point in legacy(knots)]) for name, knots in LEGACY.items()]
    for name, kind, rows in tables:
        lines = [f"# {name}, {kind}; sRGB, 0 to 255; computed by generate.py", "red,green,blue"]
        lines += [",".join(str(c) for c in row) for row in rows]
        (folder / f"{name}.csv").write_text("\n".join(lines) + "\n")


def write_source(tables, target):
    lines = [
        "/* SPDX-License-Identifier: GPL-3.0-or-later */",
        "/* Made from data/colour-maps by generate.py. */",
        '#include "report/canvas/colour-map-private.h"',
        "",
        "const LacColourMap lac_colour_map_table[] = {",
    ]
    for table in tables:
        text = table.read_text().splitlines()
        kind = text[0].split(",")[1].split(";")[0].strip()
        rows = [row.split(",") for row in text[2:]]
        if len(rows) != ENTRIES:
            sys.exit(f"{table}: {len(rows)} entries, {ENTRIES} are needed")
        lines.append(f'  {{"{table.stem}", "{kind}", {{')
        lines += [f"    {{{r}, {g}, {b}, 255}}," for r, g, b in rows]
        lines.append("  }},")
    lines += ["};", "", f"const gsize lac_colour_map_table_length = {len(tables)};", ""]
    target.write_text("\n".join(lines))


def main(arguments):
    if len(arguments) == 2 and arguments[0] == "tables":
        write_tables(Path(arguments[1]))
    elif len(arguments) > 3 and arguments[0] == "source" and arguments[-2] == "-o":
        write_source([Path(a) for a in arguments[1:-2]], Path(arguments[-1]))
    else:
        sys.exit(__doc__)


if __name__ == "__main__":
    main(sys.argv[1:])
