/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The report editor: a thread lays out the pages again when the plan has changed. */
#include "app/output/report-window.h"

#include "app/output/exporter.h"
#include "app/output/figure-maker.h"
#include "app/output/paper-view.h"
#include "app/output/report-form.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/save-dialog.h"
#include "app/toolkit/toast.h"

#include <glib/gi18n-lib.h>

#define SETTLED_MS 350 /* delay after the last key press */

struct _LacReportWindow {
  AdwWindow        parent_instance;
  LacReportForm   *form;
  LacPaperView    *paper;
  GtkLabel        *page;
  GtkWidget       *before, *after, *save;
  GtkSpinner      *spinner;
  AdwToastOverlay *toasts;
  LacFigureMaker  *maker; /* caches the runs */
  LacLatestJob    *laying_out;
  guint            settle; /* source */
  GPtrArray       *pages;  /* (nullable): LacDrawing */
  guint            shown;
  LacRunStore     *store; /* (nullable) */
};

G_DEFINE_FINAL_TYPE(LacReportWindow, lac_report_window, ADW_TYPE_WINDOW)

static guint changed_signal;

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

static void
describe(LacReportWindow *self, const char *sentence)
{
  lac_toast_show(self->toasts, lac_toast_new(sentence));
}

/* ---- worker thread ---- */

/* Returns: pages; NULL if they were written to a file */
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
    return lac_report_plan_lay_out(job->plan, (LacRunFile *const *) runs->pdata, error);
  lac_report_plan_write(job->plan, (LacRunFile *const *) runs->pdata, job->path, error);
  return NULL;
}

static Job *
make_job(LacReportWindow *self, const char *path)
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
show_page(LacReportWindow *self)
{
  guint  n = self->pages != NULL ? self->pages->len : 0;
  double width, height;

  gtk_widget_set_sensitive(self->before, self->shown > 0);
  gtk_widget_set_sensitive(self->after, self->shown + 1 < n);
  gtk_widget_set_sensitive(self->save, n > 0);
  if (n == 0) {
    lac_paper_view_show(self->paper, NULL, 0, 0, NULL, NULL);
    return;
  }
  self->shown = MIN(self->shown, n - 1);
  g_autofree char *where = g_strdup_printf(_("Page %u of %u"), self->shown + 1, n);
  gtk_label_set_text(self->page, where);
  lac_report_page_size(&width, &height);
  lac_paper_view_show(self->paper, self->pages->pdata[self->shown], width, height,
                      g_ptr_array_ref(self->pages), (GDestroyNotify) g_ptr_array_unref);
}

static void
on_before(LacReportWindow *self)
{
  self->shown -= self->shown > 0;
  show_page(self);
}

static void
on_after(LacReportWindow *self)
{
  self->shown += self->pages != NULL && self->shown + 1 < self->pages->len;
  show_page(self);
}

static void
on_laid_out(gpointer owner, gpointer request, gpointer pages, const GError *error)
{
  LacReportWindow *self = owner;

  gtk_spinner_stop(self->spinner);
  g_clear_pointer(&self->pages, g_ptr_array_unref);
  self->pages = pages;
  show_page(self);
  if (error != NULL)
    gtk_label_set_text(self->page, error->message);
}

static gboolean
lay_out(gpointer user_data)
{
  LacReportWindow *self = user_data;

  self->settle = 0;
  lac_latest_job_start(self->laying_out, make_job(self, NULL));
  return G_SOURCE_REMOVE;
}

static void
on_changed(LacReportWindow *self)
{
  g_clear_handle_id(&self->settle, g_source_remove);
  self->settle = g_timeout_add(SETTLED_MS, lay_out, self);
  g_signal_emit(self, changed_signal, 0);
}

/* ---- saving ---- */

static void
on_saved(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacReportWindow *self = owner;
  const char      *path = ((const Job *) request)->path;

  if (self->form == NULL)
    return;
  gtk_spinner_stop(self->spinner);
  if (error != NULL) {
    describe(self, error->message);
    return;
  }
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *sentence =
    g_strdup_printf(_("Saved %s, with its plan beside it for later editing"), name);
  describe(self, sentence);
  lac_save_dialog_notify(GTK_WINDOW(self), path);
}

static void
save(GtkWindow *window, const char *path)
{
  lac_job_run(window, &(LacJobKind){.work = work, .show = on_saved, .free_request = job_free},
              make_job(LAC_REPORT_WINDOW(window), path));
}

static void
save_chosen(GtkWindow *window, const char *path)
{
  lac_save_dialog_ask(window, "report-save-to", path, save);
}

static void
on_save(LacReportWindow *self)
{
  lac_save_dialog_show(
    GTK_WINDOW(self), &(LacSaveOffer){_("Export a Report"), "report.pdf", "pdf html", save_chosen});
}

void
lac_report_window_save(LacReportWindow *self, const char *path)
{
  g_return_if_fail(LAC_IS_REPORT_WINDOW(self) && path != NULL);
  save(GTK_WINDOW(self), path);
}

/* ---- the window ---- */

static void
lac_report_window_dispose(GObject *object)
{
  LacReportWindow *self = LAC_REPORT_WINDOW(object);

  g_clear_pointer(&self->laying_out, lac_latest_job_free);
  g_clear_handle_id(&self->settle, g_source_remove);
  g_clear_object(&self->store);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_REPORT_WINDOW);
  G_OBJECT_CLASS(lac_report_window_parent_class)->dispose(object);
}

static void
lac_report_window_finalize(GObject *object)
{
  LacReportWindow *self = LAC_REPORT_WINDOW(object);

  g_clear_pointer(&self->pages, g_ptr_array_unref);
  lac_figure_maker_unref(self->maker);
  G_OBJECT_CLASS(lac_report_window_parent_class)->finalize(object);
}

#define BIND(member) gtk_widget_class_bind_template_child(widget_class, LacReportWindow, member)

static void
lac_report_window_class_init(LacReportWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_report_window_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_report_window_finalize;
  changed_signal = g_signal_new("changed", LAC_TYPE_REPORT_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
  g_type_ensure(LAC_TYPE_REPORT_FORM);
  g_type_ensure(LAC_TYPE_PAPER_VIEW);
  gtk_widget_class_set_template_from_resource(
    widget_class, "/io/github/lacuna/Lacuna/ui/output/report-window.ui");
  BIND(form);
  BIND(paper);
  BIND(page);
  BIND(before);
  BIND(after);
  BIND(save);
  BIND(spinner);
  BIND(toasts);
  gtk_widget_class_bind_template_callback(widget_class, on_changed);
  gtk_widget_class_bind_template_callback(widget_class, on_before);
  gtk_widget_class_bind_template_callback(widget_class, on_after);
  gtk_widget_class_bind_template_callback(widget_class, on_save);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
lac_report_window_init(LacReportWindow *self)
{
  gtk_widget_init_template(GTK_WIDGET(self));
  self->maker = lac_figure_maker_new();
  self->laying_out = lac_latest_job_new(
    self, &(LacJobKind){work, on_laid_out, job_free, (GDestroyNotify) g_ptr_array_unref});
  show_page(self);
}

void
lac_report_window_show(LacReportWindow *self, LacReportPlan *plan)
{
  g_return_if_fail(LAC_IS_REPORT_WINDOW(self) && plan != NULL);
  lac_report_form_begin(self->form, plan, self->store);
  g_clear_handle_id(&self->settle, g_source_remove);
  lay_out(self);
  g_signal_emit(self, changed_signal, 0);
}

const LacReportPlan *
lac_report_window_get_plan(LacReportWindow *self)
{
  g_return_val_if_fail(LAC_IS_REPORT_WINDOW(self), NULL);
  return lac_report_form_get_plan(self->form);
}

LacReportWindow *
lac_report_window_present(GtkWindow *parent, LacRunStore *store, LacReportPlan *plan)
{
  LacReportWindow *self = g_object_new(LAC_TYPE_REPORT_WINDOW, "transient-for", parent, NULL);

  g_set_object(&self->store, store);
  gtk_window_present(GTK_WINDOW(self));
  lac_report_window_show(self, plan);
  return self;
}
