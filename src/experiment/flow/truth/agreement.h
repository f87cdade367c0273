/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Does a truth from a file belong to the scene? Its values are compared with those that the scene's conditions give on
 * the boundary and at the start: another lid, inflow or initial condition contradicts them. */
#pragma once

#include "experiment/flow/case.h"

G_BEGIN_DECLS

/* The values of a file at any point of the domain. */
typedef struct {
  const char   *name; /* of the file, for errors */
  gconstpointer data;
  /* Computes field @field at @x, [n_axes]. Returns: %FALSE where the file has no value. */
  gboolean (*get)(gconstpointer data, const double *x, guint field, double *value);
} LacFileValues;

/* Compares @values with the conditions of @subject at random points of each; fields that are defined up to a constant
 * are left out. Returns: %FALSE with %LAC_ERROR_BAD_FILE naming the condition and the point where they differ most, if
 * a fifth of the points differ by more than a tenth of the RMS of all given values of that field. */
gboolean lac_agreement_check(const LacCase *subject, const LacFileValues *values, GError **error);

G_END_DECLS
