/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Gridded fields: construction, reference counting, comparison. */
#include "field/field.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

LacGridField *
lac_field_new_outside(const char        *name,
                      const char        *unit,
                      guint              n_axes,
                      const char *const *axis_names,
                      const char *const *axis_units,
                      const gsize       *sizes)
{
  LacGridField *field = g_new0(LacGridField, 1);

  g_return_val_if_fail(n_axes >= 1 && n_axes <= LAC_FIELD_MAX_AXES, NULL);
  field->ref_count = 1;
  field->name = g_strdup(name);
  field->unit = g_intern_string(unit);
  field->n_axes = n_axes;
  for (guint i = 0; i < n_axes; i++) {
    field->axes[i] = (LacAxis){
      .name = g_intern_string(axis_names[i]),
      .unit = g_intern_string(axis_units[i]),
      .n = sizes[i],
      .values = g_new0(double, sizes[i]),
    };
  }
  return field;
}

LacGridField *
lac_field_new(const char        *name,
              const char        *unit,
              guint              n_axes,
              const char *const *axis_names,
              const char *const *axis_units,
              const gsize       *sizes)
{
  LacGridField *field = lac_field_new_outside(name, unit, n_axes, axis_names, axis_units, sizes);

  if (field)
    field->data = g_new0(double, lac_field_get_length(field));
  return field;
}

LacGridField *
lac_field_ref(LacGridField *field)
{
  g_atomic_int_inc(&field->ref_count);
  return field;
}

void
lac_field_unref(LacGridField *field)
{
  if (!field || !g_atomic_int_dec_and_test(&field->ref_count))
    return;
  for (guint i = 0; i < field->n_axes; i++)
    g_free(field->axes[i].values);
  if (field->origin)
    field->origin->free(field->self);
  g_free(field->data);
  g_free(field->source);
  g_free(field->name);
  lac_field_unref(field->next);
  g_free(field);
}

gsize
lac_field_get_length(const LacGridField *field)
{
  gsize length = 1;

  for (guint i = 0; i < field->n_axes; i++)
    length *= field->axes[i].n;
  return length;
}

char *
lac_field_dup_title(const LacGridField *field)
{
  const char *sum = field->source != NULL ? g_strrstr(field->source, LAC_FIELD_CHECK_SUM) : NULL;
  g_autofree char *path =
    sum != NULL ? g_strndup(field->source, (gsize) (sum - field->source)) : NULL;

  return path != NULL ? g_path_get_basename(path) : g_strdup(field->name);
}

/* Copies the block that begins at @data. Returns: the end of the copy. */
static double *
copy_block(const LacGridField *field,
           guint               axis,
           const double       *data,
           const gsize        *start,
           const gsize        *count,
           double             *numbers)
{
  const guint n_axes = MIN(field->n_axes, G_N_ELEMENTS(field->axes));
  gsize       stride = 1;

  for (guint i = axis + 1; i < n_axes; i++)
    stride *= field->axes[i].n;
  data += start[axis] * stride;
  if (axis + 1 == n_axes) {
    memcpy(numbers, data, count[axis] * sizeof *numbers);
    return numbers + count[axis];
  }
  for (gsize i = 0; i < count[axis]; i++)
    numbers = copy_block(field, axis + 1, data + i * stride, start, count, numbers);
  return numbers;
}

gboolean
lac_field_read(LacGridField *field,
               const gsize  *start,
               const gsize  *count,
               double       *numbers,
               GError      **error)
{
  for (guint i = 0; i < field->n_axes; i++)
    g_return_val_if_fail(start[i] + count[i] <= field->axes[i].n, FALSE);
  if (!field->data)
    return field->origin->read(field->self, start, count, numbers, error);
  copy_block(field, 0, field->data, start, count, numbers);
  return TRUE;
}

gboolean
lac_axis_check_even(const LacAxis *axis, const char *whose, double tolerance, GError **error)
{
  g_return_val_if_fail(axis != NULL && axis->n > 0, FALSE);
  const double first = axis->values[0], last = axis->values[axis->n - 1];
  for (gsize i = 0; i < axis->n; i++) {
    const double even = first + (last - first) * (double) i / (double) MAX(axis->n - 1, 1);
    if (fabs(axis->values[i] - even) <= tolerance * (last - first))
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE,
                "%s's axis \"%s\" is not evenly spaced: value %" G_GSIZE_FORMAT
                " is %g where %g would be even",
                whose, axis->name, i + 1, axis->values[i], even);
    return FALSE;
  }
  return TRUE;
}
