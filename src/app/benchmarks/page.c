/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread reads the results. Scores borrow the rows of the results, and lines of the tables borrow the scores: they are
 * replaced in that order. */
#include "app/benchmarks/page.h"

#include "app/benchmarks/bar.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/answer-label.h"
#include "app/toolkit/latest-job.h"
#include "report/bench/names.h"

#include <glib/gi18n-lib.h>

struct _LacBenchmarksPage {
  GtkWidget        parent_instance;
  GtkStack        *content;
  GtkBox          *column, *verdict, *words;
  GtkImage        *sign;
  GtkLabel        *caption, *legend, *count;
  GtkDropDown     *shown, *quantity;
  GtkStack        *tables;
  LacTrendView    *trend;
  GtkWidget       *answer;
  LacColumnTable  *table[LAC_N_BENCH_TABLES];
  LacBenchTable    kind;
  LacBenchBar     *bar;
  LacBenchRunner  *runner;
  LacLatestJob    *reading;
  char            *folder;
  char            *laboratory; /* (nullable) */
  LacBenchResults *results;    /* (nullable) */
  GPtrArray *choices; /* (nullable): LacBenchResult of the drop-down, newest first, borrowed */
  GArray    *scores;  /* (nullable): LacBenchScore of the result shown */
  const LacBenchResult *result;   /* (nullable): shown */
  GPtrArray            *metrics;  /* (nullable): of the line chosen, borrowed */
  char                 *line;     /* (nullable): name of the line chosen */
  gboolean              is_quiet; /* TRUE while drop-downs are filled */
};

G_DEFINE_FINAL_TYPE(LacBenchmarksPage, lac_benchmarks_page, GTK_TYPE_WIDGET)

enum { CHANGED, PROGRESSED, MESSAGE, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *const keys[LAC_N_BENCH_TABLES] = {
  [LAC_BENCH_TIERS] = "tiers",
  [LAC_BENCH_ABLATION] = "ablation",
  [LAC_BENCH_MICRO] = "micro",
  [LAC_BENCH_GATE] = "gate",
};

static LacBenchFamily
get_family(LacBenchTable kind)
{
  return kind == LAC_BENCH_ABLATION ? LAC_BENCH_OF_ABLATION
         : kind == LAC_BENCH_MICRO  ? LAC_BENCH_OF_GROWTH
                                    : LAC_BENCH_OF_TIERS;
}

/* ---- the baseline ---- */

/* The baseline, of tiers, is compared neither with itself nor with another family. */
static const LacBenchResult *
get_baseline(LacBenchmarksPage *self)
{
  const LacBenchResult *baseline = self->results != NULL ? self->results->baseline : NULL;

  return get_family(self->kind) != LAC_BENCH_OF_TIERS || baseline == self->result ? NULL : baseline;
}

/* ---- the verdict ---- */

static void
show_sign(LacBenchmarksPage *self, LacVerdict verdict)
{
  static const struct {
    const char *icon, *class, *name;
  } signs[] = {
    [LAC_VERDICT_KEPT] = {"emblem-ok-symbolic", "success", N_("Holds")},
    [LAC_VERDICT_UNCLEAR] = {"dialog-question-symbolic", "dim-label", N_("Undecided")},
    [LAC_VERDICT_BROKEN] = {"dialog-warning-symbolic", "error", N_("Fails")},
  };
  const char *classes[] = {"bench-sign", signs[verdict].class, NULL};

  gtk_image_set_from_icon_name(self->sign, signs[verdict].icon);
  gtk_widget_set_css_classes(GTK_WIDGET(self->sign), classes);
  lac_accessible_name(self->sign, _(signs[verdict].name));
}

static char *
dup_baseline_words(LacBenchmarksPage *self)
{
  if (self->results->baseline == NULL)
    return g_strdup(_("no baseline is pinned"));
  g_autofree char *day = self->results->pinned != NULL
                           ? g_date_time_format(self->results->pinned, _("%-d %b"))
                           : g_strdup("–");
  if (self->results->baseline == self->result)
    return g_strdup_printf(_("this is the baseline, pinned %s"), day);
  return g_strdup_printf(_("baseline %s, pinned %s"), self->results->baseline->version, day);
}

static void
show_answer(LacBenchmarksPage *self)
{
  const LacBenchResult  *baseline = get_baseline(self);
  g_auto(LacBenchAnswer) answer = {0};

  lac_bench_answer_init(&answer, baseline != NULL ? baseline->file : NULL, self->scores);
  show_sign(self, answer.verdict);
  lac_answer_label_set(GTK_LABEL(self->answer), answer.sentence);
  g_autofree char *words =
    get_family(self->kind) == LAC_BENCH_OF_TIERS ? dup_baseline_words(self) : NULL;
  g_autofree char *caption =
    words != NULL ? g_strdup_printf("%s · %s", answer.caption, words) : g_strdup(answer.caption);
  gtk_label_set_text(self->caption, caption);
  g_autofree char *legend =
    baseline != NULL
      ? g_strdup_printf(_("before %s, now %s"), baseline->version, self->result->version)
      : NULL;
  gtk_label_set_text(self->legend, legend != NULL ? legend : "");
}

/* ---- the trend ---- */

static void
show_trend(LacBenchmarksPage *self)
{
  guint       i = gtk_drop_down_get_selected(self->quantity);
  const char *metric =
    self->metrics != NULL && i < self->metrics->len ? self->metrics->pdata[i] : NULL;

  lac_trend_view_set(self->trend, metric != NULL ? self->results : NULL, self->line, metric);
  guint            n = lac_trend_view_get_n(self->trend);
  g_autofree char *count =
    g_strdup_printf(ngettext("this machine, %u result · change points at 95 %%",
                             "this machine, %u results · change points at 95 %%", n),
                    n);
  gtk_label_set_text(self->count, metric != NULL ? count : "");
}

/* Returns: (transfer full): "Imaging, medium: step" */
static char *
dup_quantity(const char *name, const char *metric)
{
  g_autofree char *laboratory = lac_bench_dup_laboratory(name), *tier = lac_bench_dup_tier(name);
  g_autofree char *item = lac_bench_dup_item(name), *quantity = lac_bench_dup_metric(metric);

  if (g_str_has_prefix(name, "growth/"))
    return g_strdup_printf("%s, %s: %s", tier, item, quantity);
  if (*item != '\0')
    return g_strdup_printf("%s, %s: %s", item, tier, quantity);
  return g_strdup_printf("%s, %s: %s", laboratory, tier, quantity);
}

static void
fill_drop_down(LacBenchmarksPage *self, GtkDropDown *drop, GPtrArray *texts)
{
  g_ptr_array_add(texts, NULL);
  g_autoptr(GtkStringList) model = gtk_string_list_new((const char *const *) texts->pdata);

  self->is_quiet = TRUE;
  gtk_drop_down_set_model(drop, G_LIST_MODEL(model));
  self->is_quiet = FALSE;
  gtk_widget_set_visible(GTK_WIDGET(drop), texts->len > 1);
}

static void
show_line(LacBenchmarksPage *self, const LacBenchLine *line)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

  g_clear_pointer(&self->metrics, g_ptr_array_unref);
  g_free(self->line);
  self->line = line != NULL ? g_strdup(line->name) : NULL;
  self->metrics = line != NULL ? lac_bench_line_dup_metrics(line, self->scores) : NULL;
  for (guint i = 0; self->metrics != NULL && i < self->metrics->len; i++)
    g_ptr_array_add(texts, dup_quantity(self->line, self->metrics->pdata[i]));
  fill_drop_down(self, self->quantity, texts);
  show_trend(self);
}

static void
on_line(LacBenchmarksPage *self)
{
  show_line(self, lac_column_table_get_chosen(self->table[self->kind]));
}

static void
on_quantity(LacBenchmarksPage *self)
{
  if (!self->is_quiet)
    show_trend(self);
}

/* Chooses the line that was chosen before, or else the first that fails, or else the first. */
static void
choose_line(LacBenchmarksPage *self)
{
  LacColumnTable      *table = self->table[self->kind];
  g_autoptr(GtkBitset) chosen = gtk_bitset_new_empty();
  guint                n = lac_column_table_get_n_rows(table), failed = n, same = n;

  for (guint i = n; i-- > 0;) {
    const LacBenchLine *line = lac_column_table_get_row(table, i);

    failed = line->shown->state == LAC_BENCH_FAILS ? i : failed;
    same = g_strcmp0(line->name, self->line) == 0 ? i : same;
  }
  if (n > 0)
    gtk_bitset_add(chosen, failed < n ? failed : same < n ? same : 0);
  lac_column_table_choose(table, chosen);
  on_line(self);
}

/* ---- the result ---- */

/* A family has its own tables. */
static void
show_result(LacBenchmarksPage *self, const LacBenchResult *result)
{
  static const char *const none[] = {
    [LAC_BENCH_OF_TIERS] = "nothing",
    [LAC_BENCH_OF_ABLATION] = "no-ablation",
    [LAC_BENCH_OF_GROWTH] = "no-micro",
  };
  const LacBenchFamily family = get_family(self->kind);
  g_autoptr(GArray)    before = g_steal_pointer(&self->scores);

  self->result = result;
  const LacBenchResult *baseline = get_baseline(self);
  self->scores =
    result != NULL ? lac_bench_score(baseline != NULL ? baseline->file : NULL, result->file) : NULL;
  for (LacBenchTable kind = 0; kind < LAC_N_BENCH_TABLES; kind++)
    lac_bench_table_fill(self->table[kind], kind, result != NULL ? result->file : NULL,
                         get_family(kind) == family ? self->scores : NULL);
  gtk_stack_set_visible_child_name(self->content, result != NULL          ? "results"
                                                  : self->results == NULL ? "reading"
                                                                          : none[family]);
  gtk_widget_set_visible(GTK_WIDGET(self->verdict), result != NULL);
  lac_bench_bar_set_family(self->bar, family);
  gtk_label_set_text(self->legend, "");
  if (result != NULL)
    show_answer(self);
  choose_line(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

static char *
dup_choice(const LacBenchResult *result)
{
  g_autofree char *when = g_date_time_format(result->started, _("%-d %b %H:%M"));

  return g_strdup_printf("%s · %s", result->version, when);
}

static void
fill_choices(LacBenchmarksPage *self)
{
  g_autoptr(GPtrArray) texts = g_ptr_array_new_with_free_func(g_free);

  g_clear_pointer(&self->choices, g_ptr_array_unref);
  self->choices = g_ptr_array_new();
  for (guint i = self->results != NULL ? self->results->all->len : 0; i-- > 0;) {
    LacBenchResult *result = self->results->all->pdata[i];

    if (result->family != get_family(self->kind))
      continue;
    g_ptr_array_add(self->choices, result);
    g_ptr_array_add(texts, dup_choice(result));
  }
  fill_drop_down(self, self->shown, texts);
  show_result(self, self->choices->len > 0 ? self->choices->pdata[0] : NULL);
}

static void
on_shown(LacBenchmarksPage *self)
{
  guint i = gtk_drop_down_get_selected(self->shown);

  if (!self->is_quiet && self->choices != NULL && i < self->choices->len)
    show_result(self, self->choices->pdata[i]);
}

/* ---- reading ---- */

static gpointer
read_results(gpointer folder, GCancellable *cancellable, GError **error)
{
  return lac_bench_results_read(folder);
}

static void
on_read(gpointer owner, gpointer request, gpointer results, const GError *error)
{
  LacBenchmarksPage         *self = owner;
  g_autoptr(LacBenchResults) before = self->results;

  self->results = results;
  fill_choices(self);
}

static void
read_again(LacBenchmarksPage *self)
{
  lac_latest_job_start(self->reading, self->folder != NULL ? g_strdup(self->folder)
                                                           : lac_bench_results_dup_folder());
}

static void
on_map(LacBenchmarksPage *self)
{
  if (self->results == NULL)
    read_again(self);
}

void
lac_benchmarks_page_set_folder(LacBenchmarksPage *self, const char *folder)
{
  g_return_if_fail(LAC_IS_BENCHMARKS_PAGE(self));
  g_free(self->folder);
  self->folder = g_strdup(folder);
  read_again(self);
}

/* ---- measuring ---- */

static void
on_progressed(LacBenchmarksPage *self)
{
  const LacBenchPhase phase = lac_bench_runner_get_phase(self->runner);

  lac_bench_bar_set_phase(self->bar, &phase);
  g_signal_emit(self, signals[PROGRESSED], 0);
}

static void
on_running(LacBenchmarksPage *self)
{
  lac_bench_bar_set_running(self->bar, lac_bench_runner_is_running(self->runner));
  on_progressed(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
on_ended(LacBenchmarksPage *self, const char *path, const char *why)
{
  if (path != NULL)
    read_again(self);
  else
    g_signal_emit(self, signals[MESSAGE], 0,
                  why != NULL ? why : _("The benchmark was stopped. Nothing was stored."));
}

gboolean
lac_benchmarks_page_has_tiers(LacBenchmarksPage *self)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self), TRUE);
  return get_family(self->kind) != LAC_BENCH_OF_GROWTH;
}

void
lac_benchmarks_page_start(LacBenchmarksPage *self, const char *scales)
{
  g_return_if_fail(LAC_IS_BENCHMARKS_PAGE(self) && scales != NULL);
  g_autoptr(GError) error = NULL;
  g_autofree char  *folder =
    self->folder != NULL ? g_strdup(self->folder) : lac_bench_results_dup_folder();
  g_autofree char     *path = lac_bench_results_dup_path(folder, &error);
  const LacBenchFamily family = get_family(self->kind);
  g_autofree char     *only = self->laboratory != NULL && family == LAC_BENCH_OF_TIERS
                                ? g_strconcat(self->laboratory, "/", NULL)
                                : NULL;
  const LacBenchOrder  order = {family, family != LAC_BENCH_OF_GROWTH ? scales : NULL, only, path};
  if (path == NULL || !lac_bench_runner_start(self->runner, &order, &error))
    g_signal_emit(self, signals[MESSAGE], 0, error->message);
}

LacBenchRunner *
lac_benchmarks_page_get_runner(LacBenchmarksPage *self)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self), NULL);
  return self->runner;
}

void
lac_benchmarks_page_set_reason(LacBenchmarksPage *self, const char *sentence)
{
  g_return_if_fail(LAC_IS_BENCHMARKS_PAGE(self));
  lac_bench_bar_set_reason(self->bar, sentence);
}

void
lac_benchmarks_page_set_laboratory(LacBenchmarksPage *self, const char *key)
{
  g_return_if_fail(LAC_IS_BENCHMARKS_PAGE(self));
  g_free(self->laboratory);
  self->laboratory = g_strdup(key);
  lac_bench_bar_set_laboratory(self->bar, key);
}

/* ---- what is shown ---- */

gboolean
lac_benchmarks_page_show_table(LacBenchmarksPage *self, const char *key)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self) && key != NULL, FALSE);
  LacBenchTable kind = 0;

  while (kind < LAC_N_BENCH_TABLES && !g_str_equal(keys[kind], key))
    kind++;
  if (kind == LAC_N_BENCH_TABLES)
    return FALSE;
  const gboolean is_other = get_family(kind) != get_family(self->kind);
  self->kind = kind;
  gtk_stack_set_visible_child_name(self->tables, key);
  if (is_other)
    fill_choices(self);
  else
    choose_line(self);
  return TRUE;
}

const LacBenchResult *
lac_benchmarks_page_get_shown(LacBenchmarksPage *self)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self), NULL);
  return self->result;
}

const LacBenchResult *
lac_benchmarks_page_get_baseline(LacBenchmarksPage *self)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self), NULL);
  return get_baseline(self);
}

const char *
lac_benchmarks_page_get_answer(LacBenchmarksPage *self)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self), NULL);
  return self->result != NULL ? gtk_label_get_text(GTK_LABEL(self->answer)) : NULL;
}

void
lac_benchmarks_page_pin(LacBenchmarksPage *self)
{
  g_return_if_fail(LAC_IS_BENCHMARKS_PAGE(self));
  g_autoptr(GError) error = NULL;

  if (self->result == NULL)
    return;
  if (self->result->family != LAC_BENCH_OF_TIERS)
    g_signal_emit(self, signals[MESSAGE], 0, _("Only a measurement of tiers can be the baseline."));
  else if (lac_bench_results_pin(self->result, &error))
    read_again(self);
  else
    g_signal_emit(self, signals[MESSAGE], 0, error->message);
}

LacTrendView *
lac_benchmarks_page_get_trend(LacBenchmarksPage *self)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self), NULL);
  return self->trend;
}

LacColumnTable *
lac_benchmarks_page_get_table(LacBenchmarksPage *self, LacBenchTable kind)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self) && kind < LAC_N_BENCH_TABLES, NULL);
  return self->table[kind];
}

GtkWidget *
lac_benchmarks_page_get_bar(LacBenchmarksPage *self)
{
  g_return_val_if_fail(LAC_IS_BENCHMARKS_PAGE(self), NULL);
  return lac_bench_bar_get_widget(self->bar);
}

/* ---- the page ---- */

static void
lac_benchmarks_page_dispose(GObject *object)
{
  LacBenchmarksPage *self = LAC_BENCHMARKS_PAGE(object);

  g_clear_pointer(&self->reading, lac_latest_job_free);
  if (self->runner != NULL) {
    g_signal_handlers_disconnect_by_data(self->runner, self);
    g_object_run_dispose(G_OBJECT(self->runner)); /* kills the process */
  }
  g_clear_object(&self->runner);
  g_clear_pointer(&self->bar, lac_bench_bar_free);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_BENCHMARKS_PAGE);
  G_OBJECT_CLASS(lac_benchmarks_page_parent_class)->dispose(object);
}

static void
lac_benchmarks_page_finalize(GObject *object)
{
  LacBenchmarksPage *self = LAC_BENCHMARKS_PAGE(object);

  g_clear_pointer(&self->metrics, g_ptr_array_unref);
  g_clear_pointer(&self->choices, g_ptr_array_unref);
  g_clear_pointer(&self->scores, g_array_unref);
  lac_bench_results_free(self->results);
  g_free(self->folder);
  g_free(self->laboratory);
  g_free(self->line);
  G_OBJECT_CLASS(lac_benchmarks_page_parent_class)->finalize(object);
}

#define BIND(member) gtk_widget_class_bind_template_child(widget_class, LacBenchmarksPage, member)

static void
lac_benchmarks_page_class_init(LacBenchmarksPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);

  G_OBJECT_CLASS(class)->dispose = lac_benchmarks_page_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_benchmarks_page_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_BENCHMARKS_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  signals[PROGRESSED] = g_signal_new("progressed", LAC_TYPE_BENCHMARKS_PAGE, G_SIGNAL_RUN_LAST, 0,
                                     NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[MESSAGE] = g_signal_new("message", LAC_TYPE_BENCHMARKS_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
  g_type_ensure(LAC_TYPE_TREND_VIEW);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/benchmarks/page.ui");
  BIND(content);
  BIND(column);
  BIND(verdict);
  BIND(words);
  BIND(sign);
  BIND(caption);
  BIND(legend);
  BIND(count);
  BIND(shown);
  BIND(quantity);
  BIND(tables);
  BIND(trend);
  gtk_widget_class_bind_template_callback(widget_class, on_shown);
  gtk_widget_class_bind_template_callback(widget_class, on_quantity);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
add_table(LacBenchmarksPage *self, LacBenchTable kind)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);

  self->table[kind] = lac_bench_table_new(kind);
  gtk_widget_set_hexpand(GTK_WIDGET(self->table[kind]), TRUE);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->table[kind]));
  gtk_box_append(GTK_BOX(box), lac_column_table_make_menu_button(self->table[kind]));
  gtk_stack_add_named(self->tables, box, keys[kind]);
  g_signal_connect_swapped(self->table[kind], "chosen", G_CALLBACK(on_line), self);
}

static void
lac_benchmarks_page_init(LacBenchmarksPage *self)
{
  const LacJobKind kind = {.work = read_results,
                           .show = on_read,
                           .free_request = g_free,
                           .free_result = (GDestroyNotify) lac_bench_results_free};

  gtk_widget_init_template(GTK_WIDGET(self));
  self->answer = lac_answer_label_new();
  gtk_box_prepend(self->words, self->answer);
  for (LacBenchTable table = 0; table < LAC_N_BENCH_TABLES; table++)
    add_table(self, table);
  lac_accessible_name_drop_down(self->shown, _("Result"));
  lac_accessible_name_drop_down(self->quantity, _("Quantity"));
  self->bar = lac_bench_bar_new();
  self->reading = lac_latest_job_new(self, &kind);
  self->runner = lac_bench_runner_new(NULL);
  g_signal_connect_swapped(self->runner, "changed", G_CALLBACK(on_running), self);
  g_signal_connect_swapped(self->runner, "progressed", G_CALLBACK(on_progressed), self);
  g_signal_connect_swapped(self->runner, "ended", G_CALLBACK(on_ended), self);
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
}
