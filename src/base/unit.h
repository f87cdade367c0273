/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Display units: values are converted when shown; files keep their native units. One table of units, one preferred
 * unit per dimension. Any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { LAC_DIMENSION_LENGTH, LAC_DIMENSION_ENERGY, LAC_N_DIMENSIONS } LacDimension;

/* A unit of length or energy. Only molecular quantities are converted; lengths of flows stay in metres. */
typedef struct {
  const char  *key;    /* "angstrom" */
  const char  *symbol; /* "Å" */
  const char  *title;  /* translatable */
  LacDimension dimension;
  double
    size; /* size in the native unit of its dimension, which is the first row of that dimension */
  gboolean is_offered; /* offered as a preference; other units are only recognised */
} LacUnit;

const LacUnit *lac_units(gsize *n);
/* Return the preference key ("length") and the translatable title of a dimension. */
const char *lac_dimension_key(LacDimension dimension);
const char *lac_dimension_title(LacDimension dimension);

/* @key: a unit, which becomes the preferred one of its dimension. Returns: FALSE for an unknown unit. */
gboolean lac_unit_prefer(const char *key);
/* Returns: the preferred unit; initially the native one. */
const LacUnit *lac_unit_preferred(LacDimension dimension);

/* Returns the factor from values in unit @from to values in @to, by their symbols: 1000 from "Ha" to "mHa"; NaN if they
 * are not units of one dimension. */
double lac_unit_ratio(const char *from, const char *to);

/* Conversion to display units: value * factor + offset; only logarithms have an offset. */
typedef struct {
  const char *unit; /* interned; NULL: unchanged */
  double      factor, offset;
} LacShown;

/* Returns the conversion of a compound unit. @unit: (nullable): "Ha/bohr", "1/bohr³", "log₁₀ 1/bohr²"; unknown units
 * are left unchanged. */
LacShown lac_shown(const char *unit);

static inline double
lac_shown_value(const LacShown *shown, double value)
{
  return value * shown->factor + shown->offset;
}

static inline double
lac_shown_back(const LacShown *shown, double value)
{
  return (value - shown->offset) / shown->factor;
}

G_END_DECLS
