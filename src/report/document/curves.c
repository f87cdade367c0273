/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Curves and distributions in a report: of one run, grouped by kind and unit; of several runs, overlaid. */
#include "report/compare/compare-private.h"
#include "report/document/document-private.h"
#include "report/plot/chart.h"
#include "report/plot/curve-plots-private.h"
#include "report/summary/summary-private.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#define PLOT_HEIGHT  150.0
#define JOINT_HEIGHT 190.0
#define GAP          14.0
#define SIZE         7.5 /* font size */

typedef struct {
  const LacRunFile *run;
  LacCurvePlot     *plots[2]; /* side by side; a single plot takes the whole width */
} Row;

static double
draw_row(LacDrawing       *drawing,
         LacPoint          at,
         double            width,
         const LacPalette *palette,
         gconstpointer     data)
{
  const Row *row = data;
  double     half = row->plots[1] != NULL ? (width - GAP) / 2 : width, extra = 0;
  for (gsize i = 0; i < 2 && row->plots[i] != NULL; i++)
    extra = MAX(extra, lac_curve_plot_extra_height(row->plots[i], half, SIZE));
  const double height = PLOT_HEIGHT + extra;
  for (gsize i = 0; i < 2 && row->plots[i] != NULL && drawing != NULL; i++, at.x += half + GAP)
    lac_curve_plot_draw(drawing, row->run, row->plots[i],
                        &(LacCurvePlace){at.x, at.y, half, height - 6, SIZE, _("step")}, palette);
  return height;
}

void
lac_report_add_curves(LacDocument *document, const LacRunFile *run)
{
  if (run->n_series < 2)
    return;
  g_autoptr(GArray) plots = lac_curve_plots_new(run, FALSE);
  if (plots->len > 0)
    document->heading(document, _("Curves"));
  for (guint i = 0; i < plots->len; i += 2) {
    Row row = {run, {&g_array_index(plots, LacCurvePlot, i)}};
    if (i + 1 < plots->len)
      row.plots[1] = &g_array_index(plots, LacCurvePlot, i + 1);
    document->picture(document,
                      &(LacPicture){draw_row, &row, _("metrics of the run over its steps"), FALSE});
  }
}

typedef struct {
  LacChannel channels[2]; /* side by side */
  gsize      planes[2], n;
  LacFrame  *frame;
} Charts;

static double
draw_charts(LacDrawing       *drawing,
            LacPoint          at,
            double            width,
            const LacPalette *palette,
            gconstpointer     data)
{
  const Charts *charts = data;
  const double  each = charts->n > 1 ? (width - GAP) / 2 : width;
  for (gsize i = 0; i < charts->n && drawing != NULL; i++, at.x += each + GAP) {
    const char   *label = lac_word(charts->channels[i].label);
    LacChartPlace place = {at.x, at.y + 12, each, JOINT_HEIGHT - 18, 7.5, TRUE, NULL};
    lac_draw_text_bold(drawing, at.x, at.y + 8, LAC_ALIGN_LEFT, 8, palette->foreground, label);
    lac_chart_draw(drawing, &charts->channels[i], &charts->frame->planes[charts->planes[i]], &place,
                   palette);
  }
  return JOINT_HEIGHT;
}

gboolean
lac_report_add_charts(LacDocument *document, const LacRunFile *run, GError **error)
{
  gssize              kept = lac_run_file_find_frame(run, G_MAXINT64);
  g_autoptr(LacFrame) frame = NULL;
  Charts              charts = {0};
  gsize               n = 0;
  for (gsize i = 0; i < run->n_channels; i++)
    n += run->channels[i].chart.n > 0;
  if (n == 0 || kept < 0)
    return TRUE;
  frame = lac_run_file_load_frame(run, (gsize) kept, error);
  if (frame == NULL)
    return FALSE;
  document->heading(document, _("Distributions"));
  charts.frame = frame;
  for (gsize i = 0; i < MIN(run->n_channels, frame->n_planes); i++) {
    if (run->channels[i].chart.n == 0)
      continue;
    charts.channels[charts.n] = lac_run_file_get_channel(run, i);
    charts.planes[charts.n++] = i;
    if (--n > 0 && charts.n < 2)
      continue;
    document->picture(document, &(LacPicture){draw_charts, &charts,
                                              _("distributions in the last saved frame"), FALSE});
    charts.n = 0;
  }
  return TRUE;
}

typedef struct {
  const LacRunFile   *run;
  const LacCurvePlot *plot;
} Joint;

static double
draw_joint(LacDrawing       *drawing,
           LacPoint          at,
           double            width,
           const LacPalette *palette,
           gconstpointer     data)
{
  const Joint *joint = data;
  if (drawing != NULL)
    lac_curve_plot_draw(
      drawing, joint->run, joint->plot,
      &(LacCurvePlace){at.x, at.y, width, JOINT_HEIGHT, 7.5, _("compute time (s)")}, palette);
  return JOINT_HEIGHT;
}

void
lac_report_add_joint_curve(LacDocument *document, LacRunFile *const *runs, gsize n_runs)
{
  gssize               key = lac_summary_key_metric(runs[0]);
  g_auto(LacCurvePlot) plot = {0};
  if (key >= 0)
    plot = lac_curve_plot_joint(runs, n_runs, lac_compare_letters, (gsize) key, TRUE);
  if (plot.n == 0)
    return;
  Joint joint = {runs[0], &plot};
  document->heading(document, _("Curves of all runs"));
  document->picture(
    document,
    &(LacPicture){draw_joint, &joint, _("key result of each run over its compute time"), FALSE});
}
