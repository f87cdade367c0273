/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sweep runs: the full grid, values varied together, or random draws. */
#include "run/plan/sweep.h"

#include "base/error.h"
#include "base/number.h"
#include "base/rng.h"
#include "run/core/inputs.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

typedef struct {
  char *key;
  GStrv values;
  gsize n;
} Axis;

struct _LacSweep {
  GArray  *axes;        /* element type Axis */
  gboolean is_together; /* run i takes the i-th value of every axis */
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

/* ---- values of one axis ---- */

static gboolean
read_end(const LacSweepAxis *axis, const char *text, double *value, GError **error)
{
  if (lac_number_parse(text, value) && isfinite(*value))
    return TRUE;
  if (*text == '\0')
    return lac_refuse(error, LAC_ERROR_USAGE, _("%s: a range has two ends, as in 4..16"),
                      axis->key);
  return lac_refuse(error, LAC_ERROR_USAGE,
                    _("%s: %s is not a number; use a decimal point, as in 0.5"), axis->key, text);
}

static gboolean
read_ends(const LacSweepAxis *axis, double ends[2], GError **error)
{
  if (!read_end(axis, axis->from, &ends[0], error) || !read_end(axis, axis->to, &ends[1], error))
    return FALSE;
  if (lac_sweep_spacing_is_drawn(axis->spacing) ? ends[0] >= ends[1] : ends[0] == ends[1])
    return lac_refuse(error, LAC_ERROR_USAGE,
                      _("%s: the range from %s to %s is empty; the smaller value comes first"),
                      axis->key, axis->from, axis->to);
  if (lac_sweep_spacing_is_log(axis->spacing) && (ends[0] <= 0 || ends[1] <= 0))
    return lac_refuse(error, LAC_ERROR_USAGE,
                      _("%s: both ends of a logarithmic range must be above 0"), axis->key);
  return TRUE;
}

static char *
format_number(double value, gboolean is_integer)
{
  char text[G_ASCII_DTOSTR_BUF_SIZE];

  return g_strdup(g_ascii_formatd(text, sizeof text, is_integer ? "%.0f" : "%.6g", value));
}

/* Refuses equal texts, which would repeat a run. */
static gboolean
check_apart(const LacSweepAxis *axis, const char *const *values, GError **error)
{
  for (gsize i = 1; values[i] != NULL; i++)
    if (strcmp(values[i], values[i - 1]) == 0)
      return lac_refuse(error, LAC_ERROR_USAGE,
                        _("%s: %u values from %s to %s contain %s twice; use fewer values"),
                        axis->key, axis->n, axis->from, axis->to, values[i]);
  return TRUE;
}

static GStrv
make_steps(const LacSweepAxis *axis, gboolean is_integer, GError **error)
{
  double ends[2];

  if (!read_ends(axis, ends, error))
    return NULL;
  if (axis->n < 2 || axis->n > LAC_SWEEP_MOST_STEPS) {
    lac_refuse(error, LAC_ERROR_USAGE, _("%s: %u values are not possible; use 2 to %d"), axis->key,
               axis->n, LAC_SWEEP_MOST_STEPS);
    return NULL;
  }
  g_auto(GStrv) values = g_new0(char *, (gsize) axis->n + 1);
  for (guint i = 0; i < axis->n; i++) {
    const double share = (double) i / (axis->n - 1);
    const double value = axis->spacing == LAC_SWEEP_LOG_STEPS
                           ? ends[0] * pow(ends[1] / ends[0], share)
                           : ends[0] + share * (ends[1] - ends[0]);
    values[i] = i == 0             ? g_strdup(axis->from)
                : i + 1 == axis->n ? g_strdup(axis->to)
                                   : format_number(value, is_integer);
  }
  if (!check_apart(axis, (const char *const *) values, error))
    return NULL;
  return g_steal_pointer(&values);
}

static GStrv
split_list(const LacSweepAxis *axis, GError **error)
{
  if (*axis->list == '\0') {
    lac_refuse(error, LAC_ERROR_USAGE, _("%s: list its values, as in 4, 8, 12"), axis->key);
    return NULL;
  }
  if (strchr(axis->list, ';') != NULL) {
    lac_refuse(error, LAC_ERROR_USAGE, _("%s: separate values by commas, as in 4, 8, 12"),
               axis->key);
    return NULL;
  }
  GStrv values = g_strsplit(axis->list, ",", -1);
  for (gsize i = 0; values[i] != NULL; i++)
    g_strstrip(values[i]);
  return values;
}

/* ---- drawing ---- */

static char *
draw_from(const double range[2], gboolean is_log, gboolean is_integer, LacRng *rng)
{
  const double share = lac_rng_uniform(rng);
  char         text[G_ASCII_DTOSTR_BUF_SIZE];

  if (is_integer && !is_log) /* all integers are equally likely */
    return g_strdup_printf(
      "%.0f", MIN(floor(range[0] + share * (range[1] - range[0] + 1)), floor(range[1])));
  double value =
    is_log ? range[0] * pow(range[1] / range[0], share) : range[0] + share * (range[1] - range[0]);
  return g_strdup(g_ascii_formatd(text, sizeof text, is_integer ? "%.0f" : "%.4g", value));
}

/* Draws values; each axis has its own random stream, the same in every process. @from: (nullable): the values to draw
 * from; NULL: the range. */
static GStrv
draw(const LacSweepPlan *plan,
     const LacSweepAxis *axis,
     const GStrv         from,
     gboolean            is_integer,
     GError            **error)
{
  LacRng      rng = lac_rng(plan->seed, g_str_hash(axis->key));
  const gsize n = from != NULL ? g_strv_length(from) : 0;
  double      range[2] = {0, 0};

  if (from == NULL && !read_ends(axis, range, error))
    return NULL;
  GStrv drawn = g_new0(char *, (gsize) plan->n_draws + 1);
  for (guint i = 0; i < plan->n_draws; i++)
    drawn[i] = from != NULL
                 ? g_strdup(from[(gsize) (lac_rng_uniform(&rng) * (double) n) % n])
                 : draw_from(range, lac_sweep_spacing_is_log(axis->spacing), is_integer, &rng);
  return drawn;
}

static GStrv
make_values(const LacSweepPlan *plan, const LacSweepAxis *axis, gboolean is_integer, GError **error)
{
  const gboolean is_range = lac_sweep_spacing_is_drawn(axis->spacing);
  g_auto(GStrv)  named = NULL;

  if (is_range && plan->kind != LAC_SWEEP_RANDOM) {
    lac_refuse(error, LAC_ERROR_USAGE,
               _("%s: give the number of values in the range, as in %s..%s in 5"), axis->key,
               axis->from, axis->to);
    return NULL;
  }
  if (!is_range) {
    named = axis->spacing == LAC_SWEEP_VALUES ? split_list(axis, error)
                                              : make_steps(axis, is_integer, error);
    if (named == NULL)
      return NULL;
  }
  return plan->kind == LAC_SWEEP_RANDOM ? draw(plan, axis, named, is_integer, error)
                                        : g_steal_pointer(&named);
}

/* ---- an axis among the others ---- */

gboolean
lac_sweep_can_vary(const LacParam *row)
{
  return row->kind != LAC_PARAM_TEXT;
}

static gboolean
is_seed(const LacParamTable *params, const char *key)
{
  return g_str_equal(key, LAC_SWEEP_SEED) && lac_param_find(params, key) == NULL;
}

const LacParam *
lac_sweep_find_row(const LacParamTable *params, const char *key)
{
  return is_seed(params, key) ? &lac_launch_row(LAC_LAUNCH_SEED)->param
                              : lac_param_find(params, key);
}

static gboolean
check_once(const LacSweepPlan *plan, guint axis, GError **error)
{
  const char *key = lac_sweep_plan_get_axis(plan, axis)->key;

  for (guint i = 0; i < axis; i++)
    if (strcmp(lac_sweep_plan_get_axis(plan, i)->key, key) == 0)
      return lac_refuse(error, LAC_ERROR_USAGE, _("%s is swept twice: write all its values once"),
                        key);
  return TRUE;
}

/* Checks that an axis has as many values as the first one, if that is countable. */
static gboolean
check_length(const LacSweepPlan *plan, guint axis, gsize n, GError **error)
{
  const LacSweepAxis *first = lac_sweep_plan_get_axis(plan, 0);

  if (plan->kind != LAC_SWEEP_TOGETHER || axis == 0)
    return TRUE;
  g_auto(GStrv) values = make_values(plan, first, FALSE, NULL);
  const gsize   n_first = values != NULL ? g_strv_length(values) : n;
  return n == n_first ||
         lac_refuse(error, LAC_ERROR_USAGE,
                    _("%s has %zu values and %s has %zu: parameters varied together "
                      "need the same number of values"),
                    first->key, n_first, lac_sweep_plan_get_axis(plan, axis)->key, n);
}

GStrv
lac_sweep_dup_values(const LacParamTable *params, const LacSweepPlan *plan, guint i, GError **error)
{
  const LacSweepAxis *axis = lac_sweep_plan_get_axis(plan, i);
  const LacParam     *row = lac_sweep_find_row(params, axis->key);
  g_autoptr(LacDraft) trial =
    lac_draft_new(is_seed(params, axis->key) ? lac_launch_params() : params);

  if (!check_once(plan, i, error))
    return NULL;
  g_auto(GStrv) values =
    make_values(plan, axis, row != NULL && row->kind == LAC_PARAM_INTEGER, error);
  if (values != NULL && lac_sweep_spacing_is_drawn(axis->spacing) &&
      (!lac_draft_set(trial, axis->key, axis->from, error) ||
       !lac_draft_set(trial, axis->key, axis->to, error)))
    return NULL; /* even if no drawn value is out of range */
  for (gsize k = 0; values != NULL && values[k] != NULL; k++)
    if (!lac_draft_set(trial, axis->key, values[k], error))
      return NULL;
  if (values == NULL || !check_length(plan, i, g_strv_length(values), error))
    return NULL;
  return g_steal_pointer(&values);
}

/* ---- all of them ---- */

static LacSweep *
new_sweep(const LacParamTable *params, const LacSweepPlan *plan, GError **error)
{
  g_autoptr(LacSweep) sweep = g_new0(LacSweep, 1);

  sweep->is_together = plan->kind != LAC_SWEEP_GRID;
  sweep->axes = g_array_new(FALSE, FALSE, sizeof(Axis));
  g_array_set_clear_func(sweep->axes, axis_clear);
  for (guint i = 0; i < plan->axes->len; i++) {
    GStrv values = lac_sweep_dup_values(params, plan, i, error);
    if (values == NULL)
      return NULL;
    Axis axis = {g_strdup(lac_sweep_plan_get_axis(plan, i)->key), values, g_strv_length(values)};
    g_array_append_val(sweep->axes, axis);
  }
  return g_steal_pointer(&sweep);
}

LacSweep *
lac_sweep_parse(const LacParamTable *params, const char *text, GError **error)
{
  g_autoptr(LacSweepPlan) plan = lac_sweep_plan_parse(text, error);

  return plan != NULL ? new_sweep(params, plan, error) : NULL;
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
    const char *key = g_array_index(sweep->axes, Axis, a).key;

    if (!is_seed(lac_draft_get_table(draft), key) &&
        !lac_draft_set(draft, key, lac_sweep_get_value(sweep, a, i), error))
      return FALSE;
  }
  return lac_inputs_give(draft, error);
}

guint64
lac_sweep_get_seed(const LacSweep *sweep, gsize i, guint64 otherwise)
{
  for (guint a = 0; a < sweep->axes->len; a++)
    if (g_str_equal(g_array_index(sweep->axes, Axis, a).key, LAC_SWEEP_SEED))
      return g_ascii_strtoull(lac_sweep_get_value(sweep, a, i), NULL, 10);
  return otherwise;
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

char *
lac_sweep_dup_identity(const char *text)
{
  g_return_val_if_fail(text != NULL, NULL);
  g_autoptr(GDateTime) now = g_date_time_new_now_local();
  g_autofree char     *stamp = g_date_time_format(now, "%Y%m%d-%H%M%S");

  return g_strdup_printf("%s-%04x %s", stamp, g_random_int() & 0xffff, text);
}
