/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sweep as run by the window. */
#include "app/session/sweep-series.h"

#include "base/error.h"
#include "field/frame.h"
#include "report/text/metric-group.h"
#include "report/text/number.h"

#include <glib/gi18n-lib.h>

#include <math.h>

typedef struct {
  char   *outcome, *folder;
  double  seconds;
  GArray *values; /* double, one per column; columns added later are missing */
} Result;

struct _LacSweepSeries {
  GObject        parent_instance;
  LacRunSettings settings; /* its strings are static */
  LacDraft      *draft, *next;
  LacSweep      *sweep;
  char          *identity; /* lac_sweep_dup_identity() */
  GArray        *results;  /* Result */
  GArray        *columns;  /* LacMetric */
  GPtrArray     *methods;  /* method per column; NULL: the run's own */
  gboolean       stopped;
};

G_DEFINE_FINAL_TYPE(LacSweepSeries, lac_sweep_series, G_TYPE_OBJECT)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
result_clear(gpointer data)
{
  Result *result = data;
  g_free(result->outcome);
  g_free(result->folder);
  g_array_unref(result->values);
}

static void
lac_sweep_series_finalize(GObject *object)
{
  LacSweepSeries *self = LAC_SWEEP_SERIES(object);
  g_clear_pointer(&self->draft, lac_draft_free);
  g_clear_pointer(&self->next, lac_draft_free);
  g_clear_pointer(&self->sweep, lac_sweep_free);
  g_free(self->identity);
  g_array_unref(self->results);
  g_array_unref(self->columns);
  g_ptr_array_unref(self->methods);
  G_OBJECT_CLASS(lac_sweep_series_parent_class)->finalize(object);
}

static void
lac_sweep_series_class_init(LacSweepSeriesClass *class)
{
  G_OBJECT_CLASS(class)->finalize = lac_sweep_series_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SWEEP_SERIES, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
}

static void
lac_sweep_series_init(LacSweepSeries *self)
{
  self->results = g_array_new(FALSE, FALSE, sizeof(Result));
  g_array_set_clear_func(self->results, result_clear);
  self->columns = g_array_new(FALSE, FALSE, sizeof(LacMetric));
  self->methods = g_ptr_array_new();
}

/* ---- before and between the runs ---- */

static gboolean
check(LacSweepSeries *self, GError **error)
{
  const LacExperiment *experiment = self->settings.experiment;
  gsize                n = lac_sweep_get_n(self->sweep);
  if (n > LAC_SWEEP_MOST) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                _("The sweep has %zu runs; at most %d are allowed."), n, LAC_SWEEP_MOST);
    return FALSE;
  }
  for (gsize i = 0; i < n; i++) {
    g_autoptr(LacDraft) draft = lac_draft_copy(self->draft);
    if (!lac_sweep_apply(self->sweep, i, draft, error))
      return FALSE;
    if (experiment->check != NULL &&
        !experiment->check(experiment, lac_draft_get_values(draft), error)) {
      g_autofree char *label = lac_sweep_dup_label(self->sweep, i);
      g_prefix_error(error, "%s: ", label);
      return FALSE;
    }
  }
  return TRUE;
}

LacSweepSeries *
lac_sweep_series_new(const LacRunSettings *settings, const char *text, GError **error)
{
  g_return_val_if_fail(settings->draft != NULL && text != NULL, NULL);
  g_autoptr(LacSweepSeries) self = g_object_new(LAC_TYPE_SWEEP_SERIES, NULL);
  self->settings = *settings;
  self->draft = lac_draft_copy(settings->draft);
  self->settings.draft = self->draft;
  self->sweep = lac_sweep_parse(lac_draft_get_table(self->draft), text, error);
  if (self->sweep == NULL || !check(self, error))
    return NULL;
  self->identity =
    settings->sweep != NULL ? g_strdup(settings->sweep) : lac_sweep_dup_identity(text);
  self->settings.sweep = self->identity;
  return g_steal_pointer(&self);
}

gboolean
lac_sweep_series_fill(LacSweepSeries *self, LacRunSettings *settings)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self), FALSE);
  if (lac_sweep_series_is_over(self))
    return FALSE;
  g_clear_pointer(&self->next, lac_draft_free);
  self->next = lac_sweep_series_make(self, self->results->len, settings);
  return TRUE;
}

LacDraft *
lac_sweep_series_make(LacSweepSeries *self, gsize i, LacRunSettings *settings)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self) && i < lac_sweep_get_n(self->sweep), NULL);
  LacDraft *draft = lac_draft_copy(self->draft);
  *settings = self->settings;
  settings->draft = draft;
  settings->seed = lac_sweep_get_seed(self->sweep, i, settings->seed);
  lac_sweep_apply(self->sweep, i, draft, NULL); /* checked when the sweep was created */
  return draft;
}

static gsize
find_column(LacSweepSeries *self, LacSession *session, const LacMetric *metric)
{
  for (gsize c = 0; c < self->columns->len; c++)
    if (g_str_equal(g_array_index(self->columns, LacMetric, c).key, metric->key))
      return c;
  gsize             n_metrics, n_channels;
  const LacMetric  *metrics = lac_session_get_metrics(session, &n_metrics);
  const LacChannel *channels = lac_session_get_channels(session, &n_channels);
  const char       *group = lac_metric_group(metric);
  const char       *method =
    *group == '\0' ? NULL : lac_metric_group_label(group, metrics, n_metrics, channels, n_channels);
  LacMetric own = *metric; /* copies strings that belong to the session */
  own.key = g_intern_string(metric->key);
  own.label = g_intern_string(metric->label);
  own.unit = g_intern_string(metric->unit);
  g_array_append_val(self->columns, own);
  g_ptr_array_add(self->methods, (gpointer) g_intern_string(method));
  return self->columns->len - 1;
}

void
lac_sweep_series_take(LacSweepSeries *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_SWEEP_SERIES(self) && !lac_sweep_series_is_over(self));
  const LacRunStatus *status = lac_session_get_status(session);
  gsize               n;
  const LacMetric    *metrics = lac_session_get_metrics(session, &n);
  Result result = {g_strdup(status->outcome), g_strdup(lac_session_get_folder(session)),
                   status->seconds, g_array_new(FALSE, FALSE, sizeof(double))};
  for (gsize m = 0; m < n; m++) {
    if (!metrics[m].is_result)
      continue;
    gsize  column = find_column(self, session, &metrics[m]);
    double none = NAN;
    while (result.values->len <= column)
      g_array_append_val(result.values, none);
    g_array_index(result.values, double, column) = lac_session_get_last(session, m);
  }
  g_array_append_val(self->results, result);
  g_signal_emit(self, signals[CHANGED], 0);
}

void
lac_sweep_series_stop(LacSweepSeries *self)
{
  g_return_if_fail(LAC_IS_SWEEP_SERIES(self));
  self->stopped = TRUE;
  g_signal_emit(self, signals[CHANGED], 0);
}

/* ---- results ---- */

const LacSweep *
lac_sweep_series_get_sweep(LacSweepSeries *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self), NULL);
  return self->sweep;
}

gsize
lac_sweep_series_get_n_done(LacSweepSeries *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self), 0);
  return self->results->len;
}

gboolean
lac_sweep_series_is_over(LacSweepSeries *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self), TRUE);
  return self->stopped || self->results->len >= lac_sweep_get_n(self->sweep);
}

const char *
lac_sweep_series_get_title(LacSweepSeries *self)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self), NULL);
  return g_dgettext(GETTEXT_PACKAGE, self->settings.experiment->title);
}

const LacMetric *
lac_sweep_series_get_columns(LacSweepSeries *self, gsize *n)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self), NULL);
  *n = self->columns->len;
  return (const LacMetric *) (gconstpointer) self->columns->data;
}

char *
lac_sweep_series_dup_key_label(LacSweepSeries *self, gsize k)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self), NULL);
  const LacParam *row =
    lac_sweep_find_row(lac_draft_get_table(self->draft), lac_sweep_get_key(self->sweep, k));
  return lac_label_with_unit(g_dgettext(GETTEXT_PACKAGE, row->label), row->unit);
}

double
lac_sweep_series_get_value(LacSweepSeries *self, gsize i, gsize column)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self) && i < self->results->len, NAN);
  const GArray *values = g_array_index(self->results, Result, i).values;
  return column < values->len ? g_array_index(values, double, column) : (double) NAN;
}

double
lac_sweep_series_get_seconds(LacSweepSeries *self, gsize i)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self) && i < self->results->len, NAN);
  return g_array_index(self->results, Result, i).seconds;
}

const char *
lac_sweep_series_get_outcome(LacSweepSeries *self, gsize i)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self) && i < self->results->len, NULL);
  return g_array_index(self->results, Result, i).outcome;
}

const char *
lac_sweep_series_get_folder(LacSweepSeries *self, gsize i)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self) && i < self->results->len, NULL);
  return g_array_index(self->results, Result, i).folder;
}

const char *
lac_sweep_series_get_method(LacSweepSeries *self, gsize column)
{
  g_return_val_if_fail(LAC_IS_SWEEP_SERIES(self) && column < self->methods->len, NULL);
  const char *method = g_ptr_array_index(self->methods, column);
  return method != NULL ? g_dgettext(GETTEXT_PACKAGE, method) : NULL;
}
