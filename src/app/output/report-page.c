/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A thread lays out the pages again when the plan has changed and the page is shown. */
#include "app/output/report-page.h"

#include "app/output/exporter.h"
#include "app/output/figure-maker.h"
#include "app/output/paper-view.h"
#include "app/output/report-form.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/bottom-bar.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/save-dialog.h"

#include <glib/gi18n-lib.h>

#define SETTLED_MS 350 /* delay after the last key press */

struct _LacReportPage {
  GtkWidget       parent_instance;
  GtkWidget      *content;
  LacReportForm  *form;
  LacPaperView   *paper;
  GtkLabel       *page;
  GtkWidget      *before, *after;
  GtkSpinner     *spinner;
  GtkBox         *formats; /* toggle buttons, in the order of the table below */
  LacBottomBar   *bar;
  LacFigureMaker *maker; /* caches the runs */
  LacLatestJob   *laying_out;
  guint           settle; /* source */
  GPtrArray      *pages;  /* (nullable): LacDrawing */
  guint           shown;
  guint           format;   /* index of the table below */
  gboolean        is_stale; /* to be laid out when the page is shown */
  LacRunStore    *store;    /* (nullable) */
};

G_DEFINE_FINAL_TYPE(LacReportPage, lac_report_page, GTK_TYPE_WIDGET)

static const struct {
  const char *label, *ending;
} formats[] = {{"PDF", "pdf"}, {"HTML", "html"}, {N_("Text"), "txt"}, {"JSON", "json"}};

enum { CHANGED, SAVED, N_SIGNALS };
static guint signals[N_SIGNALS];

typedef struct {
  LacFigureMaker *maker;
  LacReportPlan  *plan;
  char           *path; /* (nullable): output file; NULL: layout only */
} Job;

static void
job_free(gpointer data)
{
  Job *job = data;
  lac_figure_maker_unref(job->maker);
  lac_report_plan_free(job->plan);
  g_free(job->path);
  g_free(job);
}

/* ---- worker thread ---- */

/* Result of a layout: its pages, and the contents of every section in words. */
typedef struct {
  GPtrArray *pages; /* LacDrawing */
  GStrv      contents;
} LaidOut;

static void
laid_out_free(gpointer data)
{
  LaidOut *laid_out = data;
  g_clear_pointer(&laid_out->pages, g_ptr_array_unref);
  g_strfreev(laid_out->contents);
  g_free(laid_out);
}

/* Returns: (transfer full): [run * LAC_N_PARTS + part] */
static GStrv
list_contents(const GPtrArray *runs)
{
  g_autoptr(GStrvBuilder) contents = g_strv_builder_new();
  for (guint r = 0; r < runs->len; r++)
    for (LacReportPart part = 0; part < LAC_N_PARTS; part++) {
      g_autofree char *content = lac_report_part_dup_content(part, runs->pdata[r]);
      g_strv_builder_add(contents, content);
    }
  return g_strv_builder_end(contents);
}

static LaidOut *
lay_out_runs(const LacReportPlan *plan, const GPtrArray *runs, GError **error)
{
  GPtrArray *pages = lac_report_plan_lay_out(plan, (LacRunFile *const *) runs->pdata, error);
  if (pages == NULL)
    return NULL;
  LaidOut *laid_out = g_new(LaidOut, 1);
  *laid_out = (LaidOut){pages, list_contents(runs)};
  return laid_out;
}

/* Returns: LaidOut; NULL if the pages were written to a file */
static gpointer
work(gpointer data, GCancellable *cancellable, GError **error)
{
  const Job              *job = data;
  g_autoptr(GPtrArray)    runs = g_ptr_array_new();
  g_autoptr(GMutexLocker) locker = lac_exporter_lock();

  if (g_cancellable_set_error_if_cancelled(cancellable, error))
    return NULL;
  for (guint i = 0; i < job->plan->runs->len; i++) {
    LacRunFile *run = lac_figure_maker_get_run(job->maker, job->plan->runs->pdata[i], error);
    if (run == NULL)
      return NULL;
    g_ptr_array_add(runs, run);
  }
  if (job->path == NULL)
    return lay_out_runs(job->plan, runs, error);
  lac_report_plan_write(job->plan, (LacRunFile *const *) runs->pdata, job->path, error);
  return NULL;
}

static Job *
make_job(LacReportPage *self, const char *path)
{
  Job *job = g_new0(Job, 1);
  job->maker = lac_figure_maker_ref(self->maker);
  job->plan = lac_report_plan_copy(lac_report_form_get_plan(self->form));
  job->path = g_strdup(path);
  gtk_spinner_start(self->spinner);
  return job;
}

/* ---- pages ---- */

static void
describe(LacReportPage *self, guint n)
{
  g_autofree char *title =
    g_strdup_printf(ngettext("%u page, %s", "%u pages, %s", n), n,
                    g_dgettext(GETTEXT_PACKAGE, formats[self->format].label));
  lac_bottom_bar_set_words(self->bar, n > 0 ? title : _("No report"),
                           n > 0 ? _("figures as vectors") : NULL);
}

static void
show_page(LacReportPage *self)
{
  guint  n = self->pages != NULL ? self->pages->len : 0;
  double width, height;

  describe(self, n);
  gtk_widget_set_sensitive(self->before, self->shown > 0);
  gtk_widget_set_sensitive(self->after, self->shown + 1 < n);
  if (n == 0) {
    lac_paper_view_show(self->paper, NULL, 0, 0, NULL, NULL);
    return;
  }
  self->shown = MIN(self->shown, n - 1);
  g_autofree char *where = g_strdup_printf(_("%u of %u"), self->shown + 1, n);
  gtk_label_set_text(self->page, where);
  lac_report_page_size(lac_report_form_get_plan(self->form)->paper, &width, &height);
  lac_paper_view_show(self->paper, self->pages->pdata[self->shown], width, height,
                      g_ptr_array_ref(self->pages), (GDestroyNotify) g_ptr_array_unref);
}

static void
on_before(LacReportPage *self)
{
  self->shown -= self->shown > 0;
  show_page(self);
}

static void
on_after(LacReportPage *self)
{
  self->shown += self->pages != NULL && self->shown + 1 < self->pages->len;
  show_page(self);
}

static void
on_laid_out(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacReportPage *self = owner;
  LaidOut       *laid_out = result;

  gtk_spinner_stop(self->spinner);
  g_clear_pointer(&self->pages, g_ptr_array_unref);
  if (laid_out != NULL) {
    self->pages = g_steal_pointer(&laid_out->pages);
    lac_report_form_set_contents(self->form, (const char *const *) laid_out->contents);
    laid_out_free(laid_out);
  }
  show_page(self);
  if (error != NULL)
    gtk_label_set_text(self->page, error->message);
}

static gboolean
lay_out(gpointer user_data)
{
  LacReportPage *self = user_data;

  self->settle = 0;
  self->is_stale = !gtk_widget_get_mapped(GTK_WIDGET(self));
  if (!self->is_stale && lac_report_form_get_plan(self->form) != NULL)
    lac_latest_job_start(self->laying_out, make_job(self, NULL));
  return G_SOURCE_REMOVE;
}

static void
on_changed(LacReportPage *self)
{
  g_clear_handle_id(&self->settle, g_source_remove);
  self->settle = g_timeout_add(SETTLED_MS, lay_out, self);
  g_signal_emit(self, signals[CHANGED], 0);
}

/* ---- saving ---- */

static GtkWindow *
get_window(LacReportPage *self)
{
  return GTK_WINDOW(gtk_widget_get_root(GTK_WIDGET(self)));
}

static void
on_saved(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacReportPage *self = owner;
  const char    *path = ((const Job *) request)->path;

  if (self->form == NULL)
    return;
  gtk_spinner_stop(self->spinner);
  g_signal_emit(self, signals[SAVED], 0, path, error != NULL ? error->message : NULL);
}

void
lac_report_page_save(LacReportPage *self, const char *path)
{
  g_return_if_fail(LAC_IS_REPORT_PAGE(self) && path != NULL);
  if (lac_report_form_get_plan(self->form) != NULL)
    lac_job_run(self, &(LacJobKind){.work = work, .show = on_saved, .free_request = job_free},
                make_job(self, path));
}

static void
save_chosen(GtkWindow *window, const char *path)
{
  g_action_group_activate_action(G_ACTION_GROUP(window), "report-save-to",
                                 g_variant_new_string(path));
}

void
lac_report_page_ask(LacReportPage *self)
{
  g_return_if_fail(LAC_IS_REPORT_PAGE(self));
  g_autoptr(GString) endings = g_string_new(formats[self->format].ending);
  g_autofree char   *name = g_strdup_printf("report.%s", formats[self->format].ending);
  for (guint i = 0; i < G_N_ELEMENTS(formats); i++)
    if (i != self->format)
      g_string_append_printf(endings, " %s", formats[i].ending);
  lac_save_dialog_show(get_window(self),
                       &(LacSaveOffer){_("Export a Report"), name, endings->str, save_chosen});
}

static void
on_format(GtkToggleButton *button, LacReportPage *self)
{
  if (!gtk_toggle_button_get_active(button))
    return;
  self->format = GPOINTER_TO_UINT(g_object_get_data(G_OBJECT(button), "format"));
  show_page(self);
}

/* ---- the page ---- */

static void
on_map(LacReportPage *self)
{
  if (self->is_stale)
    lay_out(self);
}

void
lac_report_page_set_store(LacReportPage *self, LacRunStore *store)
{
  g_return_if_fail(LAC_IS_REPORT_PAGE(self));
  g_set_object(&self->store, store);
}

static gboolean
is_of(const LacReportPlan *plan, const char *const *folders)
{
  guint n = g_strv_length((GStrv) folders);
  if (plan == NULL || plan->runs->len != n)
    return FALSE;
  for (guint i = 0; i < n; i++)
    if (!g_str_equal(plan->runs->pdata[i], folders[i]))
      return FALSE;
  return TRUE;
}

void
lac_report_page_set_runs(LacReportPage *self, const char *const *folders)
{
  g_return_if_fail(LAC_IS_REPORT_PAGE(self) && folders != NULL);
  if (folders[0] == NULL || is_of(lac_report_form_get_plan(self->form), folders))
    return;
  LacReportPlan *plan = lac_report_plan_new(folders);
  plan->paper = g_str_equal(gtk_paper_size_get_default(), GTK_PAPER_NAME_LETTER) ? LAC_PAPER_LETTER
                                                                                 : LAC_PAPER_A4;
  lac_report_page_show(self, plan);
}

GtkWidget *
lac_report_page_get_bar(LacReportPage *self)
{
  g_return_val_if_fail(LAC_IS_REPORT_PAGE(self), NULL);
  return GTK_WIDGET(self->bar);
}

static void
lac_report_page_dispose(GObject *object)
{
  LacReportPage *self = LAC_REPORT_PAGE(object);

  g_clear_pointer(&self->laying_out, lac_latest_job_free);
  g_clear_handle_id(&self->settle, g_source_remove);
  g_clear_object(&self->store);
  g_clear_object(&self->bar);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_REPORT_PAGE);
  G_OBJECT_CLASS(lac_report_page_parent_class)->dispose(object);
}

static void
lac_report_page_finalize(GObject *object)
{
  LacReportPage *self = LAC_REPORT_PAGE(object);

  g_clear_pointer(&self->pages, g_ptr_array_unref);
  lac_figure_maker_unref(self->maker);
  G_OBJECT_CLASS(lac_report_page_parent_class)->finalize(object);
}

#define BIND(member) gtk_widget_class_bind_template_child(widget_class, LacReportPage, member)

static void
lac_report_page_class_init(LacReportPageClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_report_page_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_report_page_finalize;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_REPORT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[SAVED] = g_signal_new("saved", LAC_TYPE_REPORT_PAGE, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 2, G_TYPE_STRING, G_TYPE_STRING);
  g_type_ensure(LAC_TYPE_REPORT_FORM);
  g_type_ensure(LAC_TYPE_PAPER_VIEW);
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/output/report-page.ui");
  BIND(form);
  BIND(paper);
  BIND(page);
  BIND(before);
  BIND(after);
  BIND(content);
  BIND(spinner);
  BIND(formats);
  gtk_widget_class_bind_template_callback(widget_class, on_changed);
  gtk_widget_class_bind_template_callback(widget_class, on_before);
  gtk_widget_class_bind_template_callback(widget_class, on_after);
  gtk_widget_class_set_layout_manager_type(widget_class, GTK_TYPE_BIN_LAYOUT);
}

static void
add_formats(LacReportPage *self)
{
  GtkToggleButton *first = NULL;
  for (guint i = 0; i < G_N_ELEMENTS(formats); i++) {
    GtkWidget *button =
      gtk_toggle_button_new_with_label(g_dgettext(GETTEXT_PACKAGE, formats[i].label));
    gtk_widget_set_hexpand(button, TRUE);
    g_object_set_data(G_OBJECT(button), "format", GUINT_TO_POINTER(i));
    gtk_toggle_button_set_group(GTK_TOGGLE_BUTTON(button), first);
    if (first == NULL)
      first = GTK_TOGGLE_BUTTON(button);
    g_signal_connect_object(button, "toggled", G_CALLBACK(on_format), self, 0);
    gtk_box_append(self->formats, button);
  }
  gtk_toggle_button_set_active(first, TRUE);
}

static GtkWidget *
add_action(LacReportPage *self, const char *label, const char *action)
{
  GtkWidget *button = gtk_button_new_with_label(label);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  lac_bottom_bar_add_action(self->bar, button);
  return button;
}

static void
add_bar(LacReportPage *self)
{
  self->bar = LAC_BOTTOM_BAR(g_object_ref_sink(lac_bottom_bar_new()));
  add_action(self, _("Trace…"), "win.export-trace");
  add_action(self, _("Data…"), "win.export-data");
  add_action(self, _("Film…"), "win.export-film");
  add_action(self, _("Figure…"), "win.export-figure");
  gtk_widget_add_css_class(add_action(self, _("Export Report…"), "win.report-save"),
                           "suggested-action");
}

static void
lac_report_page_init(LacReportPage *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  add_bar(self);
  self->maker = lac_figure_maker_new();
  self->laying_out =
    lac_latest_job_new(self, &(LacJobKind){work, on_laid_out, job_free, laid_out_free});
  add_formats(self);
  g_signal_connect(self, "map", G_CALLBACK(on_map), NULL);
  show_page(self);
}

void
lac_report_page_show(LacReportPage *self, LacReportPlan *plan)
{
  g_return_if_fail(LAC_IS_REPORT_PAGE(self) && plan != NULL);
  lac_report_form_begin(self->form, plan, self->store);
  g_clear_handle_id(&self->settle, g_source_remove);
  lay_out(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

const LacReportPlan *
lac_report_page_get_plan(LacReportPage *self)
{
  g_return_val_if_fail(LAC_IS_REPORT_PAGE(self), NULL);
  return lac_report_form_get_plan(self->form);
}
