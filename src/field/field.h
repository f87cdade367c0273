/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A field: numbers with axes, units and a name. Immutable once shared, reference-counted. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_FIELD_MAX_AXES 4

typedef struct {
  const char *name; /* "t", "x", "y"; interned */
  const char *unit; /* "1", "m", "s"; interned */
  gsize       n;
  double     *values; /* coordinates, n of them, ascending; owned by the field */
} LacAxis;

/* Between the path of a file and the rest of the provenance. */
#define LAC_FIELD_CHECK_SUM " (SHA-256 "

/* How numbers are fetched that stay where they are. */
typedef struct {
  /* As lac_field_read(). */
  gboolean (
    *read)(gpointer self, const gsize *start, const gsize *count, double *numbers, GError **error);
  void (*free)(gpointer self);
} LacFieldOrigin;

typedef struct {
  gint        ref_count; /* atomic */
  char       *name;      /* "u" */
  const char *unit;      /* interned */
  char       *source;    /* provenance: file and its SHA-256, or solver and parameters */
  guint       n_axes;
  LacAxis     axes[LAC_FIELD_MAX_AXES]; /* slowest first; data is row-major */
  double     *data; /* NULL: the numbers stay in their file, and lac_field_read() fetches them */
  const LacFieldOrigin *origin;
  gpointer              self; /* of the origin; owned */
} LacGridField;

/* @sizes: [n_axes]; the data and coordinates are zeroed for the maker to fill before sharing. */
LacGridField *lac_field_new(const char        *name,
                            const char        *unit,
                            guint              n_axes,
                            const char *const *axis_names,
                            const char *const *axis_units,
                            const gsize       *sizes);
/* Likewise, with numbers that stay where they are: the maker sets origin and self before sharing. */
LacGridField *lac_field_new_outside(const char        *name,
                                    const char        *unit,
                                    guint              n_axes,
                                    const char *const *axis_names,
                                    const char *const *axis_units,
                                    const gsize       *sizes);
LacGridField *lac_field_ref(LacGridField *field);
void          lac_field_unref(LacGridField *field);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacGridField, lac_field_unref)

gsize lac_field_get_length(const LacGridField *field);

/* Returns: (transfer full): what a sentence calls the field: the file that it was read from, without its folder, or its name. */
char *lac_field_dup_title(const LacGridField *field);

/**
 * lac_field_read:
 * @start, @count: [n_axes]: the block; within the axes
 * @numbers: (out): row-major
 *
 * From any thread, one at a time. Returns: %FALSE with an error when the file cannot be read any more.
 */
gboolean lac_field_read(LacGridField *field,
                        const gsize  *start,
                        const gsize  *count,
                        double       *numbers,
                        GError      **error);

/**
 * lac_axis_check_even:
 * @whose: begins the sentence: "the series"
 * @tolerance: of the axis' length
 *
 * Returns: %FALSE with %LAC_ERROR_BAD_FILE naming the first value that lies elsewhere than where equal steps would have it.
 */
gboolean
lac_axis_check_even(const LacAxis *axis, const char *whose, double tolerance, GError **error);

G_END_DECLS
