/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Durations of two runs: histograms, a table, and a summary sentence. */
#include "app/runs/compare-durations.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/drawing-view.h"
#include "app/toolkit/format.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/style.h"
#include "base/number-display.h"
#include "perf/analysis/median-ratio.h"
#include "report/compare/comparison.h"
#include "report/timeline/duration-chart.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define TABLE_WIDTH 220
#define N_ROWS      (LAC_N_PERCENTILES + 1) /* plus the number of calls */

/* Durations of one operation in two runs. Reference-counted in the main loop only. */
typedef struct {
  LacRunFile      *runs[2];
  char            *operation;
  LacDurationChart chart;
  guint64          n_calls[2];
  LacRatio         ratio;
} Found;

struct _LacCompareDurations {
  GtkWidget     parent_instance;
  GtkWidget    *picture;
  GtkLabel     *sentence;
  GtkLabel     *cells[N_ROWS][2];
  LacLatestJob *finding;
  Found        *found; /* (nullable) */
};

G_DEFINE_FINAL_TYPE(LacCompareDurations, lac_compare_durations, GTK_TYPE_WIDGET)

static void
found_clear(gpointer data)
{
  Found *found = data;
  for (gsize r = 0; r < 2; r++)
    lac_run_file_unref(found->runs[r]);
  g_free(found->operation);
}

static void
found_unref(gpointer found)
{
  g_rc_box_release_full(found, found_clear);
}

/* ---- gathering ---- */

static gpointer
find(gpointer data, GCancellable *cancellable, GError **error)
{
  Found        *found = data;
  LacDurations *durations[2];
  double       *samples[2];
  gsize         n[2];
  for (gsize r = 0; r < 2; r++) {
    gint64 name = lac_capture_find_name(found->runs[r]->capture, found->operation);
    durations[r] =
      lac_durations_of_capture(found->runs[r]->capture, name >= 0 ? (guint32) name : G_MAXUINT32);
    samples[r] = lac_durations_dup_sample(durations[r], LAC_RATIO_MOST, &n[r]);
    found->n_calls[r] = lac_durations_get_n_calls(durations[r]);
    found->chart.series[r].label = lac_comparison_letter(r);
  }
  lac_duration_chart_take(&found->chart, durations, 2);
  found->ratio = lac_ratio_of_medians(samples[0], n[0], samples[1], n[1]);
  for (gsize r = 0; r < 2; r++) {
    lac_durations_free(durations[r]);
    g_free(samples[r]);
  }
  return NULL;
}

/* ---- words ---- */

static char *
dup_number(double value)
{
  return lac_number_dup_fixed(value, value < 10 ? 3 : 1);
}

/* Returns: a sentence on the ratio of medians; names the faster run only if the interval excludes 1. */
static char *
dup_sentence(const Found *found)
{
  const LacRatio  *ratio = &found->ratio;
  g_autofree char *times = dup_number(ratio->estimate);
  g_autofree char *low = dup_number(ratio->low), *high = dup_number(ratio->high);
  if (!isfinite(ratio->estimate))
    return g_strdup(_("One of the runs has no calls of this operation."));
  if (!isfinite(ratio->high))
    return g_strdup_printf(
      _("%s: the median of (b) is %s times that of (a); too few calls for a confidence interval."),
      found->operation, times);
  return g_strdup_printf(
    ratio->low > 1
      ? _("%s: (b) is slower: its median is %s times that of (a) (%s to %s at 95 %% confidence).")
    : ratio->high < 1
      ? _("%s: (b) is faster: its median is %s times that of (a) (%s to %s at 95 %% confidence).")
      : _("%s: no significant difference: the median of (b) is %s times that of (a) (%s to %s at "
          "95 %% confidence)."),
    found->operation, times, low, high);
}

static void
take_cell(GtkLabel *label, char *text)
{
  gtk_label_set_text(label, text);
  g_free(text);
}

static void
show_words(LacCompareDurations *self)
{
  const Found *found = self->found;
  for (gsize r = 0; r < 2; r++) {
    const LacDurationSeries *series = &found->chart.series[r];
    gboolean                 any = found->chart.n > 0 && found->n_calls[r] > 0;
    for (LacPercentile p = 0; p < LAC_N_PERCENTILES; p++)
      take_cell(self->cells[p][r],
                any ? lac_format_span(series->percentiles_ns[p]) : g_strdup("–"));
    take_cell(self->cells[N_ROWS - 1][r], lac_format_count(found->n_calls[r]));
  }
  g_autofree char *sentence = dup_sentence(found);
  gtk_label_set_text(self->sentence, sentence);
  g_autofree char *whole = g_strdup_printf(
    "%s\n%s", sentence, _("Valid for these two runs only: run-to-run variation is not included."));
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->sentence), whole);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 sentence, -1);
}

/* ---- the picture ---- */

#define LAC_TYPE_DURATION_PICTURE (lac_duration_picture_get_type())
G_DECLARE_FINAL_TYPE(LacDurationPicture,
                     lac_duration_picture,
                     LAC,
                     DURATION_PICTURE,
                     LacDrawingView)

struct _LacDurationPicture {
  LacDrawingView          parent_instance;
  const LacDurationChart *chart; /* (nullable): owned by the parent */
};

G_DEFINE_FINAL_TYPE(LacDurationPicture, lac_duration_picture, LAC_TYPE_DRAWING_VIEW)

static void
lac_duration_picture_draw(LacDrawingView *view, LacDrawing *drawing, double width, double height)
{
  LacDurationPicture *self = LAC_DURATION_PICTURE(view);
  if (self->chart == NULL)
    return;
  LacDurationChart chart = *self->chart;
  chart.width = width;
  chart.height = height;
  chart.font_size = LAC_DRAWING_FONT;
  const LacPalette palette = lac_style_run_palette();
  lac_duration_chart_draw(&chart, drawing, &palette);
}

static void
lac_duration_picture_class_init(LacDurationPictureClass *class)
{
  LAC_DRAWING_VIEW_CLASS(class)->draw = lac_duration_picture_draw;
}

static void
lac_duration_picture_init(LacDurationPicture *self)
{
  lac_accessible_name(self, _("Durations of the calls in both runs"));
}

/* ---- showing ---- */

static void
show_picture(LacCompareDurations *self)
{
  LAC_DURATION_PICTURE(self->picture)->chart = self->found != NULL ? &self->found->chart : NULL;
  gtk_widget_queue_draw(self->picture);
}

static void
on_found(gpointer owner, gpointer asked, gpointer result, const GError *error)
{
  LacCompareDurations *self = owner;
  self->found = g_rc_box_acquire(asked);
  show_words(self);
  show_picture(self);
}

void
lac_compare_durations_clear(LacCompareDurations *self)
{
  g_return_if_fail(LAC_IS_COMPARE_DURATIONS(self));
  lac_latest_job_cancel(self->finding);
  g_clear_pointer(&self->found, found_unref);
  gtk_label_set_text(self->sentence, _("The runs have no operation in common."));
  show_picture(self);
}

void
lac_compare_durations_show(LacCompareDurations *self,
                           LacRunFile *const   *runs,
                           const char          *operation)
{
  g_return_if_fail(LAC_IS_COMPARE_DURATIONS(self) && runs != NULL && operation != NULL);
  Found *asked = g_rc_box_new0(Found);
  lac_compare_durations_clear(self);
  asked->operation = g_strdup(operation);
  for (gsize r = 0; r < 2; r++)
    asked->runs[r] = lac_run_file_ref(runs[r]);
  gtk_label_set_text(self->sentence, _("Loading the calls of both runs…"));
  lac_latest_job_start(self->finding, asked);
}

/* ---- the object ---- */

static void
lac_compare_durations_dispose(GObject *object)
{
  LacCompareDurations *self = LAC_COMPARE_DURATIONS(object);
  GtkWidget           *child;
  if (self->picture != NULL)
    lac_compare_durations_clear(self);
  self->picture = NULL;
  g_clear_pointer(&self->finding, lac_latest_job_free);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self))) != NULL)
    gtk_widget_unparent(child);
  G_OBJECT_CLASS(lac_compare_durations_parent_class)->dispose(object);
}

static void
lac_compare_durations_class_init(LacCompareDurationsClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_compare_durations_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
  gtk_widget_class_set_accessible_role(GTK_WIDGET_CLASS(class), GTK_ACCESSIBLE_ROLE_GROUP);
}

static GtkWidget *
make_cell(const char *text, gboolean is_heading)
{
  GtkWidget *label = gtk_label_new(text);
  gtk_label_set_xalign(GTK_LABEL(label), is_heading ? 0 : 1);
  gtk_widget_add_css_class(label, is_heading ? "dim-label" : "numeric");
  gtk_widget_set_hexpand(label, !is_heading);
  return label;
}

static GtkWidget *
make_table(LacCompareDurations *self)
{
  GtkGrid *grid = GTK_GRID(gtk_grid_new());
  gtk_grid_set_column_spacing(grid, 9);
  gtk_grid_set_row_spacing(grid, 2);
  gtk_widget_add_css_class(GTK_WIDGET(grid), "caption");
  gtk_widget_set_size_request(GTK_WIDGET(grid), TABLE_WIDTH, -1);
  gtk_widget_set_valign(GTK_WIDGET(grid), GTK_ALIGN_START);
  gtk_widget_set_hexpand(GTK_WIDGET(grid), FALSE);
  for (int r = 0; r < 2; r++)
    gtk_grid_attach(grid, make_cell(lac_comparison_letter((gsize) r), FALSE), r + 1, 0, 1, 1);
  for (int i = 0; i < N_ROWS; i++) {
    const char *title = i < LAC_N_PERCENTILES ? lac_percentile_get_name(i) : _("Calls");
    gtk_grid_attach(grid, make_cell(title, TRUE), 0, i + 1, 1, 1);
    for (int r = 0; r < 2; r++) {
      self->cells[i][r] = GTK_LABEL(make_cell("–", FALSE));
      gtk_grid_attach(grid, GTK_WIDGET(self->cells[i][r]), r + 1, i + 1, 1, 1);
    }
  }
  return GTK_WIDGET(grid);
}

static void
lac_compare_durations_init(LacCompareDurations *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
  GtkWidget *both = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  self->finding = lac_latest_job_new(
    self, &(LacJobKind){.work = find, .show = on_found, .free_request = found_unref});
  self->sentence = GTK_LABEL(gtk_label_new(NULL));
  self->picture = g_object_new(LAC_TYPE_DURATION_PICTURE, NULL);
  gtk_label_set_xalign(self->sentence, 0);
  gtk_label_set_ellipsize(self->sentence, PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(GTK_WIDGET(self->sentence), "caption");
  gtk_widget_set_hexpand(self->picture, TRUE);
  gtk_widget_set_vexpand(both, TRUE);
  gtk_box_append(GTK_BOX(both), self->picture);
  gtk_box_append(GTK_BOX(both), make_table(self));
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->sentence));
  gtk_box_append(GTK_BOX(box), both);
  gtk_widget_set_parent(box, GTK_WIDGET(self));
  lac_accessible_name(self, _("Durations of an operation in both runs"));
}
