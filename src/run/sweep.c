/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --sweep KEY=A,B,C: every combination of values, values that go together, or values drawn at random. */
#include "run/sweep.h"

#include "base/error.h"
#include "base/rng.h"
#include "run/inputs.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define MOST_DRAWS 10000
#define RANGE      ".."

typedef struct {
  char *key;
  GStrv values;
  gsize n;
} Axis;

struct _LacSweep {
  GArray  *axes;        /* Axis */
  gboolean is_together; /* run i has the i-th value of every axis */
  gsize    n_draws;     /* 0: nothing is drawn */
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

/* ---- drawing ---- */

static gboolean
refuse_range(const char *key, const char *text, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              _("sweep %s=%s: write a range as 4..16 or, spread over its powers, as 0.1..10 log"),
              key, text);
  return FALSE;
}

/* "A..B", "A..B log". Returns: FALSE where @text is no range. */
static gboolean
parse_range(const char *text, double range[2], gboolean *is_log)
{
  g_autofree char *copy = g_strdup(text);
  char            *dots = strstr(copy, RANGE), *end;

  if (dots == NULL)
    return FALSE;
  *dots = '\0';
  range[0] = g_ascii_strtod(g_strstrip(copy), &end);
  gboolean good = end != copy && *end == '\0';
  char    *last = g_strstrip(dots + strlen(RANGE));
  range[1] = g_ascii_strtod(last, &end);
  *is_log = g_str_equal(g_strstrip(end), "log");
  return good && end != last && (*is_log || *end == '\0') && isfinite(range[0]) &&
         isfinite(range[1]) && range[0] < range[1] && (!*is_log || range[0] > 0);
}

static char *
draw_from(const double range[2], gboolean is_log, gboolean is_integer, LacRng *rng)
{
  const double share = lac_rng_uniform(rng);
  char         text[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_integer && !is_log) /* each whole number as often as any other */
    return g_strdup_printf(
      "%.0f", MIN(floor(range[0] + share * (range[1] - range[0] + 1)), floor(range[1])));
  double value =
    is_log ? range[0] * pow(range[1] / range[0], share) : range[0] + share * (range[1] - range[0]);
  return g_strdup(g_ascii_formatd(text, sizeof text, is_integer ? "%.0f" : "%.4g", value));
}

/* The values of an axis, drawn: each axis has random numbers of its own, the same in every process. */
static gboolean
draw_axis(LacSweep *sweep, Axis *axis, const LacParam *row, const char *text, GError **error)
{
  LacRng           rng = lac_rng(0, g_str_hash(axis->key));
  g_autofree char *from = g_strdup(text);
  const gboolean   has_range = strstr(text, RANGE) != NULL;
  gboolean         is_log = FALSE;
  double           range[2];
  GPtrArray       *drawn;

  if (has_range && !parse_range(text, range, &is_log))
    return refuse_range(axis->key, text, error);
  drawn = g_ptr_array_new();
  for (gsize i = 0; i < sweep->n_draws; i++) {
    if (has_range)
      g_ptr_array_add(
        drawn, draw_from(range, is_log, row != NULL && row->kind == LAC_PARAM_INTEGER, &rng));
    else
      g_ptr_array_add(
        drawn,
        g_strdup(axis->values[(gsize) (lac_rng_uniform(&rng) * (double) axis->n) % axis->n]));
  }
  g_ptr_array_add(drawn, NULL);
  g_strfreev(axis->values);
  axis->values = (GStrv) g_ptr_array_free(drawn, FALSE);
  axis->n = sweep->n_draws;
  return TRUE;
}

/* ---- reading ---- */

/* "together", "random N". Returns: FALSE where @spec is neither. */
static gboolean
take_kind(LacSweep *sweep, const char *spec, gboolean *is_kind, GError **error)
{
  char   *end;
  guint64 n;

  *is_kind = TRUE;
  if (g_str_equal(spec, "together")) {
    sweep->is_together = TRUE;
    return TRUE;
  }
  *is_kind = g_str_has_prefix(spec, "random") && strchr(spec, '=') == NULL;
  if (!*is_kind)
    return TRUE;
  n = g_ascii_strtoull(spec + strlen("random"), &end, 10);
  if (*g_strchug(end) != '\0' || n < 1 || n > MOST_DRAWS) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("sweep %s: say how many runs are drawn, 1 to %d, as in random 20"), spec,
                MOST_DRAWS);
    return FALSE;
  }
  sweep->is_together = TRUE;
  sweep->n_draws = n;
  return TRUE;
}

static gboolean
check_lengths(const LacSweep *sweep, GError **error)
{
  for (guint i = 1; sweep->is_together && i < sweep->axes->len; i++) {
    const Axis *first = &g_array_index(sweep->axes, Axis, 0);
    const Axis *axis = &g_array_index(sweep->axes, Axis, i);
    if (axis->n == first->n)
      continue;
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                _("%s has %zu values and %s %zu: values that go together are as many"), first->key,
                first->n, axis->key, axis->n);
    return FALSE;
  }
  return TRUE;
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
  Axis           *kept = &g_array_index(sweep->axes, Axis, sweep->axes->len - 1);
  const LacParam *row = lac_param_find(lac_draft_get_table(trial), kept->key);
  if (sweep->n_draws > 0 && !draw_axis(sweep, kept, row, equals + 1, error))
    return FALSE;
  for (gsize i = 0; i < kept->n; i++) {
    if (!lac_draft_set(trial, kept->key, g_strstrip(kept->values[i]), error))
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
    gboolean is_kind;
    if (!take_kind(sweep, specs[i], &is_kind, error) ||
        (!is_kind && !add_axis(sweep, trial, specs[i], error)))
      return NULL;
  }
  return check_lengths(sweep, error) ? g_steal_pointer(&sweep) : NULL;
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

  if (sweep->is_together)
    return sweep->axes->len > 0 ? g_array_index(sweep->axes, Axis, 0).n : 1;
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
  for (gsize k = sweep->axes->len; !sweep->is_together && k-- > a + 1;)
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
  return lac_inputs_give(draft, error);
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
