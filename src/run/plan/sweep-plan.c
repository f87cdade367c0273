/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading and writing of a sweep's text. */
#include "run/plan/sweep-plan.h"

#include "base/error.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <string.h>

#define DOTS          ".."
#define TOGETHER      "together"
#define RANDOM        "random"
#define USUAL_DRAWS   20
#define USUAL_STEPS   5
#define DECIMAL       10
#define WORD_OF_LOG   "log"
#define WORD_OF_STEPS "in"
#define WORD_OF_SEED  "seed"

static void
axis_clear(gpointer data)
{
  LacSweepAxis *axis = data;

  g_free(axis->key);
  g_free(axis->list);
  g_free(axis->from);
  g_free(axis->to);
}

LacSweepPlan *
lac_sweep_plan_new(void)
{
  LacSweepPlan *plan = g_new0(LacSweepPlan, 1);

  plan->n_draws = USUAL_DRAWS;
  plan->axes = g_array_new(FALSE, FALSE, sizeof(LacSweepAxis));
  g_array_set_clear_func(plan->axes, axis_clear);
  return plan;
}

void
lac_sweep_plan_free(LacSweepPlan *plan)
{
  if (plan == NULL)
    return;
  g_array_unref(plan->axes);
  g_free(plan);
}

LacSweepAxis *
lac_sweep_plan_get_axis(const LacSweepPlan *plan, guint i)
{
  g_return_val_if_fail(i < plan->axes->len, NULL);
  return &g_array_index(plan->axes, LacSweepAxis, i);
}

void
lac_sweep_plan_add(LacSweepPlan *plan, const char *key, const char *list)
{
  LacSweepAxis axis = {g_strdup(key), LAC_SWEEP_VALUES, g_strdup(list),
                       g_strdup(""),  g_strdup(""),     USUAL_STEPS};

  g_array_append_val(plan->axes, axis);
}

void
lac_sweep_plan_remove(LacSweepPlan *plan, guint i)
{
  g_return_if_fail(i < plan->axes->len);
  g_array_remove_index(plan->axes, i);
}

gboolean
lac_sweep_spacing_has_steps(LacSweepSpacing spacing)
{
  return spacing == LAC_SWEEP_STEPS || spacing == LAC_SWEEP_LOG_STEPS;
}

gboolean
lac_sweep_spacing_is_log(LacSweepSpacing spacing)
{
  return spacing == LAC_SWEEP_LOG_STEPS || spacing == LAC_SWEEP_LOG_RANGE;
}

gboolean
lac_sweep_spacing_is_drawn(LacSweepSpacing spacing)
{
  return spacing == LAC_SWEEP_RANGE || spacing == LAC_SWEEP_LOG_RANGE;
}

void
lac_sweep_plan_set_kind(LacSweepPlan *plan, LacSweepKind kind)
{
  static const LacSweepSpacing drawn[LAC_N_SWEEP_SPACINGS] = {
    [LAC_SWEEP_VALUES] = LAC_SWEEP_VALUES,       [LAC_SWEEP_STEPS] = LAC_SWEEP_RANGE,
    [LAC_SWEEP_LOG_STEPS] = LAC_SWEEP_LOG_RANGE, [LAC_SWEEP_RANGE] = LAC_SWEEP_RANGE,
    [LAC_SWEEP_LOG_RANGE] = LAC_SWEEP_LOG_RANGE,
  };
  static const LacSweepSpacing named[LAC_N_SWEEP_SPACINGS] = {
    [LAC_SWEEP_VALUES] = LAC_SWEEP_VALUES,       [LAC_SWEEP_STEPS] = LAC_SWEEP_STEPS,
    [LAC_SWEEP_LOG_STEPS] = LAC_SWEEP_LOG_STEPS, [LAC_SWEEP_RANGE] = LAC_SWEEP_STEPS,
    [LAC_SWEEP_LOG_RANGE] = LAC_SWEEP_LOG_STEPS,
  };

  if (plan->kind == kind)
    return;
  plan->kind = kind;
  for (guint i = 0; i < plan->axes->len; i++) {
    LacSweepAxis *axis = lac_sweep_plan_get_axis(plan, i);
    axis->spacing = (kind == LAC_SWEEP_RANDOM ? drawn : named)[axis->spacing];
  }
}

/* ---- reading ---- */

static void
replace(char **text, const char *with)
{
  g_free(*text);
  *text = g_strstrip(g_strdup(with));
}

/* Removes " N" after @word from the end of @text. Returns: FALSE with @text unchanged if there is none. */
static gboolean
take_number(char *text, const char *word, guint64 most, guint64 *n)
{
  g_autofree char *mark = g_strconcat(" ", word, " ", NULL);
  char            *at = g_strrstr(text, mark), *end;

  if (at == NULL)
    return FALSE;
  const char *digits = at + strlen(mark);
  *n = g_ascii_strtoull(digits, &end, DECIMAL);
  if (!g_ascii_isdigit(*digits) || *end != '\0' || *n > most)
    return FALSE;
  *at = '\0';
  g_strchomp(text);
  return TRUE;
}

/* Returns TRUE for a range, which has neither a slash nor a comma, unlike paths and lists. */
static gboolean
is_range(const char *values)
{
  return strstr(values, DOTS) != NULL && strchr(values, ',') == NULL && strchr(values, '/') == NULL;
}

static void
take_values(LacSweepAxis *axis, const char *values)
{
  g_autofree char *copy = g_strstrip(g_strdup(values));
  guint64          n = 0;

  if (!is_range(copy)) {
    replace(&axis->list, copy);
    return;
  }
  const gboolean has_steps = take_number(copy, WORD_OF_STEPS, G_MAXUINT, &n);
  gboolean       is_log = g_str_has_suffix(copy, " " WORD_OF_LOG);
  char          *dots = strstr(copy, DOTS);
  if (is_log)
    copy[strlen(copy) - strlen(" " WORD_OF_LOG)] = '\0';
  *dots = '\0';
  replace(&axis->from, copy);
  replace(&axis->to, dots + strlen(DOTS));
  if (has_steps) {
    axis->n = (guint) n;
    axis->spacing = is_log ? LAC_SWEEP_LOG_STEPS : LAC_SWEEP_STEPS;
  } else {
    axis->spacing = is_log ? LAC_SWEEP_LOG_RANGE : LAC_SWEEP_RANGE;
  }
}

static gboolean
take_axis(LacSweepPlan *plan, const char *spec, GError **error)
{
  const char *equals = strchr(spec, '=');

  if (equals == NULL || equals == spec) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE, _("sweep %s: write it as KEY=A,B,C"), spec);
    return FALSE;
  }
  g_autofree char *key = g_strstrip(g_strndup(spec, (gsize) (equals - spec)));
  lac_sweep_plan_add(plan, key, "");
  take_values(lac_sweep_plan_get_axis(plan, plan->axes->len - 1), equals + 1);
  return TRUE;
}

/* Parses "random N", "random N seed S". */
static gboolean
take_draws(LacSweepPlan *plan, const char *spec, GError **error)
{
  g_autofree char *copy = g_strdup(spec);
  char            *end;
  guint64          seed = 0;

  take_number(copy, WORD_OF_SEED, G_MAXUINT64, &seed);
  guint64 n = g_ascii_strtoull(copy + strlen(RANDOM), &end, DECIMAL);
  if (*g_strchug(end) != '\0' || n < 1 || n > LAC_SWEEP_MOST_DRAWS) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("sweep %s: give the number of runs, 1 to %d, as in random 20"), spec,
                LAC_SWEEP_MOST_DRAWS);
    return FALSE;
  }
  plan->kind = LAC_SWEEP_RANDOM;
  plan->n_draws = (guint) n;
  plan->seed = seed;
  return TRUE;
}

static gboolean
take_spec(LacSweepPlan *plan, const char *spec, GError **error)
{
  if (*spec == '\0')
    return TRUE;
  if (strcmp(spec, TOGETHER) == 0) {
    plan->kind = LAC_SWEEP_TOGETHER;
    return TRUE;
  }
  if (g_str_has_prefix(spec, RANDOM) && strchr(spec, '=') == NULL)
    return take_draws(plan, spec, error);
  return take_axis(plan, spec, error);
}

LacSweepPlan *
lac_sweep_plan_parse(const char *text, GError **error)
{
  g_autoptr(LacSweepPlan) plan = lac_sweep_plan_new();
  g_auto(GStrv)           specs = g_strsplit(text, ";", -1);

  for (gsize i = 0; specs[i] != NULL; i++)
    if (!take_spec(plan, g_strstrip(specs[i]), error))
      return NULL;
  return g_steal_pointer(&plan);
}

/* ---- writing ---- */

static void
write_kind(const LacSweepPlan *plan, GString *text)
{
  switch (plan->kind) {
  case LAC_SWEEP_GRID: return;
  case LAC_SWEEP_TOGETHER: g_string_append(text, TOGETHER "; "); return;
  case LAC_SWEEP_RANDOM: break;
  }
  g_string_append_printf(text, RANDOM " %u", plan->n_draws);
  if (plan->seed != 0)
    g_string_append_printf(text, " " WORD_OF_SEED " %" PRIu64, plan->seed);
  g_string_append(text, "; ");
}

static void
write_axis(const LacSweepAxis *axis, GString *text)
{
  g_string_append_printf(text, "%s=", axis->key);
  if (axis->spacing == LAC_SWEEP_VALUES) {
    g_string_append(text, axis->list);
    return;
  }
  g_string_append_printf(text, "%s" DOTS "%s", axis->from, axis->to);
  if (lac_sweep_spacing_is_log(axis->spacing))
    g_string_append(text, " " WORD_OF_LOG);
  if (lac_sweep_spacing_has_steps(axis->spacing))
    g_string_append_printf(text, " " WORD_OF_STEPS " %u", axis->n);
}

char *
lac_sweep_plan_dup_text(const LacSweepPlan *plan)
{
  GString *text = g_string_new(NULL);

  if (plan->axes->len > 0)
    write_kind(plan, text);
  for (guint i = 0; i < plan->axes->len; i++) {
    if (i > 0)
      g_string_append(text, "; ");
    write_axis(lac_sweep_plan_get_axis(plan, i), text);
  }
  return g_string_free(text, FALSE);
}
