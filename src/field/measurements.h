/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What somebody measured, number by number: where, when, of what, and how sure. Immutable once shared, reference-counted. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_MEASUREMENTS_MAX_QUANTITIES 16

typedef struct {
  double x, y, t;  /* y and t are 0 where the source has no such column */
  double value;    /* NaN: nothing was seen */
  double sigma;    /* standard deviation of the value, > 0; NaN: the source does not say */
  guint  quantity; /* index into the quantities */
  guint  line;     /* of the file that it was read from, the first one is 1; 0: of none */
} LacMeasurement;

typedef struct {
  char    *source; /* provenance: file and its SHA-256 */
  guint    n_quantities;
  char    *quantities[LAC_MEASUREMENTS_MAX_QUANTITIES]; /* "u", "v" in the order of their coming */
  gboolean has_y, has_t;
  gsize    n;
  LacMeasurement *rows; /* [n] in the order of the source */
} LacMeasurements;

/* @n: rows, zeroed. The caller fills everything. */
LacMeasurements *lac_measurements_new(const char *source, gsize n);
void             lac_measurements_free(LacMeasurements *measurements);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacMeasurements, lac_measurements_free)

/* Returns: the index of @name among the quantities, where it is put when it is new; -1 when there is no room. */
int lac_measurements_quantity(LacMeasurements *measurements, const char *name);

G_END_DECLS
