/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a report tells, in its order: the outcome first, then the field, results, curves, where the time went, settings. */
#include "report/compare-private.h"
#include "report/document-private.h"
#include "report/figure.h"
#include "report/summary-private.h"
#include "report/trust.h"

typedef void (*FillFunc)(const LacSummary *summary, LacTable *table);

static void
tell_title(LacDocument *document, const LacSummary *summary)
{
  const LacRunFile *run = summary->run;
  g_autofree char  *name = g_path_get_basename(run->path);
  g_autofree char  *started = lac_summary_started(run);
  g_autofree char *line = g_strdup_printf("%s · started %s · %s", run->experiment, started, name);
  document->title(document, run->title);
  document->paragraph(document, line, TRUE);

  gssize  key = lac_summary_key_metric(run);
  LacTile tiles[4];
  gsize   n = 0;
  if (key >= 0)
    tiles[n++] = (LacTile){run->metrics[key].label, lac_summary_metric_text(run, (gsize) key)};
  tiles[n++] = (LacTile){"Outcome", g_strdup(run->outcome)};
  tiles[n++] = (LacTile){"Compute time", lac_duration_text(run->seconds)};
  tiles[n++] = (LacTile){"Time a step", lac_duration_text(summary->seconds_per_step)};
  document->tiles(document, tiles, n);
  for (gsize i = 0; i < n; i++)
    g_free(tiles[i].value);
}

static void
tell_how(LacDocument *document, const LacSummary *summary)
{
  const LacRunFile *run = summary->run;
  if (run->detail != NULL && *run->detail != '\0')
    document->paragraph(document, run->detail, FALSE);
  if (*run->caution != '\0') {
    g_autofree char *caution = g_strdup_printf("Caution: %s", run->caution);
    document->paragraph(document, caution, FALSE);
  }
  g_autofree char *setup = lac_duration_text(run->setup_seconds);
  g_autofree char *memory = lac_summary_memory_text(summary);
  g_autofree char *how =
    g_strdup_printf("%" G_GINT64_FORMAT
                    " steps on the %s backend; precision: %s; threads: %u; seed %" G_GUINT64_FORMAT
                    "; set-up %s%s%s.",
                    run->steps, run->backend, run->precision, run->threads, run->seed, setup,
                    *memory != '\0' ? "; memory: " : "", memory);
  document->paragraph(document, how, FALSE);
}

static void
tell_table(LacDocument *document, const LacSummary *summary, const char *heading, FillFunc fill)
{
  g_auto(LacTable) table = {0};
  fill(summary, &table);
  if (table.kinds->len == 0)
    return;
  document->heading(document, heading);
  document->table(document, &table);
}

static void
tell_trust(LacDocument *document, const LacRunFile *run)
{
  g_autoptr(GArray) lines = lac_trust_lines(run);
  if (lines->len > 0)
    document->heading(document, "How far to trust it");
  for (guint i = 0; i < lines->len; i++) {
    const LacTrustLine *line = &g_array_index(lines, LacTrustLine, i);
    g_autofree char    *text = g_strdup_printf("%s %s.", line->title, line->sentence);
    document->paragraph(document, text, FALSE);
  }
}

typedef struct {
  const LacRunFile *run;
  LacFrame         *frame;
  gsize             channel;
} Field;

static double
draw_field(LacDrawing       *drawing,
           LacPoint          at,
           double            width,
           const LacPalette *palette,
           gconstpointer     data)
{
  const Field   *field = data;
  LacFigurePlace place = {at.x, at.y, width, 7, field->channel, TRUE, NULL};
  return lac_figure_draw(drawing, field->run, field->frame, &place);
}

static gboolean
tell_field(LacDocument *document, const LacRunFile *run, GError **error)
{
  gssize kept = lac_run_file_find_frame(run, G_MAXINT64);
  if (kept < 0 || run->n_channels == 0)
    return TRUE;
  g_autoptr(LacFrame) frame = lac_run_file_load_frame(run, (gsize) kept, error);
  if (frame == NULL)
    return FALSE;
  Field field = {run, frame, 0};
  while (field.channel + 1 < run->n_channels &&
         run->channels[field.channel].role != LAC_ROLE_RECONSTRUCTION)
    field.channel++;
  if (run->channels[field.channel].role != LAC_ROLE_RECONSTRUCTION)
    field.channel = 0;
  document->heading(document, "The field");
  document->picture(document, &(LacPicture){draw_field, &field,
                                            "the true field beside the reconstructed ones, and "
                                            "their errors",
                                            TRUE});
  return TRUE;
}

static gboolean
tell_run(LacDocument *document, const LacRunFile *run, GError **error)
{
  g_auto(LacSummary) summary = {0};
  lac_summary_init(&summary, run);
  tell_title(document, &summary);
  tell_how(document, &summary);
  if (!tell_field(document, run, error))
    return FALSE;
  tell_table(document, &summary, "Results", lac_summary_results);
  tell_trust(document, run);
  tell_table(document, &summary, "Gates", lac_summary_gates);
  lac_report_tell_curves(run, document);
  tell_table(document, &summary, "Where the time went", lac_summary_operations);
  lac_report_tell_profile(run->capture, document);
  tell_table(document, &summary, "Settings", lac_summary_settings);
  tell_table(document, &summary, "Events", lac_summary_events);
  tell_table(document, &summary, "Provenance", lac_summary_facts);
  return TRUE;
}

static void
tell_comparison(LacDocument *document, LacRunFile *const *runs, gsize n_runs)
{
  static const struct {
    const char *heading;
    void (*fill)(LacRunFile *const *, gsize, LacTable *);
  } parts[] = {
    {"Runs", lac_compare_runs},
    {"Settings that differ", lac_compare_settings},
    {"Results", lac_compare_metrics},
    {"Cost", lac_compare_cost},
  };
  g_autofree char *title = g_strdup_printf("Comparison of %" G_GSIZE_FORMAT " runs", n_runs);
  document->title(document, title);
  for (gsize i = 0; i < G_N_ELEMENTS(parts); i++) {
    g_auto(LacTable) table = {0};
    parts[i].fill(runs, n_runs, &table);
    document->heading(document, parts[i].heading);
    document->table(document, &table);
  }
  g_auto(GStrv) optima = lac_compare_optima(runs, n_runs);
  for (gsize i = 0; optima[i] != NULL; i++)
    document->paragraph(document, optima[i], FALSE);
  lac_report_tell_joint_curve(runs, n_runs, document);
}

gboolean
lac_report_tell(LacDocument *document, gconstpointer data, GError **error)
{
  const LacRuns *all = data;
  if (all->n > 1)
    tell_comparison(document, all->runs, all->n);
  for (gsize i = 0; i < all->n; i++) {
    document->begin_run(document, i == 0 && all->n == 1);
    if (!tell_run(document, all->runs[i], error))
      return FALSE;
  }
  return TRUE;
}
