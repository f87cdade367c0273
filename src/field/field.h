/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gridded fields: values with axes, units and a name. Immutable once shared, reference-counted. */
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

/* Separates the file path from the checksum in the provenance. */
#define LAC_FIELD_CHECK_SUM " (SHA-256 "

/* Reader for values that stay in their file. */
typedef struct {
  /* as lac_field_read() */
  gboolean (
    *read)(gpointer self, const gsize *start, const gsize *count, double *numbers, GError **error);
  void (*free)(gpointer self);
} LacFieldOrigin;

typedef struct _LacGridField LacGridField;

struct _LacGridField {
  gint        ref_count; /* atomic */
  char       *name;      /* "u" */
  const char *unit;      /* interned */
  char       *source;    /* provenance: file and its SHA-256, or solver and parameters */
  guint       n_axes;
  LacAxis     axes[LAC_FIELD_MAX_AXES]; /* slowest first; data is row-major */
  double     *data; /* NULL: the values stay in their file and are read by lac_field_read() */
  const LacFieldOrigin *origin;
  gpointer              self; /* owned; passed to the functions of @origin */
  LacGridField         *next; /* (nullable): another field of the same file; owned */
};

/* @sizes: [n_axes]. Data and coordinates are zeroed; the caller fills them before sharing the field. */
LacGridField *lac_field_new(const char        *name,
                            const char        *unit,
                            guint              n_axes,
                            const char *const *axis_names,
                            const char *const *axis_units,
                            const gsize       *sizes);
/* Like lac_field_new(), for values that stay in their file: the caller sets origin and self before sharing the
 * field. */
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

/* Returns: (transfer full): the field's title for messages: the base name of its file, or its name. */
char *lac_field_dup_title(const LacGridField *field);

/**
 * lac_field_read:
 * @start, @count: [n_axes]: the block; within the axes
 * @numbers: (out): row-major
 *
 * May be called from any thread, one at a time. Returns: %FALSE with an error if the file can no longer be read.
 */
gboolean lac_field_read(LacGridField *field,
                        const gsize  *start,
                        const gsize  *count,
                        double       *numbers,
                        GError      **error);

/**
 * lac_axis_check_even:
 * @whose: subject of the error message: "the series"
 * @tolerance: relative to the length of the axis
 *
 * Returns: %FALSE with %LAC_ERROR_BAD_FILE naming the first value that deviates from even spacing.
 */
gboolean
lac_axis_check_even(const LacAxis *axis, const char *whose, double tolerance, GError **error);

G_END_DECLS
