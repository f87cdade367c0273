/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Units in which a person wants to see what is computed and kept in another: what is shown is converted here, files keep their
 * own. One table of units, one preference a dimension. Any thread. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum { LAC_DIMENSION_LENGTH, LAC_DIMENSION_ENERGY, LAC_N_DIMENSIONS } LacDimension;

/* Of the small world of molecules: a metre of a flow stays one. */
typedef struct {
  const char  *key;    /* "angstrom" */
  const char  *symbol; /* "Å" */
  const char  *title;  /* translatable */
  LacDimension dimension;
  double       size;       /* in the native unit of its dimension, which comes first */
  gboolean     is_offered; /* others are only understood */
} LacUnit;

const LacUnit *lac_units(gsize *n);
/* "length": of the preference; its title is translatable. */
const char *lac_dimension_key(LacDimension dimension);
const char *lac_dimension_title(LacDimension dimension);

/* @key: of a unit; from now on its dimension is shown in it. Returns: FALSE where there is no such unit. */
gboolean lac_unit_prefer(const char *key);
/* Returns: the one that is preferred: at first the native one. */
const LacUnit *lac_unit_preferred(LacDimension dimension);

/* How numbers in a unit are shown: number * factor + offset, the latter of logarithms alone. */
typedef struct {
  const char *unit; /* interned; NULL as it was */
  double      factor, offset;
} LacShown;

/* @unit: (nullable): "Ha/bohr", "1/bohr³", "log₁₀ 1/bohr²"; what it does not know it leaves as it is. */
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
