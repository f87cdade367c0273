/* SPDX-License-Identifier: GPL-3.0-or-later */
/* An equation of one's own, written in YAML:
 *   equation:
 *     name: own-burgers
 *     title: A front of my own         # may be left out, as all that says so
 *     domain: {t: [0, 1], x: [-1, 1]}  # t first, from 0; without t the field is steady; x and y at most
 *     periodic: [x]                    # (or left out)
 *     without: [disc: [x, y, radius], polygon: [[x, y], [x, y], [x, y]]]   # (or left out)
 *     fields: [u]
 *     coefficients: {nu: 0.01}         # (or left out)
 *     unknown: {nu: 0.02}              # (or left out) those that are to be found, from these guesses
 *     positive: [nu]                   # (or left out) unknowns that are above 0
 *     residuals: [u_t + u*u_x - nu*u_xx]
 *     conditions:                      # (or left out)
 *       - {at: {t: 0}, u: -sin(pi*x)}
 *       - {name: ends, at: {x: 1}, u: 0}
 *       - {at: {hole: 1}, u: 0}        # or hole: all
 *     exact: {u: ...}                  # (or left out: then only measurements judge)
 *     measured: [u]                    # (or left out: all)
 *     grid: 64                         # (or left out) points of the longer side; times: 50 */
#pragma once

#include "experiment/experiment.h"

#include <libfyaml.h>

G_BEGIN_DECLS

/* @node: what stands behind "equation:": the table above, or the name of a file that has it, beside @path. Returns: the
 * experiment, which stays to the end of the program; %NULL with file, line and column of what is wrong. */
const LacExperiment *lac_equation_read(const char *path, struct fy_node *node, GError **error);

G_END_DECLS
