/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Content of a report in order: outcome, field, results, curves, profile, settings. */
#include "io/runfile/marks.h"
#include "report/compare/compare-private.h"
#include "report/document/document-private.h"
#include "report/figure/figure.h"
#include "report/plot/chart.h"
#include "report/plot/curve-plots-private.h"
#include "report/summary/reliability.h"
#include "report/summary/summary-private.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

/* ---- curves: of one run, grouped by kind and unit; of several runs, overlaid ---- */

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

/* The curves of a run, the iterations of a recording and its timeline; each adds nothing where there is no data. */
static void
report_add_curves(const LacRunFile *run, LacDocument *document)
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

/* Adds the charts of the last frame. Returns: FALSE with the error of an unreadable file. */
static gboolean
report_add_charts(const LacRunFile *run, LacDocument *document, GError **error)
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

/* Adds the key result of the first run for every run that has it. */
static void
report_add_joint_curve(LacRunFile *const *runs, gsize n_runs, LacDocument *document)
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

/* ---- content ---- */

typedef void (*FillFunc)(const LacSummary *summary, LacTable *table);

static void
add_title(LacDocument *document, const LacSummary *summary)
{
  const LacRunFile *run = summary->run;
  g_autofree char  *name = g_path_get_basename(run->path);
  g_autofree char  *started = lac_summary_started(run);
  g_autofree char  *line =
    g_strdup_printf(_("%s · started %s · %s"), run->experiment, started, name);
  document->title(document, lac_word(run->title));
  document->paragraph(document, line, TRUE);

  gssize  key = lac_summary_key_metric(run);
  LacTile tiles[4];
  gsize   n = 0;
  if (key >= 0)
    tiles[n++] =
      (LacTile){lac_word(run->metrics[key].label), lac_summary_metric_text(run, (gsize) key)};
  tiles[n++] = (LacTile){_("Outcome"), g_strdup(g_dgettext(GETTEXT_PACKAGE, run->outcome))};
  tiles[n++] = (LacTile){_("Compute time"), lac_duration_text(run->seconds)};
  tiles[n++] = (LacTile){_("Time per step"), lac_duration_text(summary->seconds_per_step)};
  document->tiles(document, tiles, n);
  for (gsize i = 0; i < n; i++)
    g_free(tiles[i].value);
}

static void
add_how(LacDocument *document, const LacSummary *summary)
{
  const LacRunFile *run = summary->run;
  if (run->detail != NULL && *run->detail != '\0')
    document->paragraph(document, run->detail, FALSE);
  if (*run->caution != '\0') {
    g_autofree char *words = g_strdup_printf(_("Caution: %s"), run->caution);
    g_autofree char *caution = g_strconcat(words, g_str_has_suffix(words, ".") ? "" : ".", NULL);
    document->paragraph(document, caution, FALSE);
  }
  g_autofree char *setup = lac_duration_text(run->setup_seconds);
  g_autofree char *memory = lac_summary_memory_text(summary);
  g_autofree char *how = g_strdup_printf(
    _("%" PRId64 " steps on the %s backend; precision: %s; threads: %u; seed %" PRIu64
      "; set-up %s%s%s."),
    run->steps, run->backend, run->precision, run->threads, run->seed, setup,
    *memory != '\0' ? _("; memory: ") : "", memory);
  document->paragraph(document, how, FALSE);
}

static void
add_table(LacDocument *document, const LacSummary *summary, const char *heading, FillFunc fill)
{
  g_auto(LacTable) table = {0};
  fill(summary, &table);
  if (table.kinds->len == 0)
    return;
  document->heading(document, heading);
  document->table(document, &table);
}

static void
add_reliability(LacDocument *document, const LacRunFile *run)
{
  g_autoptr(GArray) lines = lac_reliability_lines(run);
  if (lines->len > 0)
    document->heading(document, _("Reliability"));
  for (guint i = 0; i < lines->len; i++) {
    const LacReliabilityLine *line = &g_array_index(lines, LacReliabilityLine, i);
    g_autofree char *text = g_strdup_printf("%s %s.", lac_word(line->title), line->sentence);
    document->paragraph(document, text, FALSE);
  }
}

typedef struct {
  const LacRunFile *run;
  LacFrame         *frame;
  gsize             channel;
  gboolean          caption;
} Field;

static double
draw_field(LacDrawing       *drawing,
           LacPoint          at,
           double            width,
           const LacPalette *palette,
           gconstpointer     data)
{
  const Field   *field = data;
  LacFigurePlace place = {.x = at.x,
                          .y = at.y,
                          .width = width,
                          .font_size = 7,
                          .channel = field->channel,
                          .caption = field->caption,
                          .without_results = TRUE};
  return lac_figure_draw(drawing, field->run, field->frame, &place);
}

static gboolean
add_field(LacDocument *document, const LacRunFile *run, GError **error)
{
  gssize kept = lac_run_file_find_frame(run, G_MAXINT64);
  if (kept < 0 || run->n_channels == 0)
    return TRUE;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, (gsize) kept, error);
  if (frame == NULL)
    return FALSE;
  Field field = {run, frame, 0, TRUE};
  while (field.channel + 1 < run->n_channels &&
         run->channels[field.channel].role != LAC_ROLE_RECONSTRUCTION)
    field.channel++;
  if (run->channels[field.channel].role != LAC_ROLE_RECONSTRUCTION)
    field.channel = 0;
  document->heading(document, _("The field"));
  document->picture(
    document,
    &(LacPicture){draw_field, &field, _("true field, reconstructions and their errors"), TRUE});
  field.caption = FALSE;
  for (field.channel = 0; field.channel < run->n_channels; field.channel++)
    if (run->channels[field.channel].layers.n > 0)
      document->picture(
        document,
        &(LacPicture){draw_field, &field, _("the volume in 3D and a slice through it"), TRUE});
  return TRUE;
}

gboolean
lac_report_add_part(LacDocument      *document,
                    const LacRunFile *run,
                    LacReportPart     part,
                    GError          **error)
{
  g_auto(LacSummary) summary = {0};

  lac_summary_init(&summary, run);
  switch (part) {
  case LAC_PART_HEAD:
    add_title(document, &summary);
    add_how(document, &summary);
    break;
  case LAC_PART_FIELD: return add_field(document, run, error);
  case LAC_PART_RESULTS: add_table(document, &summary, _("Results"), lac_summary_results); break;
  case LAC_PART_RELIABILITY: add_reliability(document, run); break;
  case LAC_PART_GATES: add_table(document, &summary, _("Quality gates"), lac_summary_gates); break;
  case LAC_PART_CURVES: report_add_curves(run, document); break;
  case LAC_PART_CHARTS: return report_add_charts(run, document, error);
  case LAC_PART_OPERATIONS:
    add_table(document, &summary, _("Performance profile"), lac_summary_operations);
    break;
  case LAC_PART_PROFILE: {
    g_autoptr(LacCapture) marked = lac_run_marks_ref_capture(run->path, run->capture);
    lac_report_add_profile(marked, document);
    break;
  }
  case LAC_PART_SETTINGS: add_table(document, &summary, _("Settings"), lac_summary_settings); break;
  case LAC_PART_EVENTS:
    add_table(document, &summary, _("Events"), lac_summary_events);
    add_table(document, &summary, _("Marks"), lac_summary_marks);
    break;
  case LAC_PART_FACTS: add_table(document, &summary, _("Provenance"), lac_summary_facts); break;
  case LAC_PART_TEXT:
  case LAC_PART_COMPARISON:
  case LAC_N_PARTS: g_return_val_if_reached(FALSE);
  }
  return TRUE;
}

static gboolean
add_run(LacDocument *document, const LacRunFile *run, GError **error)
{
  for (LacReportPart part = LAC_PART_HEAD; part < LAC_N_PARTS; part++)
    if (!lac_report_add_part(document, run, part, error))
      return FALSE;
  return TRUE;
}

void
lac_report_add_comparison(LacDocument *document, LacRunFile *const *runs, gsize n_runs)
{
  static const struct {
    const char *heading;
    void (*fill)(LacRunFile *const *, gsize, LacTable *);
  } parts[] = {
    {N_("Runs"), lac_compare_runs},
    {N_("Different settings"), lac_compare_settings},
    {N_("Results"), lac_compare_metrics},
    {N_("Cost"), lac_compare_cost},
  };
  g_autofree char *title = g_strdup_printf(_("Comparison of %zu runs"), n_runs);
  document->title(document, title);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    g_auto(LacTable) table = {0};
    parts[i].fill(runs, n_runs, &table);
    document->heading(document, _(parts[i].heading));
    document->table(document, &table);
  }
  g_auto(GStrv) optima = lac_compare_optima(runs, n_runs);
  for (gsize i = 0; optima[i] != NULL; i++)
    document->paragraph(document, optima[i], FALSE);
  report_add_joint_curve(runs, n_runs, document);
}

gboolean
lac_report_add_runs(LacDocument *document, gconstpointer data, GError **error)
{
  const LacRuns *all = data;
  if (all->n > 1)
    lac_report_add_comparison(document, all->runs, all->n);
  for (gsize i = 0; i < all->n; i++) {
    document->begin_run(document, i == 0 && all->n == 1);
    if (!add_run(document, all->runs[i], error))
      return FALSE;
  }
  return TRUE;
}
