/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User-defined equation in YAML:
 *   equation:
 *     name: own-burgers
 *     title: A front of my own         # optional, like all entries marked so
 *     domain: {t: [0, 1], x: [-1, 1]}  # t first, from 0 (without t: steady); at most x and y
 *     periodic: [x]                    # optional
 *     without: [disc: [x, y, radius], polygon: [[x, y], [x, y], [x, y]]]   # optional
 *     fields: [u]
 *     coefficients: {nu: 0.01}         # optional
 *     unknown: {nu: 0.02}              # optional: coefficients to identify, with their initial guesses
 *     positive: [nu]                   # optional: unknowns that are above 0
 *     residuals: [u_t + u*u_x - nu*u_xx]
 *     conditions:                      # optional
 *       - {at: {t: 0}, u: -sin(pi*x)}
 *       - {name: ends, at: {x: 1}, u: 0}
 *       - {at: {hole: 1}, u: 0}        # or hole: all
 *     exact: {u: ...}                  # optional: without it, only measurements are compared
 *     measured: [u]                    # optional: default: all
 *     grid: 64                         # optional: points along the longer side; times: 50 */
#pragma once

#include "experiment/experiment.h"

#include <libfyaml.h>

G_BEGIN_DECLS

/* @node: the value of "equation:": the table above, or the name of a file that contains it, relative to @path.
 * Returns: the experiment, which stays alive until the program ends; %NULL with file, line and column of the error. */
const LacExperiment *lac_equation_read(const char *path, struct fy_node *node, GError **error);

/* Makes the equation that the run in @folder was started with the one of its name; does nothing where the run has none.
 * Returns: FALSE with an error when its file cannot be read. Any thread. */
gboolean lac_equation_learn(const char *folder, GError **error);

G_END_DECLS
