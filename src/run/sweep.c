/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --sweep KEY=A,B,C: every combination of the values of several parameters. */
#include "run/sweep.h"

#include "base/error.h"

#include <string.h>

typedef struct {
  char *key;
  GStrv values;
  gsize n;
} Axis;

struct _LacSweep {
  GArray *axes; /* Axis */
};

static void
axis_clear(gpointer data)
{
  Axis *axis = data;

  g_free(axis->key);
  g_strfreev(axis->values);
}

void
lac_sweep_free(LacSweep *sweep)
{
  if (sweep == NULL)
    return;
  g_array_unref(sweep->axes);
  g_free(sweep);
}

static gboolean
add_axis(LacSweep *sweep, LacDraft *trial, const char *spec, GError **error)
{
  const char *equals = strchr(spec, '=');

  if (equals == NULL || equals == spec || equals[1] == '\0') {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "sweep %s: write it as KEY=A,B,C", spec);
    return FALSE;
  }
  Axis axis = {g_strndup(spec, (gsize) (equals - spec)), g_strsplit(equals + 1, ",", -1)};
  axis.n = g_strv_length(axis.values);
  g_array_append_val(sweep->axes, axis);
  for (guint i = 0; i + 1 < sweep->axes->len; i++) {
    if (g_str_equal(g_array_index(sweep->axes, Axis, i).key, axis.key)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, "%s is swept twice: write all its values once",
                  axis.key);
      return FALSE;
    }
  }
  for (gsize i = 0; i < axis.n; i++) {
    if (!lac_draft_set(trial, axis.key, g_strstrip(axis.values[i]), error))
      return FALSE;
  }
  return TRUE;
}

LacSweep *
lac_sweep_new(const LacParamTable *params, const char *const *specs, GError **error)
{
  g_autoptr(LacSweep) sweep = g_new0(LacSweep, 1);
  g_autoptr(LacDraft) trial = lac_draft_new(params);

  sweep->axes = g_array_new(FALSE, FALSE, sizeof(Axis));
  g_array_set_clear_func(sweep->axes, axis_clear);
  for (gsize i = 0; specs != NULL && specs[i] != NULL; i++) {
    if (!add_axis(sweep, trial, specs[i], error))
      return NULL;
  }
  return g_steal_pointer(&sweep);
}

LacSweep *
lac_sweep_parse(const LacParamTable *params, const char *text, GError **error)
{
  g_auto(GStrv) specs = g_strsplit(text, ";", -1);
  gsize         n = 0;

  for (gsize i = 0; specs[i] != NULL; i++) {
    char *spec = g_strstrip(specs[i]);

    if (*spec != '\0')
      specs[n++] = spec;
    else
      g_free(spec);
  }
  specs[n] = NULL;
  return lac_sweep_new(params, (const char *const *) specs, error);
}

gsize
lac_sweep_get_n(const LacSweep *sweep)
{
  gsize n = 1;

  for (guint i = 0; i < sweep->axes->len; i++)
    n *= g_array_index(sweep->axes, Axis, i).n;
  return n;
}

gsize
lac_sweep_get_n_keys(const LacSweep *sweep)
{
  return sweep->axes->len;
}

const char *
lac_sweep_get_key(const LacSweep *sweep, gsize k)
{
  g_return_val_if_fail(k < sweep->axes->len, NULL);
  return g_array_index(sweep->axes, Axis, k).key;
}

const char *
lac_sweep_get_value(const LacSweep *sweep, gsize a, gsize i)
{
  g_return_val_if_fail(a < sweep->axes->len, NULL);
  for (gsize k = sweep->axes->len; k-- > a + 1;)
    i /= g_array_index(sweep->axes, Axis, k).n;
  const Axis *axis = &g_array_index(sweep->axes, Axis, a);
  return axis->values[i % axis->n];
}

gboolean
lac_sweep_apply(const LacSweep *sweep, gsize i, LacDraft *draft, GError **error)
{
  for (guint a = 0; a < sweep->axes->len; a++) {
    if (!lac_draft_set(draft, g_array_index(sweep->axes, Axis, a).key,
                       lac_sweep_get_value(sweep, a, i), error))
      return FALSE;
  }
  return TRUE;
}

char *
lac_sweep_dup_label(const LacSweep *sweep, gsize i)
{
  GString *text = g_string_new(NULL);

  for (guint a = 0; a < sweep->axes->len; a++)
    g_string_append_printf(text, "%s%s = %s", a > 0 ? ", " : "",
                           g_array_index(sweep->axes, Axis, a).key,
                           lac_sweep_get_value(sweep, a, i));
  return g_string_free(text, FALSE);
}
