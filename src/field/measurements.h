/* SPDX-License-Identifier: GPL-3.0-or-later */
/* User measurements: position, time, quantity, value and uncertainty of each. Immutable once shared,
 * reference-counted. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_MEASUREMENTS_MAX_QUANTITIES 16

typedef struct {
  double x, y, t;  /* y and t are 0 where the source has no such column */
  double value;    /* NaN: missing */
  double sigma;    /* standard deviation of the value, > 0; NaN: unknown */
  guint  quantity; /* index into the quantities */
  guint  line;     /* line of the source file, counted from 1; 0: none */
} LacMeasurement;

typedef struct {
  char    *source; /* provenance: file and its SHA-256 */
  guint    n_quantities;
  char    *quantities[LAC_MEASUREMENTS_MAX_QUANTITIES]; /* "u", "v" in order of first appearance */
  gboolean has_y, has_t;
  gsize    n;
  LacMeasurement *rows; /* [n] in the order of the source */
} LacMeasurements;

/* @n: number of rows, zeroed. The caller fills all members. */
LacMeasurements *lac_measurements_new(const char *source, gsize n);
void             lac_measurements_free(LacMeasurements *measurements);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacMeasurements, lac_measurements_free)

/* Returns: the index of @name among the quantities, appended if new; -1 if there is no room. */
int lac_measurements_quantity(LacMeasurements *measurements, const char *name);

G_END_DECLS
