/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The figure window: lays out every change in a worker thread; the last one wins. */
#include "app/output/figure-window.h"

#include "app/output/exporter.h"
#include "app/output/figure-form.h"
#include "app/output/paper-view.h"
#include "app/toolkit/latest-job.h"
#include "app/toolkit/save-dialog.h"
#include "app/toolkit/toast.h"
#include "base/number-display.h"
#include "report/figure/journal.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#define POINTS_MM (72.0 / 25.4)
#define SETTLED_MS \
  400 /* delay after the last change before the figure is exported for copying and dragging */

struct _LacFigureWindow {
  AdwWindow           parent_instance;
  LacFigureForm      *form;
  LacPaperView       *paper;
  GtkLabel           *size;
  GtkWidget          *copy, *save;
  GtkSpinner         *spinner;
  AdwToastOverlay    *toasts;
  LacFigureMaker     *maker;
  LacLatestJob       *laying_out, *wrapping;
  guint               settle;     /* GLib source of the delay */
  GdkContentProvider *content;    /* (nullable): exported figure for the clipboard and dragging */
  char               *folder;     /* temporary folder of the exported files */
  gboolean            wants_copy; /* TRUE: copy when the export is ready */
  LacRunStore        *store;      /* (nullable) */
};

G_DEFINE_FINAL_TYPE(LacFigureWindow, lac_figure_window, ADW_TYPE_WINDOW)

static guint changed_signal;

static void
describe(LacFigureWindow *self, const char *sentence)
{
  lac_toast_show(self->toasts, lac_toast_new(sentence));
}

/* ---- laying out ---- */

/* Shows "183.0 × 92.4 mm" and a warning if the figure exceeds the journal's height. */
static void
show_size(LacFigureWindow *self, const LacFigure *figure)
{
  const LacJournal *journal = lac_journal_find(lac_figure_get_spec(figure)->journal);
  double            width, height;

  lac_figure_get_size(figure, &width, &height);
  g_autofree char *size = g_strdup_printf(_("%.1f × %.1f mm"), width, height);
  g_autofree char *taller =
    journal != NULL && journal->height_mm > 0 && height > journal->height_mm
      ? g_strdup_printf(_("exceeds this journal's maximum height of %.4g mm"), journal->height_mm)
      : NULL;
  g_autofree char *whole =
    g_strdup_printf("%s%s%s", size, taller != NULL ? ": " : "", taller != NULL ? taller : "");
  lac_number_localise(whole);
  gtk_label_set_text(self->size, whole);
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->paper), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 whole, -1);
}

static void
free_proof(gpointer proof)
{
  lac_figure_proof_free(proof);
}

static void
set_ready(LacFigureWindow *self, gboolean is_ready)
{
  gtk_widget_set_sensitive(self->copy, is_ready);
  gtk_widget_set_sensitive(self->save, is_ready);
}

static void
on_laid_out(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacFigureWindow *self = owner;
  LacFigureProof  *proof = result;
  double           width, height;

  gtk_spinner_stop(self->spinner);
  set_ready(self, proof != NULL);
  if (proof == NULL) {
    lac_paper_view_show(self->paper, NULL, 0, 0, NULL, NULL);
    gtk_label_set_text(self->size, error->message);
    return;
  }
  lac_figure_form_show(self->form, proof);
  show_size(self, proof->figure);
  lac_figure_get_size(proof->figure, &width, &height);
  lac_paper_view_show(self->paper, proof->seen, width * POINTS_MM, height * POINTS_MM, proof,
                      free_proof);
}

static void
on_exported(gpointer owner, gpointer request, gpointer content, const GError *error)
{
  LacFigureWindow *self = owner;

  if (content == NULL)
    return;
  g_clear_object(&self->content);
  self->content = content;
  if (self->wants_copy) {
    self->wants_copy = FALSE;
    gdk_clipboard_set_content(gtk_widget_get_clipboard(GTK_WIDGET(self)), content);
    describe(self, _("Copied as file, vector graphics and image"));
  }
}

static void
wrap(LacFigureWindow *self)
{
  LacFigureOrder   order;
  g_autofree char *name = NULL;

  if (self->folder == NULL)
    self->folder = g_dir_make_tmp("lacuna-figure-XXXXXX", NULL);
  lac_figure_form_fill(self->form, &order);
  name = g_path_get_basename(order.folders[0]);
  order.path = g_build_filename(self->folder, name, NULL);
  order.keeps = g_object_ref(self);
  lac_latest_job_start(self->wrapping, lac_figure_maker_new_request(self->maker, &order));
}

static gboolean
on_settled(gpointer user_data)
{
  LacFigureWindow *self = user_data;

  self->settle = 0;
  wrap(self);
  return G_SOURCE_REMOVE;
}

static void
on_changed(LacFigureWindow *self)
{
  LacFigureOrder order;

  lac_latest_job_cancel(self->wrapping);
  g_clear_object(&self->content);
  g_clear_handle_id(&self->settle, g_source_remove);
  self->settle = g_timeout_add(SETTLED_MS, on_settled, self);
  gtk_spinner_start(self->spinner);
  lac_figure_form_fill(self->form, &order);
  lac_latest_job_start(self->laying_out, lac_figure_maker_new_request(self->maker, &order));
  g_signal_emit(self, changed_signal, 0);
}

/* ---- giving away ---- */

static void
on_copy(LacFigureWindow *self)
{
  self->wants_copy = TRUE;
  g_clear_handle_id(&self->settle, g_source_remove);
  if (!lac_latest_job_is_busy(self->wrapping))
    wrap(self);
}

static GdkContentProvider *
on_prepare_drag(GtkDragSource *drag, double x, double y, LacFigureWindow *self)
{
  return self->content != NULL ? g_object_ref(self->content) : NULL;
}

static void
on_begin_drag(GtkDragSource *drag, GdkDrag *dragged, LacFigureWindow *self)
{
  g_autoptr(GtkIconTheme) theme =
    g_object_ref(gtk_icon_theme_get_for_display(gtk_widget_get_display(GTK_WIDGET(self))));
  g_autoptr(GtkIconPaintable) icon = gtk_icon_theme_lookup_icon(theme, "image-x-generic-symbolic",
                                                                NULL, 48, 1, GTK_TEXT_DIR_NONE, 0);

  gtk_drag_source_set_icon(drag, GDK_PAINTABLE(icon), 24, 24);
}

/* ---- saving ---- */

static void
on_saved(gpointer owner, gpointer request, gpointer result, const GError *error)
{
  LacFigureWindow *self = owner;
  g_autofree char *path = result;

  if (self->form == NULL)
    return;
  gtk_spinner_stop(self->spinner);
  if (path == NULL) {
    describe(self, error->message);
    return;
  }
  g_autofree char *name = g_path_get_basename(path);
  g_autofree char *sentence = g_strdup_printf(_("Saved %s"), name);
  describe(self, sentence);
  lac_save_dialog_notify(GTK_WINDOW(self), path);
}

static void
save(GtkWindow *window, const char *path)
{
  LacFigureWindow *self = LAC_FIGURE_WINDOW(window);
  LacFigureOrder   order;
  LacExportRequest request;

  lac_figure_form_fill(self->form, &order);
  request = (LacExportRequest){
    .kind = g_str_has_suffix(path, ".webm") ? LAC_EXPORT_FILM : LAC_EXPORT_FIGURE,
    .folder = order.folders[0],
    .others = (const char *const *) order.folders + 1,
    .path = path,
    .figure = &order.spec,
  };
  gtk_spinner_start(self->spinner);
  lac_exporter_start(&request, self, NULL, on_saved);
  lac_figure_order_clear(&order);
}

static void
save_chosen(GtkWindow *window, const char *path)
{
  lac_save_dialog_ask(window, "figure-save-to", path, save);
}

static void
on_save(LacFigureWindow *self)
{
  lac_save_dialog_show(GTK_WINDOW(self), &(LacSaveOffer){_("Export a Figure"), "figure.pdf",
                                                         "pdf eps svg png webm", save_chosen});
}

void
lac_figure_window_save(LacFigureWindow *self, const char *path)
{
  g_return_if_fail(LAC_IS_FIGURE_WINDOW(self) && path != NULL);
  save(GTK_WINDOW(self), path);
}

/* ---- the window ---- */

/* Removes the temporary folder with all its files, which are named after the run. */
static void
remove_folder(const char *folder)
{
  g_autoptr(GDir) dir = g_dir_open(folder, 0, NULL);
  const char     *name;

  while (dir != NULL && (name = g_dir_read_name(dir)) != NULL) {
    g_autofree char *path = g_build_filename(folder, name, NULL);
    g_unlink(path);
  }
  g_rmdir(folder);
}

static void
lac_figure_window_dispose(GObject *object)
{
  LacFigureWindow *self = LAC_FIGURE_WINDOW(object);

  g_clear_pointer(&self->laying_out, lac_latest_job_free);
  g_clear_pointer(&self->wrapping, lac_latest_job_free);
  g_clear_handle_id(&self->settle, g_source_remove);
  g_clear_object(&self->content);
  g_clear_object(&self->store);
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_FIGURE_WINDOW);
  G_OBJECT_CLASS(lac_figure_window_parent_class)->dispose(object);
}

static void
lac_figure_window_finalize(GObject *object)
{
  LacFigureWindow *self = LAC_FIGURE_WINDOW(object);

  lac_figure_maker_unref(self->maker);
  if (self->folder != NULL)
    remove_folder(self->folder);
  g_free(self->folder);
  G_OBJECT_CLASS(lac_figure_window_parent_class)->finalize(object);
}

#define BIND(member) gtk_widget_class_bind_template_child(widget_class, LacFigureWindow, member)

static void
lac_figure_window_class_init(LacFigureWindowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_figure_window_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_figure_window_finalize;
  changed_signal = g_signal_new("changed", LAC_TYPE_FIGURE_WINDOW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                NULL, G_TYPE_NONE, 0);
  g_type_ensure(LAC_TYPE_FIGURE_FORM);
  g_type_ensure(LAC_TYPE_PAPER_VIEW);
  gtk_widget_class_set_template_from_resource(
    widget_class, "/io/github/lacuna/Lacuna/ui/output/figure-window.ui");
  BIND(form);
  BIND(paper);
  BIND(size);
  BIND(copy);
  BIND(save);
  BIND(spinner);
  BIND(toasts);
  gtk_widget_class_bind_template_callback(widget_class, on_changed);
  gtk_widget_class_bind_template_callback(widget_class, on_copy);
  gtk_widget_class_bind_template_callback(widget_class, on_save);
  gtk_widget_class_add_binding_action(widget_class, GDK_KEY_Escape, 0, "window.close", NULL);
}

static void
lac_figure_window_init(LacFigureWindow *self)
{
  GtkDragSource *drag = gtk_drag_source_new();

  gtk_widget_init_template(GTK_WIDGET(self));
  self->maker = lac_figure_maker_new();
  self->laying_out = lac_latest_job_new(
    self, &(LacJobKind){lac_figure_prove, on_laid_out, lac_figure_request_free, free_proof});
  self->wrapping = lac_latest_job_new(
    self, &(LacJobKind){lac_figure_wrap, on_exported, lac_figure_request_free, g_object_unref});
  set_ready(self, FALSE);
  g_signal_connect_object(drag, "prepare", G_CALLBACK(on_prepare_drag), self, 0);
  g_signal_connect_object(drag, "drag-begin", G_CALLBACK(on_begin_drag), self, 0);
  gtk_widget_add_controller(GTK_WIDGET(self->paper), GTK_EVENT_CONTROLLER(drag));
}

void
lac_figure_window_show(LacFigureWindow *self, const char *const *folders, const LacFigureSpec *spec)
{
  g_return_if_fail(LAC_IS_FIGURE_WINDOW(self));
  lac_figure_form_begin(self->form, folders, spec, self->store);
  on_changed(self);
}

char *
lac_figure_window_dup_order(LacFigureWindow *self)
{
  g_return_val_if_fail(LAC_IS_FIGURE_WINDOW(self), NULL);
  LacFigureOrder order;
  lac_figure_form_fill(self->form, &order);
  char *text = lac_figure_spec_dup_order(&order.spec, (const char *const *) order.folders);
  lac_figure_order_clear(&order);
  return text;
}

LacFigureWindow *
lac_figure_window_present(GtkWindow           *parent,
                          LacRunStore         *store,
                          const char *const   *folders,
                          const LacFigureSpec *spec)
{
  LacFigureWindow *self = g_object_new(LAC_TYPE_FIGURE_WINDOW, "transient-for", parent, NULL);

  g_set_object(&self->store, store);
  gtk_window_present(GTK_WINDOW(self));
  lac_figure_window_show(self, folders, spec);
  return self;
}
