/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Facts of a run beside the live picture, and its metrics. */
#include "app/live/facts.h"

#include "app/session/words.h"
#include "app/toolkit/format.h"
#include "app/toolkit/style.h"
#include "app/toolkit/tip.h"
#include "base/clock.h"
#include "report/summary/reliability.h"
#include "report/text/metric-group.h"
#include "report/text/metric-text.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

/* ---- the facts: in two columns; a row that does not apply is not shown ---- */

#define AGE_PERIOD_MS 250 /* the age of the frame increases while no new one arrives */

enum { STEP, AGE, SKIPPED, ELAPSED, COMPUTER, CHOICE, USED, RESERVED, MOST, N_ROWS };

static const struct {
  const char *name, *help; /* @help: (nullable) */
} facts[N_ROWS] = {
  [STEP] = {N_("Frame at step"), NULL},
  [AGE] = {N_("Age of frame"), NULL},
  [SKIPPED] = {N_("Frames skipped"), NULL},
  [ELAPSED] = {N_("Compute time"), NULL},
  [COMPUTER] = {N_("Computed by"), NULL},
  [CHOICE] = {N_("Reason"), N_("Why the GPU or the processor was chosen")},
  [USED] = {N_("Device memory"), N_("Device memory currently used by the run")},
  [RESERVED] = {N_("Reserved"), N_("Device memory allocated for the run, including unused parts")},
  [MOST] = {N_("Peak"), N_("Largest device memory use of the run so far")},
};

struct _LacLiveFacts {
  GtkWidget   parent_instance;
  GtkLabel   *names[N_ROWS], *values[N_ROWS];
  LacSession *session;
  gint64      step, made_ns; /* of the frame shown; -1: none yet */
  guint       ticker;
};

G_DEFINE_FINAL_TYPE(LacLiveFacts, lac_live_facts, GTK_TYPE_WIDGET)

/* @text: (transfer full) (nullable): NULL hides the row */
static void
show_fact(LacLiveFacts *self, int row, char *text)
{
  gtk_widget_set_visible(GTK_WIDGET(self->names[row]), text != NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->values[row]), text != NULL);
  if (text != NULL && g_strcmp0(gtk_label_get_text(self->values[row]), text) != 0)
    gtk_label_set_text(self->values[row], text);
  g_free(text);
}

static char *
dup_age(LacLiveFacts *self)
{
  if (lac_session_is_followed(self->session))
    return lac_session_dup_age(self->session);
  if (lac_session_get_status(self->session)->state == LAC_RUN_RUNNING)
    return lac_format_duration((double) (lac_clock_ns() - self->made_ns) / 1e9);
  return g_strdup("–");
}

static void
show_frame(LacLiveFacts *self)
{
  if (self->made_ns < 0)
    return;
  show_fact(self, STEP, lac_format_count((guint64) MAX(self->step, 0)));
  show_fact(self, AGE, dup_age(self));
  show_fact(self, SKIPPED, lac_format_count(lac_session_get_n_skipped(self->session)));
}

/* Shows device memory. After the end of a run none is in use, but the peak stays visible. */
static void
show_device(LacLiveFacts *self, const LacRunStatus *status)
{
  gboolean has_memory = status->memory.reserved > 0;
  gboolean is_active = has_memory && lac_session_is_active(self->session);
  gboolean is_on_device = status->device[0] != '\0';
  show_fact(self, COMPUTER, g_strdup(is_on_device ? status->device : _("processor")));
  show_fact(self, CHOICE, status->choice[0] != '\0' ? g_strdup(status->choice) : NULL);
  show_fact(self, USED, is_active ? lac_format_bytes((double) status->memory.used) : NULL);
  show_fact(self, RESERVED, is_active ? lac_format_bytes((double) status->memory.reserved) : NULL);
  show_fact(self, MOST, has_memory ? lac_format_bytes((double) status->memory.peak) : NULL);
}

static void
show_status(LacLiveFacts *self)
{
  const LacRunStatus *status = lac_session_get_status(self->session);
  show_fact(self, ELAPSED, lac_format_duration(status->seconds));
  show_device(self, status);
  show_frame(self);
}

/* While frames stream, their facts are shown with the status, which arrives less often. */
void
lac_live_facts_set_frame(LacLiveFacts *self, const LacFrame *frame)
{
  g_return_if_fail(LAC_IS_LIVE_FACTS(self) && self->session != NULL);
  self->step = frame->step;
  self->made_ns = frame->made_ns;
  if (!lac_session_is_active(self->session))
    show_frame(self);
}

static gboolean
on_tick(gpointer user_data)
{
  LacLiveFacts *self = user_data;
  if (!lac_session_is_active(self->session)) {
    self->ticker = 0;
    show_frame(self);
    return G_SOURCE_REMOVE;
  }
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    show_frame(self);
  return G_SOURCE_CONTINUE;
}

static void
disconnect_session(LacLiveFacts *self)
{
  g_clear_handle_id(&self->ticker, g_source_remove);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
}

static void
lac_live_facts_dispose(GObject *object)
{
  LacLiveFacts *self = LAC_LIVE_FACTS(object);
  disconnect_session(self);
  g_clear_object(&self->session);
  for (GtkWidget *child; (child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL;)
    gtk_widget_unparent(child);
  G_OBJECT_CLASS(lac_live_facts_parent_class)->dispose(object);
}

static void
lac_live_facts_class_init(LacLiveFactsClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_live_facts_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkLabel *
attach_label(GtkGrid *grid, const char *text, const char *css, int column, int row)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), (float) column);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_widget_add_css_class(label, css);
  gtk_widget_set_hexpand(label, column == 0);
  gtk_widget_set_valign(label, GTK_ALIGN_START);
  gtk_grid_attach(grid, label, column, row, 1, 1);
  return GTK_LABEL(label);
}

static void
lac_live_facts_init(LacLiveFacts *self)
{
  GtkWidget *grid = gtk_grid_new();
  gtk_grid_set_row_spacing(GTK_GRID(grid), 6);
  gtk_grid_set_column_spacing(GTK_GRID(grid), 12);
  gtk_widget_set_parent(grid, GTK_WIDGET(self));
  for (int i = 0; i < N_ROWS; i++) {
    const char *help = facts[i].help != NULL ? _(facts[i].help) : NULL;
    self->names[i] = attach_label(GTK_GRID(grid), _(facts[i].name), "dim-label", 0, i);
    self->values[i] = attach_label(GTK_GRID(grid), "", "numeric", 1, i);
    gtk_label_set_justify(self->values[i], GTK_JUSTIFY_RIGHT);
    lac_tip_set(GTK_WIDGET(self->names[i]), help);
    show_fact(self, i, NULL);
  }
  gtk_label_set_width_chars(self->values[AGE], 8); /* constant width: it changes often */
}

void
lac_live_facts_set_session(LacLiveFacts *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_LIVE_FACTS(self));
  disconnect_session(self);
  g_set_object(&self->session, session);
  self->made_ns = -1;
  for (int i = 0; i < N_ROWS; i++)
    show_fact(self, i, NULL);
  if (session == NULL)
    return;
  g_signal_connect_object(session, "status-changed", G_CALLBACK(show_status), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(session, "ended", G_CALLBACK(show_status), self, G_CONNECT_SWAPPED);
  if (lac_session_is_active(session))
    self->ticker = g_timeout_add(AGE_PERIOD_MS, on_tick, self);
  show_status(self);
}

/* ---- the metrics: one a row, its value at the right; each value takes no more than it needs, so that names wrap late ---- */

struct _LacMetricList {
  GtkWidget   parent_instance;
  GtkGrid    *grid;
  LacSession *session;
  GPtrArray  *values; /* GtkLabel per metric, borrowed; NULL if not listed */
  GPtrArray
    *reliabilities; /* GtkLabel per metric, borrowed: set at a method's first metric, else NULL */
};

G_DEFINE_FINAL_TYPE(LacMetricList, lac_metric_list, GTK_TYPE_WIDGET)

/* Shows the reliability sentence above the metrics of a method that is evaluated by its sensors. */
static void
show_reliability(LacMetricList *self)
{
  gsize              n;
  const LacMetric   *metrics = lac_session_get_metrics(self->session, &n);
  g_autofree double *values = g_new(double, n + 1);

  for (gsize i = 0; i < n; i++)
    values[i] = lac_session_get_last(self->session, i);
  for (gsize i = 0; i < n && i < self->reliabilities->len; i++) {
    GtkWidget *label = g_ptr_array_index(self->reliabilities, i);

    if (label == NULL)
      continue;
    const LacReliability reliability =
      lac_reliability_gather(lac_metric_group(&metrics[i]), metrics, values, n);
    g_autofree char *sentence = lac_reliability_dup_sentence(&reliability);

    gtk_widget_set_visible(label, sentence != NULL);
    if (sentence != NULL) {
      g_autofree char *text = g_strdup_printf(_("It %s."), sentence);

      if (!g_str_equal(gtk_label_get_text(GTK_LABEL(label)), text))
        gtk_label_set_text(GTK_LABEL(label), text);
    }
  }
}

static void
show_metrics(LacMetricList *self)
{
  gsize              n;
  const LacMetric   *metrics = lac_session_get_metrics(self->session, &n);
  g_autofree double *values = g_new(double, n + 1);
  for (gsize i = 0; i < n; i++)
    values[i] = lac_session_get_last(self->session, i);
  for (gsize i = 0; i < n && i < self->values->len; i++) {
    GtkLabel        *label = g_ptr_array_index(self->values, i);
    g_autofree char *text = label != NULL ? lac_metric_text(metrics, values, n, i) : NULL;
    if (label != NULL)
      gtk_label_set_text(label, text);
  }
  show_reliability(self);
}

static void
add_metric(LacMetricList *self, const LacMetric *metric, int row)
{
  g_autofree char *name = lac_format_metric_name(metric);
  g_autofree char *whole = g_strdup_printf("%s\n%s", lac_word(metric->label), metric->key);
  GtkWidget       *label = gtk_label_new(name);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_add_css_class(label, metric->is_result ? "body" : "dim-label");
  lac_tip_set(label, whole);
  GtkWidget *value = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(value), 1);
  gtk_label_set_width_chars(GTK_LABEL(value), 9);
  gtk_widget_set_valign(value, GTK_ALIGN_START);
  gtk_label_set_selectable(GTK_LABEL(value), TRUE);
  gtk_widget_set_can_focus(value, FALSE);
  gtk_widget_add_css_class(value, "numeric");
  if (metric->is_result)
    gtk_widget_add_css_class(value, "heading");
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  gtk_box_append(GTK_BOX(box), label);
  gtk_box_append(GTK_BOX(box), value);
  gtk_grid_attach(self->grid, box, 0, row, 1, 1);
  g_ptr_array_add(self->values, value);
}

static void
add_heading(LacMetricList *self, const char *group, int row)
{
  gsize             n, n_channels;
  const LacMetric  *metrics = lac_session_get_metrics(self->session, &n);
  const LacChannel *channels = lac_session_get_channels(self->session, &n_channels);
  GtkWidget        *label =
    gtk_label_new(_(lac_metric_group_label(group, metrics, n, channels, n_channels)));
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_widget_add_css_class(label, "caption-heading");
  gtk_widget_set_margin_top(label, 6);
  gtk_grid_attach(self->grid, label, 0, row, 1, 1);
}

static GtkWidget *
add_reliability(LacMetricList *self, int row)
{
  GtkWidget *label = gtk_label_new(NULL);

  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_wrap(GTK_LABEL(label), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(label), 30);
  gtk_label_set_natural_wrap_mode(GTK_LABEL(label), GTK_NATURAL_WRAP_NONE);
  gtk_label_set_selectable(GTK_LABEL(label), TRUE);
  gtk_widget_set_can_focus(label, FALSE);
  gtk_widget_set_visible(label, FALSE);
  gtk_grid_attach(self->grid, label, 0, row, 1, 1);
  return label;
}

static gboolean
is_scored(const char *group, const LacMetric *metrics, gsize n)
{
  for (gsize i = 0; i < n; i++)
    if (lac_metric_group(&metrics[i]) == group && lac_reliability_has_metric(metrics[i].key))
      return TRUE;
  return FALSE;
}

static void
make_metrics(LacMetricList *self)
{
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->grid))) != NULL)
    gtk_grid_remove(self->grid, child);
  g_ptr_array_set_size(self->values, 0);
  g_ptr_array_set_size(self->reliabilities, 0);
  if (self->session == NULL)
    return;
  gsize            n;
  const LacMetric *metrics = lac_session_get_metrics(self->session, &n);
  /* Rows keep the declared order; results are bold. */
  const char *group = "";
  int         row = 0;
  for (gsize i = 0; i < n; i++) {
    const char *own = lac_metric_group(&metrics[i]);
    GtkWidget  *reliability = NULL;
    if (own != group && *own != '\0') {
      add_heading(self, own, row++);
      if (is_scored(own, metrics, n))
        reliability = add_reliability(self, row++);
    }
    g_ptr_array_add(self->reliabilities, reliability);
    group = own;
    if (lac_metric_is_error(metrics, n, i))
      g_ptr_array_add(self->values, NULL);
    else
      add_metric(self, &metrics[i], row++);
  }
  show_metrics(self);
}

static void
lac_metric_list_dispose(GObject *object)
{
  LacMetricList *self = LAC_METRIC_LIST(object);
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_clear_object(&self->session);
  GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self));
  if (child != NULL)
    gtk_widget_unparent(child);
  g_clear_pointer(&self->values, g_ptr_array_unref);
  g_clear_pointer(&self->reliabilities, g_ptr_array_unref);
  G_OBJECT_CLASS(lac_metric_list_parent_class)->dispose(object);
}

static void
lac_metric_list_class_init(LacMetricListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_metric_list_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
on_unit(GtkWidget *widget)
{
  if (LAC_METRIC_LIST(widget)->session != NULL)
    show_metrics(LAC_METRIC_LIST(widget));
}

static void
lac_metric_list_init(LacMetricList *self)
{
  self->values = g_ptr_array_new();
  self->reliabilities = g_ptr_array_new();
  self->grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_row_spacing(self->grid, 6);
  gtk_widget_set_parent(GTK_WIDGET(self->grid), GTK_WIDGET(self));
  lac_style_follow_units(GTK_WIDGET(self), on_unit);
}

void
lac_metric_list_set_session(LacMetricList *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_METRIC_LIST(self));
  if (self->session != NULL)
    g_signal_handlers_disconnect_by_data(self->session, self);
  g_set_object(&self->session, session);
  if (session != NULL)
    g_signal_connect_object(session, "status-changed", G_CALLBACK(show_metrics), self,
                            G_CONNECT_SWAPPED);
  make_metrics(self);
}
