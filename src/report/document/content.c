/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Content of each section of a report. */
#include "io/runfile/marks.h"
#include "report/compare/compare-private.h"
#include "report/document/document-private.h"
#include "report/figure/figure.h"
#include "report/summary/changes.h"
#include "report/summary/kernel-table.h"
#include "report/summary/memory.h"
#include "report/summary/method-answer.h"
#include "report/summary/reliability.h"
#include "report/summary/settings.h"
#include "report/summary/summary-private.h"
#include "report/text/number.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>

#define MOST_KERNELS 16

typedef void (*FillFunc)(const LacSummary *summary, LacTable *table);

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

/* ---- answer and table of methods ---- */

/* Returns: a fact of the provenance; NULL: none. */
static const char *
find_fact(const LacRunFile *run, const char *key)
{
  for (gsize i = 0; i < run->n_facts; i++)
    if (g_str_equal(run->facts[i].key, key))
      return run->facts[i].value;
  return NULL;
}

static void
add_title(LacDocument *document, const LacRunFile *run)
{
  g_autofree char *started = lac_summary_started(run);
  g_autofree char *seconds = lac_duration_text(run->seconds);
  const char      *program = find_fact(run, "program");
  const char      *processor = find_fact(run, "processor");
  const char      *n_parameters = find_fact(run, "network parameters");
  g_autofree char *how =
    g_strdup_printf(_("%s · %s · %s: %" PRId64 " steps in %s · seed %" PRIu64 " · threads: %u, %s"),
                    program != NULL ? program : run->experiment, started, lac_word(run->outcome),
                    run->steps, seconds, run->seed, run->threads, run->precision);
  g_autofree char *network = n_parameters != NULL
                               ? g_strdup_printf(_(" · network parameters: %s"), n_parameters)
                               : g_strdup("");
  g_autofree char *line =
    g_strconcat(how, network, processor != NULL ? " · " : NULL, processor, NULL);
  document->title(document, lac_word(run->title));
  document->paragraph(document, line, TRUE);
}

static void
add_caution(LacDocument *document, const LacRunFile *run)
{
  if (run->detail != NULL && *run->detail != '\0')
    document->paragraph(document, run->detail, FALSE);
  if (*run->caution == '\0')
    return;
  g_autofree char *words = g_strdup_printf(_("Caution: %s"), run->caution);
  g_autofree char *caution = g_strconcat(words, g_str_has_suffix(words, ".") ? "" : ".", NULL);
  document->paragraph(document, caution, FALSE);
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

/* Adds one paragraph. @methods, @time: (nullable): sentences */
static void
add_answer(LacDocument *document, const char *methods, const char *time)
{
  const char *texts[] = {methods != NULL ? methods : time, methods != NULL ? time : NULL, NULL};
  g_autofree char *answer = g_strjoinv(" ", (char **) texts);

  if (*answer != '\0')
    document->paragraph(document, answer, FALSE);
}

static void
add_head(LacDocument *document, const LacSummary *summary)
{
  g_auto(LacMethodTable) methods = {0};
  g_auto(LacTable)       table = {0};
  g_autofree char       *answer = NULL, *time = lac_report_dup_time_answer(summary->run);

  lac_method_table_fill_run(&methods, summary->run, summary->operations, summary->n_operations);
  lac_method_table_sort(&methods, methods.ranking);
  answer = lac_method_answer_dup(&methods);
  lac_method_table_print(&methods, &table);
  add_title(document, summary->run);
  add_answer(document, answer, time);
  add_caution(document, summary->run);
  if (table.n_columns > 1 && table.kinds->len > 0)
    document->table(document, &table);
  add_reliability(document, summary->run);
}

/* ---- fields ---- */

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
  document->heading(document, _("Fields"));
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

/* ---- the other sections ---- */

static gboolean
add_curves(LacDocument *document, const LacSummary *summary, GError **error)
{
  lac_report_add_curves(document, summary->run);
  if (!lac_report_add_charts(document, summary->run, error))
    return FALSE;
  add_table(document, summary, _("Further results"), lac_summary_results);
  return TRUE;
}

static void
add_kernels(LacDocument *document, const LacCapture *capture)
{
  g_auto(LacTable) kernels = {0};
  g_autofree char *title = lac_kernels_fill(capture, MOST_KERNELS, &kernels);

  if (title == NULL)
    return;
  document->heading(document, title);
  document->table(document, &kernels);
}

static void
add_time(LacDocument *document, const LacSummary *summary)
{
  g_autoptr(LacCapture) marked =
    lac_run_marks_ref_capture(summary->run->path, summary->run->capture);
  g_autofree char *seconds = lac_duration_text(summary->run->seconds);
  g_autofree char *heading = g_strdup_printf(_("Where the time went, %s"), seconds);
  g_auto(LacTable) operations = {0};

  document->heading(document, heading);
  lac_report_add_shares(document, summary);
  lac_summary_operations(summary, &operations);
  if (operations.kinds->len > 0)
    document->table(document, &operations);
  lac_report_add_roofline(document, marked);
  add_kernels(document, marked);
  lac_report_add_timeline(document, marked);
}

static void
add_changes(LacDocument *document, const LacSummary *summary)
{
  g_autoptr(GArray)    changes = lac_run_changes(summary->run);
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

  for (guint i = 0; i < changes->len; i++)
    g_ptr_array_add(texts, lac_run_change_dup_text(&g_array_index(changes, LacRunChange, i)));
  if (texts->len > 0) {
    document->heading(document, _("Changed while running"));
    document->items(document, (const char *const *) texts->pdata, texts->len);
  }
  add_table(document, summary, _("Marks"), lac_summary_marks);
}

static void
add_settings(LacDocument *document, const LacRunFile *run)
{
  g_autoptr(GArray) lines = lac_settings_that_mattered(run);

  if (lines->len > 0)
    document->heading(document, _("Settings that mattered"));
  for (guint i = 0; i < lines->len; i++) {
    const LacSettingsLine *line = &g_array_index(lines, LacSettingsLine, i);
    g_autofree char       *text = g_strdup_printf(_("%s: %s"), line->title, line->text);
    document->paragraph(document, text, FALSE);
  }
}

static void
add_findings(LacDocument *document, const LacSummary *summary)
{
  lac_report_add_findings(document, summary->run);
  add_table(document, summary, _("Quality gates"), lac_summary_gates);
}

/* Tells how much of the set-up was known from earlier runs. */
static void
add_caches(LacDocument *document, const LacSummary *summary)
{
  g_autofree char *results = lac_percent_text(summary->cache_hits);
  g_autofree char *plans = lac_percent_text(summary->plan_hits);
  g_autofree char *text = NULL;

  if (isfinite(summary->cache_hits) && isfinite(summary->plan_hits))
    text = g_strdup_printf(_("Known from earlier runs: %s of the intermediate results that the "
                             "set-up asked the cache for, %s of the FFT plans."),
                           results, plans);
  else if (isfinite(summary->cache_hits))
    text = g_strdup_printf(_("Known from earlier runs: %s of the intermediate results that the "
                             "set-up asked the cache for."),
                           results);
  else if (isfinite(summary->plan_hits))
    text = g_strdup_printf(_("Known from earlier runs: %s of the FFT plans."), plans);
  if (text != NULL)
    document->paragraph(document, text, FALSE);
}

static void
add_memory(LacDocument *document, const LacSummary *summary)
{
  g_autofree char *peak = lac_summary_memory_dup_sentence(summary);
  g_autofree char *load = lac_summary_load_dup_sentence(summary);
  g_auto(LacTable) table = {0};

  lac_summary_memory(summary, &table);
  if (*peak == '\0' && *load == '\0')
    return;
  document->heading(document, _("Memory and load"));
  if (table.kinds->len > 0)
    document->table(document, &table);
  if (*peak != '\0')
    document->paragraph(document, peak, FALSE);
  if (*load != '\0')
    document->paragraph(document, load, FALSE);
}

static void
add_machine(LacDocument *document, const LacSummary *summary)
{
  const LacRunFile *run = summary->run;
  g_autofree char  *setup = lac_duration_text(run->setup_seconds);
  g_autofree char  *step = lac_duration_text(summary->seconds_per_step);
  g_autofree char  *memory = lac_summary_memory_text(summary);
  g_autofree char  *how = g_strdup_printf(
     _("%s backend; precision: %s; threads: %u; %s per step; set-up %s%s%s."), run->backend,
     run->precision, run->threads, step, setup, *memory != '\0' ? _("; memory: ") : "", memory);

  document->heading(document, _("Machine and versions"));
  document->paragraph(document, how, FALSE);
  add_caches(document, summary);
  add_table(document, summary, _("Provenance"), lac_summary_facts);
  add_table(document, summary, _("Events"), lac_summary_events);
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
  case LAC_PART_HEAD: add_head(document, &summary); break;
  case LAC_PART_FIELDS: return add_field(document, run, error);
  case LAC_PART_CURVES: return add_curves(document, &summary, error);
  case LAC_PART_TIME: add_time(document, &summary); break;
  case LAC_PART_MEMORY: add_memory(document, &summary); break;
  case LAC_PART_CHANGES: add_changes(document, &summary); break;
  case LAC_PART_SETTINGS: add_settings(document, run); break;
  case LAC_PART_FINDINGS: add_findings(document, &summary); break;
  case LAC_PART_ALL_SETTINGS:
    add_table(document, &summary, _("All settings"), lac_summary_settings);
    break;
  case LAC_PART_MACHINE: add_machine(document, &summary); break;
  case LAC_PART_TEXT:
  case LAC_PART_COMPARISON:
  case LAC_N_PARTS: g_return_val_if_reached(FALSE);
  }
  return TRUE;
}

static gboolean
add_run(LacDocument             *document,
        const LacRunFile        *run,
        const LacReportSections *sections,
        GError                 **error)
{
  for (guint i = 0; i < sections->n; i++)
    if (!lac_report_add_part(document, run, sections->parts[i], error))
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
    {N_("Operations"), lac_compare_operations},
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
  lac_report_add_joint_curve(document, runs, n_runs);
}

gboolean
lac_report_add_runs(LacDocument *document, gconstpointer data, GError **error)
{
  const LacRuns *all = data;
  if (all->n > 1)
    lac_report_add_comparison(document, all->runs, all->n);
  for (gsize i = 0; i < all->n; i++) {
    document->begin_run(document, i == 0 && all->n == 1);
    if (!add_run(document, all->runs[i], &all->sections, error))
      return FALSE;
  }
  return TRUE;
}
