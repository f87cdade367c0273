/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison page. Runs are loaded in a worker thread; a new selection cancels loading. */
#include "app/runs/compare-page.h"

#include "app/plot/section-view.h"
#include "app/runs/compare-choices.h"
#include "app/runs/compare-curves.h"
#include "app/runs/compare-durations.h"
#include "app/runs/compare-tables.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/latest-job.h"
#include "report/compare/comparison.h"
#include "report/text/run-metrics.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

struct _LacComparePage {
  GtkWidget            parent_instance;
  GtkStack            *stack;
  GtkDropDown         *first, *second, *metric_choice, *operation_choice;
  GtkStack            *below;
  LacSectionView      *section;
  LacCompareDurations *durations;
  GtkLabel            *verdict, *others;
  AdwStatusPage       *refused;
  GtkSpinner          *spinner;
  LacCompareFields    *fields;
  LacCompareCurves    *curves;
  LacCompareTables    *tables;
  GtkWidget           *metric_box;
  LacRunStore         *store;
  GListModel          *choices; /* the store's runs, newest first */
  GStrv                paths;   /* selected runs */
  LacLatestJob        *reading;
  GPtrArray           *runs;                              /* (nullable): LacRunFile, when loaded */
  GStrv                words[LAC_COMPARE_OPERATION + 1];  /* keys of either drop-down */
  char                *wanted[LAC_COMPARE_OPERATION + 1]; /* (nullable): last selection */
  char                *sentence;
  gboolean             filling;
};

G_DEFINE_FINAL_TYPE(LacComparePage, lac_compare_page, GTK_TYPE_WIDGET)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

/* Shows a page of the stack. A hidden spinner is stopped, or it would keep the window redrawing. */
static void
show_part(LacComparePage *self, const char *name)
{
  gtk_stack_set_visible_child_name(self->stack, name);
  gtk_spinner_set_spinning(self->spinner, g_str_equal(name, "reading"));
}

/* ---- reading ---- */

typedef struct {
  GStrv      paths;
  GPtrArray *runs;
  GPtrArray *rows[3];
  GArray    *operations;
  char      *verdict;
} Reading;

static void
reading_free(gpointer data)
{
  Reading *reading = data;
  g_strfreev(reading->paths);
  g_clear_pointer(&reading->runs, g_ptr_array_unref);
  for (guint i = 0; i < 3; i++)
    g_clear_pointer(&reading->rows[i], g_ptr_array_unref);
  g_clear_pointer(&reading->operations, g_array_unref);
  g_free(reading->verdict);
  g_free(reading);
}

static gpointer
read_runs(gpointer data, GCancellable *cancellable, GError **error)
{
  Reading *reading = data;
  reading->runs = g_ptr_array_new_with_free_func((GDestroyNotify) lac_run_file_unref);
  for (char **path = reading->paths; *path != NULL; path++) {
    LacRunFile *run = g_cancellable_set_error_if_cancelled(cancellable, error)
                        ? NULL
                        : lac_run_file_open(*path, error);
    if (run == NULL)
      return NULL;
    g_ptr_array_add(reading->runs, run);
  }
  LacRunFile *const *runs = (LacRunFile *const *) reading->runs->pdata;
  for (guint part = 0; part < 3; part++)
    reading->rows[part] = lac_comparison_rows(runs, reading->runs->len, (LacComparisonPart) part);
  reading->operations = lac_comparison_operations(runs, reading->runs->len);
  reading->verdict = lac_comparison_dup_verdict(runs, reading->runs->len);
  return NULL;
}

/* ---- metric and operation ---- */

static GtkDropDown *
drop_of(LacComparePage *self, LacCompareChoice choice)
{
  return choice == LAC_COMPARE_METRIC ? self->metric_choice : self->operation_choice;
}

static guint
count_words(LacComparePage *self, LacCompareChoice choice)
{
  return self->words[choice] != NULL ? g_strv_length(self->words[choice]) : 0;
}

static void
draw_chosen(LacComparePage *self, LacCompareChoice choice)
{
  const char *word = lac_compare_page_get_chosen(self, choice);
  if (self->runs == NULL)
    return;
  if (*word == '\0' && choice == LAC_COMPARE_METRIC)
    lac_compare_curves_clear(self->curves);
  else if (*word == '\0')
    lac_compare_durations_clear(self->durations);
  else if (choice == LAC_COMPARE_METRIC)
    lac_compare_curves_show(self->curves, self->runs, word);
  else
    lac_compare_durations_show(self->durations, (LacRunFile *const *) self->runs->pdata, word);
}

static void
on_chosen(LacComparePage *self, LacCompareChoice choice, const char *action)
{
  const char *word = lac_compare_page_get_chosen(self, choice);
  if (self->filling || *word == '\0')
    return;
  g_free(self->wanted[choice]);
  self->wanted[choice] = g_strdup(word);
  draw_chosen(self, choice);
  gtk_widget_activate_action(GTK_WIDGET(self), action, "s", word); /* for a UI recording */
}

static void
on_metric(GtkDropDown *drop, GParamSpec *pspec, LacComparePage *self)
{
  on_chosen(self, LAC_COMPARE_METRIC, "win.compare-metric");
}

static void
on_operation(GtkDropDown *drop, GParamSpec *pspec, LacComparePage *self)
{
  on_chosen(self, LAC_COMPARE_OPERATION, "win.compare-operation");
}

/* Returns the index of a method's error at each step, or else 0: results of the whole run are constant over most of
 * it. */
static guint
find_default(LacCompareChoice choice, const GStrv words, guint n)
{
  for (guint i = 0; i < n && choice == LAC_COMPARE_METRIC; i++)
    if (g_str_has_suffix(words[i], ".error"))
      return i;
  return 0;
}

/* Fills a drop-down. @words: (transfer full). Keeps the selection if it is among them. */
static void
offer(LacComparePage *self, LacCompareChoice choice, GStrv words, GListModel *labels)
{
  guint at = 0, n = g_strv_length(words);
  g_strfreev(self->words[choice]);
  self->words[choice] = words;
  while (at < n && g_strcmp0(words[at], self->wanted[choice]) != 0)
    at++;
  self->filling = TRUE;
  gtk_drop_down_set_model(drop_of(self, choice), labels);
  if (n > 0)
    gtk_drop_down_set_selected(drop_of(self, choice), at < n ? at : find_default(choice, words, n));
  self->filling = FALSE;
  draw_chosen(self, choice);
}

/* Returns: FALSE for a metric with a single row. */
static gboolean
has_curve(const LacRunFile *run, gsize metric)
{
  guint n = 0;
  for (gsize i = 0; i < run->n_series && n < 2; i++)
    n += run->series[i * run->n_metrics + metric] == run->series[i * run->n_metrics + metric];
  return n > 1;
}

static void
offer_metrics(LacComparePage *self)
{
  const LacRunFile        *run = self->runs->pdata[0];
  g_auto(LacRunMetrics)    metrics = {0};
  g_autoptr(GtkStringList) labels = gtk_string_list_new(NULL);
  g_autoptr(GStrvBuilder)  keys = g_strv_builder_new();
  lac_run_metrics_init(&metrics, run);
  for (gsize m = 0; m < run->n_metrics; m++) {
    if (!has_curve(run, m))
      continue;
    gtk_string_list_take(labels, lac_run_metrics_dup_label(&metrics, m));
    g_strv_builder_add(keys, run->metrics[m].key);
  }
  offer(self, LAC_COMPARE_METRIC, g_strv_builder_end(keys), G_LIST_MODEL(labels));
}

/* Offers the operations that both runs have. */
static void
offer_operations(LacComparePage *self, const GArray *operations)
{
  g_autoptr(GStrvBuilder) names = g_strv_builder_new();
  for (guint i = 0; i < operations->len; i++) {
    const LacComparedOperation *operation = &g_array_index(operations, LacComparedOperation, i);
    if (isfinite(operation->seconds[0]) && isfinite(operation->seconds[1]))
      g_strv_builder_add(names, operation->name);
  }
  GStrv                    words = g_strv_builder_end(names);
  g_autoptr(GtkStringList) labels = gtk_string_list_new((const char *const *) words);
  offer(self, LAC_COMPARE_OPERATION, words, G_LIST_MODEL(labels));
}

/* Shows the drop-down that matches the visible part. */
static void
show_below(LacComparePage *self)
{
  const char *part = gtk_stack_get_visible_child_name(self->below);
  gboolean    curves = g_strcmp0(part, "curves") == 0;
  gtk_widget_set_visible(GTK_WIDGET(self->metric_choice),
                         curves && count_words(self, LAC_COMPARE_METRIC) > 0);
  gtk_widget_set_visible(self->metric_box, curves);
  gtk_widget_set_visible(GTK_WIDGET(self->operation_choice),
                         g_strcmp0(part, "durations") == 0 &&
                           count_words(self, LAC_COMPARE_OPERATION) > 0);
}

void
lac_compare_page_choose(LacComparePage *self, LacCompareChoice choice, const char *word)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self) && word != NULL && choice < LAC_N_COMPARE_CHOICES);
  if (choice == LAC_COMPARE_BELOW) {
    if (gtk_stack_get_child_by_name(self->below, word) != NULL)
      gtk_stack_set_visible_child_name(self->below, word);
    return;
  }
  g_free(self->wanted[choice]);
  self->wanted[choice] = g_strdup(word);
  for (guint i = 0; i < count_words(self, choice); i++)
    if (g_str_equal(self->words[choice][i], word))
      gtk_drop_down_set_selected(drop_of(self, choice), i);
}

const char *
lac_compare_page_get_chosen(LacComparePage *self, LacCompareChoice choice)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self) && choice < LAC_N_COMPARE_CHOICES, "");
  if (choice == LAC_COMPARE_BELOW)
    return gtk_stack_get_visible_child_name(self->below);
  guint at = gtk_drop_down_get_selected(drop_of(self, choice));
  return at < count_words(self, choice) ? self->words[choice][at] : "";
}

void
lac_compare_page_choose_next(LacComparePage *self, LacCompareChoice choice)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self) && choice < LAC_COMPARE_BELOW);
  guint n = count_words(self, choice);
  if (n > 0)
    gtk_drop_down_set_selected(drop_of(self, choice),
                               (gtk_drop_down_get_selected(drop_of(self, choice)) + 1) % n);
}

/* ---- what was read ---- */

static void
describe_others(LacComparePage *self)
{
  GString *text = g_string_new(NULL);
  for (guint r = 2; r < self->runs->len; r++) {
    const LacRunFile *run = self->runs->pdata[r];
    g_autofree char  *name = g_filename_display_basename(run->path);
    g_string_append_printf(text, "%s%s %s", r > 2 ? "   " : "", lac_comparison_letter(r), name);
  }
  gtk_label_set_text(self->others, text->str);
  gtk_widget_set_visible(GTK_WIDGET(self->others), text->len > 0);
  g_string_free(text, TRUE);
}

static void
on_read(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacComparePage *self = owner;
  Reading        *reading = request;
  if (error != NULL) {
    g_autofree char *escaped = g_markup_escape_text(error->message, -1);
    adw_status_page_set_description(self->refused, escaped);
    show_part(self, "refused");
    return;
  }
  self->runs = g_ptr_array_ref(reading->runs);
  self->sentence = g_strdup(reading->verdict);
  gtk_label_set_text(self->verdict, self->sentence);
  describe_others(self);
  lac_compare_tables_show(self->tables, (LacRunFile *const *) self->runs->pdata, self->runs->len,
                          reading->rows, reading->operations);
  offer_metrics(self);
  offer_operations(self, reading->operations);
  show_below(self);
  lac_compare_fields_set_runs(self->fields, self->runs->pdata[0], self->runs->pdata[1]);
  show_part(self, "comparison");
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
forget(LacComparePage *self)
{
  lac_latest_job_cancel(self->reading);
  lac_compare_fields_set_runs(self->fields, NULL, NULL);
  lac_compare_durations_clear(self->durations);
  g_clear_pointer(&self->runs, g_ptr_array_unref);
  g_clear_pointer(&self->sentence, g_free);
}

/* ---- choosing ---- */

static void
select_run(LacComparePage *self, GtkDropDown *drop, const char *path)
{
  LacRunItem *item = self->store != NULL ? lac_run_store_find(self->store, path) : NULL;
  gtk_drop_down_set_selected(drop, lac_compare_choices_find(self->choices, item));
}

static void
show_choices(LacComparePage *self)
{
  self->filling = TRUE;
  if (self->paths != NULL) {
    select_run(self, self->first, self->paths[0]);
    select_run(self, self->second, self->paths[1]);
  }
  self->filling = FALSE;
}

void
lac_compare_page_show(LacComparePage *self, const char *const *paths)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self));
  guint n = g_strv_length((GStrv) paths);
  if (n < 2 || n > LAC_COMPARISON_MOST)
    return;
  GStrv chosen = g_strdupv((GStrv) paths);
  g_strfreev(self->paths);
  self->paths = chosen;
  forget(self);
  show_choices(self);
  show_part(self, "reading");
  Reading *reading = g_new0(Reading, 1);
  reading->paths = g_strdupv(self->paths);
  lac_latest_job_start(self->reading, reading);
}

void
lac_compare_page_show_last(LacComparePage *self)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self));
  const char *paths[3] = {NULL};
  if (self->paths != NULL || self->store == NULL)
    return;
  if (lac_compare_choices_find_last(self->choices, paths))
    lac_compare_page_show(self, paths);
  else
    show_part(self, "empty");
}

static void
on_choice(GtkDropDown *drop, GParamSpec *pspec, LacComparePage *self)
{
  const char *first = lac_compare_choices_get(self->first),
             *second = lac_compare_choices_get(self->second);
  if (self->filling || first == NULL || second == NULL || self->paths == NULL ||
      (g_str_equal(first, self->paths[0]) && g_str_equal(second, self->paths[1])))
    return;
  const char *paths[] = {first, second, NULL};
  lac_compare_page_show(self, paths);
}

void
lac_compare_page_swap(LacComparePage *self)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self));
  if (self->paths == NULL)
    return;
  g_auto(GStrv) paths = g_strdupv(self->paths);
  char         *first = paths[0];
  paths[0] = paths[1];
  paths[1] = first;
  lac_compare_page_show(self, (const char *const *) paths);
}

static void
on_store(LacComparePage *self)
{
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    lac_compare_page_show_last(self);
  show_choices(self);
}

void
lac_compare_page_set_store(LacComparePage *self, LacRunStore *store)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self) && LAC_IS_RUN_STORE(store));
  g_set_object(&self->store, store);
  g_clear_object(&self->choices);
  self->choices = lac_compare_choices_new(store);
  self->filling = TRUE;
  gtk_drop_down_set_model(self->first, self->choices);
  gtk_drop_down_set_model(self->second, self->choices);
  self->filling = FALSE;
  g_signal_connect_object(store, "changed", G_CALLBACK(on_store), self, G_CONNECT_SWAPPED);
}

/* ---- how it is shown ---- */

const char *
lac_compare_page_get_verdict(LacComparePage *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self), NULL);
  return self->sentence;
}

GStrv
lac_compare_page_dup_paths(LacComparePage *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self), NULL);
  return self->runs != NULL ? g_strdupv(self->paths) : g_new0(char *, 1);
}

void
lac_compare_page_set_mode(LacComparePage *self, LacViewMode mode)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self));
  lac_compare_fields_set_mode(self->fields, mode);
}

void
lac_compare_page_set_link(LacComparePage *self, LacLink link)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self));
  lac_compare_fields_set_link(self->fields, link);
}

void
lac_compare_page_set_seconds(LacComparePage *self, gboolean against_seconds)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self));
  lac_compare_curves_set_seconds(self->curves, against_seconds);
}

LacCompareFields *
lac_compare_page_get_fields(LacComparePage *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self), NULL);
  return self->fields;
}

void
lac_compare_page_zoom(LacComparePage *self, double factor)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self));
  lac_compare_fields_zoom(self->fields, factor);
}

/* ---- the object ---- */

static void
lac_compare_page_dispose(GObject *object)
{
  LacComparePage *self = LAC_COMPARE_PAGE(object);
  if (self->fields != NULL)
    forget(self);
  g_clear_pointer(&self->reading, lac_latest_job_free);
  self->filling = TRUE;
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_COMPARE_PAGE);
  g_clear_object(&self->choices);
  g_clear_object(&self->store);
  g_clear_pointer(&self->paths, g_strfreev);
  for (guint choice = 0; choice <= LAC_COMPARE_OPERATION; choice++) {
    g_clear_pointer(&self->words[choice], g_strfreev);
    g_clear_pointer(&self->wanted[choice], g_free);
  }
  G_OBJECT_CLASS(lac_compare_page_parent_class)->dispose(object);
}

static void
bind_children(GtkWidgetClass *class)
{
  gtk_widget_class_bind_template_child(class, LacComparePage, stack);
  gtk_widget_class_bind_template_child(class, LacComparePage, first);
  gtk_widget_class_bind_template_child(class, LacComparePage, second);
  gtk_widget_class_bind_template_child(class, LacComparePage, metric_choice);
  gtk_widget_class_bind_template_child(class, LacComparePage, metric_box);
  gtk_widget_class_bind_template_child(class, LacComparePage, section);
  gtk_widget_class_bind_template_child(class, LacComparePage, below);
  gtk_widget_class_bind_template_child(class, LacComparePage, durations);
  gtk_widget_class_bind_template_child(class, LacComparePage, operation_choice);
  gtk_widget_class_bind_template_child(class, LacComparePage, verdict);
  gtk_widget_class_bind_template_child(class, LacComparePage, others);
  gtk_widget_class_bind_template_child(class, LacComparePage, refused);
  gtk_widget_class_bind_template_child(class, LacComparePage, spinner);
  gtk_widget_class_bind_template_child(class, LacComparePage, fields);
  gtk_widget_class_bind_template_child(class, LacComparePage, curves);
  gtk_widget_class_bind_template_child(class, LacComparePage, tables);
}

static void
lac_compare_page_class_init(LacComparePageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_compare_page_dispose;
  g_type_ensure(LAC_TYPE_COMPARE_FIELDS);
  g_type_ensure(LAC_TYPE_COMPARE_CURVES);
  g_type_ensure(LAC_TYPE_COMPARE_DURATIONS);
  g_type_ensure(LAC_TYPE_COMPARE_TABLES);
  g_type_ensure(LAC_TYPE_SECTION_VIEW);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_COMPARE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/compare-page.ui");
  bind_children(widget_class);
  gtk_widget_class_bind_template_callback(widget_class, on_choice);
  gtk_widget_class_bind_template_callback(widget_class, on_metric);
  gtk_widget_class_bind_template_callback(widget_class, on_operation);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
lac_compare_page_init(LacComparePage *self)
{
  self->filling = TRUE;
  self->reading = lac_latest_job_new(
    self, &(LacJobKind){.work = read_runs, .show = on_read, .free_request = reading_free});
  gtk_widget_init_template(GTK_WIDGET(self));
  lac_compare_choices_shorten(self->metric_choice);
  lac_compare_choices_shorten(self->operation_choice);
  self->filling = FALSE;
  lac_section_view_attach(self->section, lac_compare_fields_get_view(self->fields));
  lac_compare_choices_prepare(self->first);
  lac_compare_choices_prepare(self->second);
  g_signal_connect(self, "map", G_CALLBACK(lac_compare_page_show_last), NULL);
  lac_accessible_name_drop_down(GTK_DROP_DOWN(self->first), _("First run"));
  lac_accessible_name_drop_down(GTK_DROP_DOWN(self->second), _("Second run"));
  lac_accessible_name_drop_down(GTK_DROP_DOWN(self->metric_choice), _("Metric"));
  lac_accessible_name_drop_down(self->operation_choice, _("Operation"));
  g_signal_connect_object(self->below, "notify::visible-child", G_CALLBACK(show_below), self,
                          G_CONNECT_SWAPPED);
  show_below(self);
}
