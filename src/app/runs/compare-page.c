/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The comparison page. Runs are loaded in a worker thread; other runs cancel the loading. */
#include "app/runs/compare-page.h"

#include "app/plot/section-view.h"
#include "app/runs/compare-bars.h"
#include "app/runs/compare-curves.h"
#include "app/runs/compare-durations.h"
#include "app/runs/compare-methods.h"
#include "app/runs/compare-side.h"
#include "app/runs/compare-tables.h"
#include "app/runs/compare-time.h"
#include "app/runs/narrow-drop-down.h"
#include "app/runs/side-fold.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/answer-label.h"
#include "app/toolkit/latest-job.h"
#include "report/compare/comparison.h"
#include "report/text/run-metrics.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

#include <inttypes.h>
#include <math.h>
#include <string.h>

#define HIGH_CURVES 112 /* height of the curves where there is room */
#define LOW_CURVES  72

struct _LacComparePage {
  GtkWidget            parent_instance;
  AdwFlap             *flap;
  GtkBox              *head;
  GtkStack            *stack, *below;
  GtkDropDown         *metric_choice, *operation_choice;
  LacSectionView      *section;
  LacCompareDurations *durations;
  GtkLabel            *answer, *basis;
  AdwStatusPage       *refused;
  GtkSpinner          *spinner;
  LacCompareFields    *fields;
  LacCompareMethods   *methods;
  LacCompareCurves    *curves;
  LacCompareBars      *bars;
  LacCompareSide      *side;
  GtkWidget           *metric_box, *methods_tab;
  GtkBox              *high;        /* place of the table of methods on a page with enough height */
  LacCompareTables    *differences; /* for the tab Set-up */
  LacCompareTime      *time;        /* for the tab Time */
  GStrv                paths;       /* (nullable): the runs */
  LacLatestJob        *reading;
  LacCompared         *compared;                          /* (nullable): when loaded */
  GStrv                words[LAC_COMPARE_OPERATION + 1];  /* keys of either drop-down */
  char                *wanted[LAC_COMPARE_OPERATION + 1]; /* (nullable): last selection */
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

static void
free_paths(gpointer paths)
{
  g_strfreev(paths);
}

static gpointer
read_runs(gpointer paths, GCancellable *cancellable, GError **error)
{
  return lac_compared_new(paths, cancellable, error);
}

static void
free_compared(gpointer compared)
{
  lac_compared_free(compared);
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
  if (self->compared == NULL)
    return;
  if (*word == '\0' && choice == LAC_COMPARE_METRIC)
    lac_compare_curves_clear(self->curves);
  else if (*word == '\0')
    lac_compare_durations_clear(self->durations);
  else if (choice == LAC_COMPARE_METRIC)
    lac_compare_curves_show(self->curves, self->compared->runs, word);
  else
    lac_compare_durations_show(self->durations, (LacRunFile *const *) self->compared->runs->pdata,
                               word);
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
  const LacRunFile        *run = lac_compared_get_run(self->compared, 0);
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
offer_operations(LacComparePage *self)
{
  const GArray           *operations = self->compared->operations;
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

/* The fields of two runs are shown; those of more are not. */
static void
show_compared(LacComparePage *self)
{
  const LacCompared *compared = self->compared;
  gboolean           is_pair = compared->runs->len == 2;
  lac_answer_label_set(self->answer, compared->answer);
  gtk_label_set_text(self->basis, compared->basis != NULL ? compared->basis : "");
  gtk_widget_set_visible(GTK_WIDGET(self->basis), compared->basis != NULL);
  lac_compare_methods_show(self->methods, compared);
  lac_compare_side_show(self->side, compared);
  lac_compare_tables_show(self->differences, compared);
  lac_compare_time_show(self->time, compared);
  lac_compare_bars_show(self->bars, is_pair ? compared : NULL);
  offer_metrics(self);
  offer_operations(self);
  show_below(self);
  gtk_widget_set_visible(GTK_WIDGET(self->fields), is_pair);
  if (is_pair)
    lac_compare_fields_set_runs(self->fields, lac_compared_get_run(compared, 0),
                                lac_compared_get_run(compared, 1));
}

static void
on_read(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacComparePage *self = owner;
  if (error != NULL) {
    g_autofree char *escaped = g_markup_escape_text(error->message, -1);
    adw_status_page_set_description(self->refused, escaped);
    show_part(self, "refused");
    return;
  }
  self->compared = result;
  show_compared(self);
  show_part(self, "comparison");
  g_signal_emit(self, signals[CHANGED], 0);
}

/* Every widget that borrows the comparison lets go of it first. */
static void
forget(LacComparePage *self)
{
  lac_latest_job_cancel(self->reading);
  lac_compare_fields_set_runs(self->fields, NULL, NULL);
  lac_compare_durations_clear(self->durations);
  lac_compare_methods_show(self->methods, NULL);
  lac_compare_side_show(self->side, NULL);
  lac_compare_tables_show(self->differences, NULL);
  lac_compare_time_show(self->time, NULL);
  lac_compare_bars_show(self->bars, NULL);
  lac_answer_label_set(self->answer, NULL);
  gtk_widget_set_visible(GTK_WIDGET(self->basis), FALSE);
  g_clear_pointer(&self->compared, lac_compared_free);
}

/* ---- the runs ---- */

void
lac_compare_page_set_runs(LacComparePage *self, const char *const *paths)
{
  g_return_if_fail(LAC_IS_COMPARE_PAGE(self) && paths != NULL);
  guint n = g_strv_length((GStrv) paths);
  if (n < 2 || n > LAC_COMPARISON_MOST)
    return;
  GStrv chosen = g_strdupv((GStrv) paths);
  g_strfreev(self->paths);
  self->paths = chosen;
  forget(self);
  show_part(self, "reading");
  lac_latest_job_start(self->reading, g_strdupv(self->paths));
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
  lac_compare_page_set_runs(self, (const char *const *) paths);
}

GtkWidget *
lac_compare_page_get_bar(LacComparePage *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self), NULL);
  return lac_compare_fields_get_bar(self->fields);
}

GtkWidget *
lac_compare_page_get_differences(LacComparePage *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self), NULL);
  return GTK_WIDGET(self->differences);
}

GtkWidget *
lac_compare_page_get_time(LacComparePage *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self), NULL);
  return GTK_WIDGET(self->time);
}

/* ---- how it is shown ---- */

const char *
lac_compare_page_get_verdict(LacComparePage *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self), NULL);
  if (self->compared == NULL)
    return NULL;
  return self->compared->answer != NULL ? self->compared->answer : "";
}

GStrv
lac_compare_page_dup_paths(LacComparePage *self)
{
  g_return_val_if_fail(LAC_IS_COMPARE_PAGE(self), NULL);
  return self->compared != NULL ? g_strdupv(self->paths) : g_new0(char *, 1);
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
  self->fields = NULL;
  g_clear_object(&self->differences);
  g_clear_object(&self->time);
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
  gtk_widget_class_bind_template_child(class, LacComparePage, flap);
  gtk_widget_class_bind_template_child(class, LacComparePage, head);
  gtk_widget_class_bind_template_child(class, LacComparePage, stack);
  gtk_widget_class_bind_template_child(class, LacComparePage, metric_choice);
  gtk_widget_class_bind_template_child(class, LacComparePage, metric_box);
  gtk_widget_class_bind_template_child(class, LacComparePage, section);
  gtk_widget_class_bind_template_child(class, LacComparePage, below);
  gtk_widget_class_bind_template_child(class, LacComparePage, durations);
  gtk_widget_class_bind_template_child(class, LacComparePage, operation_choice);
  gtk_widget_class_bind_template_child(class, LacComparePage, refused);
  gtk_widget_class_bind_template_child(class, LacComparePage, spinner);
  gtk_widget_class_bind_template_child(class, LacComparePage, fields);
  gtk_widget_class_bind_template_child(class, LacComparePage, methods);
  gtk_widget_class_bind_template_child(class, LacComparePage, methods_tab);
  gtk_widget_class_bind_template_child(class, LacComparePage, high);
  gtk_widget_class_bind_template_child(class, LacComparePage, curves);
  gtk_widget_class_bind_template_child(class, LacComparePage, side);
  gtk_widget_class_bind_template_callback(class, on_metric);
  gtk_widget_class_bind_template_callback(class, on_operation);
}

static void
lac_compare_page_class_init(LacComparePageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_compare_page_dispose;
  g_type_ensure(LAC_TYPE_COMPARE_FIELDS);
  g_type_ensure(LAC_TYPE_COMPARE_METHODS);
  g_type_ensure(LAC_TYPE_COMPARE_CURVES);
  g_type_ensure(LAC_TYPE_COMPARE_DURATIONS);
  g_type_ensure(LAC_TYPE_COMPARE_SIDE);
  g_type_ensure(LAC_TYPE_SECTION_VIEW);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_COMPARE_PAGE, G_SIGNAL_RUN_LAST, 0, NULL,
                                  NULL, NULL, G_TYPE_NONE, 0);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/runs/compare-page.ui");
  bind_children(widget_class);
}

static void
add_head(LacComparePage *self)
{
  self->answer = GTK_LABEL(lac_answer_label_new());
  self->basis = GTK_LABEL(gtk_label_new(NULL));
  gtk_label_set_xalign(self->basis, 0);
  gtk_label_set_wrap(self->basis, TRUE);
  gtk_widget_add_css_class(GTK_WIDGET(self->basis), "caption");
  gtk_widget_add_css_class(GTK_WIDGET(self->basis), "dim-label");
  gtk_box_append(self->head, GTK_WIDGET(self->answer));
  gtk_box_append(self->head, GTK_WIDGET(self->basis));
}

/* The bars of the tab Time below the fields. */
static void
add_bars(LacComparePage *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new();
  self->bars = LAC_COMPARE_BARS(lac_compare_bars_new(LAC_COMPARE_BARS_PHASES));
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->bars));
  gtk_stack_add_named(self->below, scroller, "time");
}

/* On a low page the table of methods is one of the tabs. */
static void
on_low(GtkWidget *page, gboolean is_low)
{
  LacComparePage              *self = LAC_COMPARE_PAGE(page);
  g_autoptr(LacCompareMethods) methods = g_object_ref(self->methods);
  if (is_low) {
    gtk_box_remove(self->high, GTK_WIDGET(methods));
    gtk_stack_add_named(self->below, GTK_WIDGET(methods), "methods");
    gtk_stack_set_visible_child_name(self->below, "methods");
  } else {
    if (gtk_stack_get_visible_child(self->below) == GTK_WIDGET(methods))
      gtk_stack_set_visible_child_name(self->below, "curves");
    gtk_stack_remove(self->below, GTK_WIDGET(methods));
    gtk_box_append(self->high, GTK_WIDGET(methods));
  }
  gtk_widget_set_visible(self->methods_tab, is_low);
  gtk_widget_set_size_request(GTK_WIDGET(self->curves), -1, is_low ? LOW_CURVES : HIGH_CURVES);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
lac_compare_page_init(LacComparePage *self)
{
  self->filling = TRUE;
  self->reading = lac_latest_job_new(self, &(LacJobKind){.work = read_runs,
                                                         .show = on_read,
                                                         .free_request = free_paths,
                                                         .free_result = free_compared});
  gtk_widget_init_template(GTK_WIDGET(self));
  self->differences = g_object_ref_sink(g_object_new(LAC_TYPE_COMPARE_TABLES, NULL));
  self->time = g_object_ref_sink(g_object_new(LAC_TYPE_COMPARE_TIME, NULL));
  add_head(self);
  add_bars(self);
  lac_side_fold_attach(GTK_WIDGET(self), self->flap);
  lac_side_fold_set_low(GTK_WIDGET(self), on_low);
  lac_drop_down_make_narrow(self->metric_choice);
  lac_drop_down_make_narrow(self->operation_choice);
  self->filling = FALSE;
  lac_section_view_attach(self->section, lac_compare_fields_get_view(self->fields));
  lac_accessible_name_drop_down(GTK_DROP_DOWN(self->metric_choice), _("Metric"));
  lac_accessible_name_drop_down(self->operation_choice, _("Operation"));
  g_signal_connect_object(self->below, "notify::visible-child", G_CALLBACK(show_below), self,
                          G_CONNECT_SWAPPED);
  show_below(self);
}
