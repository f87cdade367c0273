/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list whose rows are rebuilt when the model's rows or the queue change; progress alone changes labels. */
#include "app/shell/progress-list.h"

#include "app/session/in-progress.h"
#include "app/toolkit/accessible.h"
#include "run/library/queue.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define THUMBNAILS "/io/github/lacuna/Lacuna/thumbnails/"
#define PICTURE    36

/* The labels of a row that change while it lasts. */
typedef struct {
  GtkLabel       *title, *caption;
  GtkProgressBar *progress; /* (nullable) */
} Labels;

struct _LacProgressList {
  GtkWidget            parent_instance;
  GtkWidget           *box;
  GtkListBox          *list;
  LacWorkbench        *workbench;
  LacInProgress       *model;
  const LacExperiment *draft; /* (nullable) */
  LacProgressRow       selected;
  gboolean             queue_is_open, interrupted_is_open;
  char                *trace;                                       /* (nullable): its path */
  GtkListBoxRow       *run_row, *draft_row, *trace_row, *queue_row; /* (nullable): borrowed */
  GPtrArray           *followed;                  /* LacInProgressItem of the rows */
  GArray              *handlers;                  /* gulong: of their signals */
  char                *bench_title, *bench_words; /* (nullable): of the benchmark */
  double               bench_fraction;
  Labels               bench;   /* NULL without a row of a benchmark */
  guint                refresh; /* idle source */
};

G_DEFINE_FINAL_TYPE(LacProgressList, lac_progress_list, GTK_TYPE_WIDGET)

/* ---- parts of rows ---- */

static GtkLabel *
add_label(GtkWidget *box, const char *class)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_widget_add_css_class(label, "numeric");
  if (class != NULL) {
    gtk_widget_add_css_class(label, class);
    gtk_widget_add_css_class(label, "dim-label");
  }
  gtk_box_append(GTK_BOX(box), label);
  return GTK_LABEL(label);
}

static GtkWidget *
add_words(GtkWidget *box)
{
  GtkWidget *words = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  gtk_widget_set_hexpand(words, TRUE);
  gtk_widget_set_valign(words, GTK_ALIGN_CENTER);
  gtk_box_append(GTK_BOX(box), words);
  return words;
}

/* The picture of an experiment; a symbol where there is none. */
static void
add_picture(GtkWidget *box, const char *experiment)
{
  g_autofree char *path = g_strconcat(THUMBNAILS, experiment, ".png", NULL);
  gboolean   is_there = g_resources_get_info(path, G_RESOURCE_LOOKUP_FLAGS_NONE, NULL, NULL, NULL);
  GtkWidget *picture = is_there ? gtk_picture_new_for_resource(path)
                                : gtk_image_new_from_icon_name("lac-field-symbolic");
  if (is_there) {
    gtk_picture_set_content_fit(GTK_PICTURE(picture), GTK_CONTENT_FIT_COVER);
    gtk_picture_set_can_shrink(GTK_PICTURE(picture), TRUE);
  }
  GtkWidget *overlay = gtk_overlay_new(), *square = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 0);
  gtk_widget_set_size_request(square, PICTURE, PICTURE);
  gtk_widget_set_valign(overlay, GTK_ALIGN_CENTER);
  gtk_widget_set_overflow(picture, GTK_OVERFLOW_HIDDEN);
  gtk_widget_add_css_class(picture, "run-picture");
  gtk_overlay_set_child(GTK_OVERLAY(overlay),
                        square); /* it sets the size, whatever the picture has */
  gtk_overlay_add_overlay(GTK_OVERLAY(overlay), picture);
  gtk_box_append(GTK_BOX(box), overlay);
}

/* @action: (nullable): of the window, when the row is activated. */
static GtkListBoxRow *
add_row(LacProgressList *self, GtkWidget *box, const char *action)
{
  GtkWidget *row = gtk_list_box_row_new();
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), box);
  if (action != NULL)
    gtk_actionable_set_detailed_action_name(GTK_ACTIONABLE(row), action);
  gtk_list_box_append(self->list, row);
  return GTK_LIST_BOX_ROW(row);
}

static GtkWidget *
add_button(GtkWidget *box, const char *icon, const char *name, const char *action, GVariant *target)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_add_css_class(button, "small");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(button, name);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), action);
  gtk_actionable_set_action_target_value(GTK_ACTIONABLE(button), target);
  lac_accessible_name(button, name);
  gtk_box_append(GTK_BOX(box), button);
  return button;
}

static void
set_text(GtkLabel *label, const char *text)
{
  if (g_strcmp0(gtk_label_get_text(label), text) != 0)
    gtk_label_set_text(label, text);
}

/* ---- the run that computes, and the draft ---- */

static void
on_updated(LacInProgressItem *item, const Labels *labels)
{
  double fraction = lac_in_progress_item_get_fraction(item);
  set_text(labels->title, lac_in_progress_item_get_title(item));
  set_text(labels->caption, lac_in_progress_item_get_caption(item));
  if (labels->progress != NULL && isfinite(fraction))
    gtk_progress_bar_set_fraction(labels->progress, CLAMP(fraction, 0, 1));
}

static void
free_labels(gpointer labels, GClosure *closure)
{
  g_free(labels);
}

static void
make_labels(Labels *labels, GtkWidget *box, gboolean has_progress)
{
  GtkWidget *words = add_words(box);
  labels->title = add_label(words, NULL);
  labels->caption = add_label(words, "caption");
  if (!has_progress)
    return;
  labels->progress = GTK_PROGRESS_BAR(gtk_progress_bar_new());
  gtk_widget_set_margin_top(GTK_WIDGET(labels->progress), 3);
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(labels->progress));
}

/* Adds title and caption of @item to @box. */
static void
add_lines(LacProgressList *self, GtkWidget *box, LacInProgressItem *item, gboolean has_progress)
{
  Labels *labels = g_new0(Labels, 1);
  make_labels(labels, box, has_progress);
  on_updated(item, labels);
  const gulong handler =
    g_signal_connect_data(item, "updated", G_CALLBACK(on_updated), labels, free_labels, 0);
  g_array_append_val(self->handlers, handler);
  g_ptr_array_add(self->followed, g_object_ref(item));
}

static GtkListBoxRow *
add_pictured(LacProgressList   *self,
             LacInProgressItem *item,
             const char        *experiment,
             const char        *action,
             gboolean           has_progress)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  add_picture(box, experiment);
  add_lines(self, box, item, has_progress);
  GtkListBoxRow *row = add_row(self, box, action);
  lac_accessible_name(row, lac_in_progress_item_get_title(item));
  return row;
}

/* A row that opens the run, once it has a folder, with a button that stops it. */
static void
add_beside(LacProgressList *self, LacInProgressItem *item)
{
  const char    *path = lac_in_progress_item_get_path(item);
  GtkListBoxRow *row =
    add_pictured(self, item, lac_in_progress_item_get_experiment(item), NULL, FALSE);
  gtk_list_box_row_set_selectable(row, FALSE);
  gtk_list_box_row_set_activatable(row, path != NULL);
  if (path == NULL)
    return;
  gtk_actionable_set_action_target(GTK_ACTIONABLE(row), "s", path);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(row), "win.open-path");
  add_button(gtk_list_box_row_get_child(row), "media-playback-stop-symbolic",
             _("Save a checkpoint and stop; the run can be resumed"), "win.queue-stop-run",
             g_variant_new_string(path));
}

/* ---- the benchmark ---- */

static GtkWidget *
make_symbol(const char *icon)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 8);
  GtkWidget *image = gtk_image_new_from_icon_name(icon);
  gtk_widget_set_size_request(image, 24, -1);
  gtk_box_append(GTK_BOX(box), image);
  return box;
}

static void
show_benchmark(LacProgressList *self)
{
  set_text(self->bench.title, self->bench_title);
  set_text(self->bench.caption, self->bench_words);
  gtk_progress_bar_set_fraction(self->bench.progress, self->bench_fraction);
}

static void
add_benchmark(LacProgressList *self)
{
  if (self->bench_title == NULL)
    return;
  GtkWidget *box = make_symbol("lac-gauge-symbolic");
  make_labels(&self->bench, box, TRUE);
  show_benchmark(self);
  GtkListBoxRow *row = add_row(self, box, "win.show-page('benchmarks')");
  gtk_list_box_row_set_selectable(row, FALSE); /* the page has another row, which is selected */
  lac_accessible_name(row, self->bench_title);
}

/* ---- the queue ---- */

static GtkWidget *
make_line(const char *icon, const char *text)
{
  GtkWidget *box = make_symbol(icon);
  GtkLabel  *label = add_label(box, NULL);
  gtk_label_set_text(label, text);
  gtk_widget_set_hexpand(GTK_WIDGET(label), TRUE);
  return box;
}

static void
add_arrow(GtkWidget *box, gboolean is_open)
{
  gtk_box_append(GTK_BOX(box),
                 gtk_image_new_from_icon_name(is_open ? "pan-down-symbolic" : "pan-end-symbolic"));
}

/* A queued run is dragged to another place in the queue; its position travels with it. */
static GdkContentProvider *
on_drag(GtkDragSource *source, double x, double y, gpointer position)
{
  return gdk_content_provider_new_typed(G_TYPE_UINT, GPOINTER_TO_UINT(position));
}

static gboolean
on_drop(GtkDropTarget *target, const GValue *value, double x, double y, gpointer position)
{
  guint from = g_value_get_uint(value), to = GPOINTER_TO_UINT(position);
  if (from != to)
    gtk_widget_activate_action(gtk_event_controller_get_widget(GTK_EVENT_CONTROLLER(target)),
                               "win.queue-move", "(uu)", from, to);
  return from != to;
}

static void
add_drag(GtkWidget *row, guint position)
{
  GtkDragSource *source = gtk_drag_source_new();
  GtkDropTarget *target = gtk_drop_target_new(G_TYPE_UINT, GDK_ACTION_MOVE);
  gtk_drag_source_set_actions(source, GDK_ACTION_MOVE);
  g_signal_connect(source, "prepare", G_CALLBACK(on_drag), GUINT_TO_POINTER(position));
  g_signal_connect(target, "drop", G_CALLBACK(on_drop), GUINT_TO_POINTER(position));
  gtk_widget_add_controller(row, GTK_EVENT_CONTROLLER(source));
  gtk_widget_add_controller(row, GTK_EVENT_CONTROLLER(target));
}

static void
add_queued(LacProgressList *self, const LacRunQueue *queue, guint i)
{
  const LacQueued *queued = lac_run_queue_get(queue, i);
  GtkWidget       *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 3), *words = add_words(box);
  g_autofree char *changes = queued->plan != NULL ? lac_run_plan_dup_changes(queued->plan) : NULL;
  const char      *title = queued->plan != NULL
                             ? g_dgettext(GETTEXT_PACKAGE, queued->plan->experiment->title)
                             : _("Invalid run");
  const char      *caption = queued->plan == NULL ? queued->wrong
                             : *changes != '\0'   ? changes
                                                  : _("default settings");
  gtk_widget_add_css_class(box, "inset");
  set_text(add_label(words, NULL), title);
  GtkLabel *line = add_label(words, "caption");
  set_text(line, caption);
  gtk_widget_set_tooltip_text(GTK_WIDGET(line), caption);
  GtkWidget *up = add_button(box, "go-up-symbolic", _("Move Up"), "win.queue-move",
                             g_variant_new("(uu)", i, i > 0 ? i - 1 : 0));
  gtk_widget_set_visible(up, i > 0);
  add_button(box, "user-trash-symbolic", _("Remove from the queue"), "win.queue-remove",
             g_variant_new_uint32(i));
  GtkListBoxRow *row = add_row(self, box, NULL);
  gtk_list_box_row_set_selectable(row, FALSE);
  gtk_list_box_row_set_activatable(row, FALSE);
  g_autofree char *name = g_strdup_printf("%s, %s", title, caption);
  lac_accessible_name(row, name);
  add_drag(GTK_WIDGET(row), i);
}

/* The queue starts the next run by itself, or is held. */
static void
add_hold(LacProgressList *self, GtkWidget *box)
{
  gboolean goes = lac_workbench_queue_goes(self->workbench);
  if (goes && lac_workbench_holds_queue(self->workbench))
    add_button(box, "media-playback-pause-symbolic", _("Hold the Queue"), "win.queue-hold", NULL);
  else
    add_button(box, "media-playback-start-symbolic", _("Start the Queue"), "win.queue-start", NULL);
}

static void
add_queue(LacProgressList *self)
{
  const LacRunQueue *queue = lac_workbench_get_queue(self->workbench);
  guint              n = lac_workbench_get_n_queued(self->workbench);
  g_autofree char   *text = g_strdup_printf(ngettext("%u in the queue", "%u in the queue", n), n);
  GtkWidget         *box = make_line("view-list-ordered-symbolic", text);
  add_hold(self, box);
  add_arrow(box, self->queue_is_open);
  self->queue_row = add_row(self, box, "win.show-queue");
  gtk_list_box_row_set_selectable(self->queue_row, FALSE);
  lac_accessible_name(self->queue_row, text);
  for (guint i = 0; i < n && self->queue_is_open; i++)
    add_queued(self, queue, i);
}

/* ---- the trace of another program ---- */

static void
add_trace(LacProgressList *self)
{
  if (self->trace == NULL)
    return;
  g_autofree char *name = g_path_get_basename(self->trace);
  GtkWidget       *box = make_line("lac-timeline-symbolic", name);
  add_button(box, "window-close-symbolic", _("Close the imported trace"), "win.close-trace", NULL);
  self->trace_row = add_row(self, box, NULL);
  gtk_actionable_set_action_target(GTK_ACTIONABLE(self->trace_row), "s", self->trace);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(self->trace_row), "win.open-path");
  lac_accessible_name(self->trace_row, name);
}

/* ---- interrupted runs ---- */

static void
add_resume(GtkWidget *box, const char *path)
{
  GtkWidget *button = gtk_button_new_with_label(_("Resume"));
  gtk_widget_add_css_class(button, "compact");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.resume-run");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", path);
  gtk_box_append(GTK_BOX(box), button);
}

static void
make_inactive(GtkListBoxRow *row)
{
  gtk_list_box_row_set_selectable(row, FALSE);
  gtk_list_box_row_set_activatable(row, FALSE);
}

static void
add_interrupted_run(LacProgressList *self, LacInProgressItem *item)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  gtk_widget_add_css_class(box, "inset");
  add_lines(self, box, item, FALSE);
  add_resume(box, lac_in_progress_item_get_path(item));
  make_inactive(add_row(self, box, NULL));
}

/* @items: of interrupted runs, the latest first */
static void
add_interrupted(LacProgressList *self, GPtrArray *items)
{
  if (items->len == 0)
    return;
  g_autofree char *text =
    g_strdup_printf(ngettext("%u run interrupted", "%u runs interrupted", items->len), items->len);
  GtkWidget *box = make_line("dialog-warning-symbolic", text);
  gtk_widget_add_css_class(gtk_widget_get_first_child(box), "warning");
  if (items->len == 1)
    add_resume(box, lac_in_progress_item_get_path(items->pdata[0]));
  else
    add_arrow(box, self->interrupted_is_open);
  GtkListBoxRow *row = add_row(self, box, NULL);
  make_inactive(row);
  gtk_list_box_row_set_activatable(row, items->len > 1);
  g_object_set_data(G_OBJECT(row), "interrupted", GINT_TO_POINTER(TRUE));
  lac_accessible_name(row, text);
  for (guint i = 0; self->interrupted_is_open && items->len > 1 && i < items->len; i++)
    add_interrupted_run(self, items->pdata[i]);
}

/* ---- all rows ---- */

static void
show_selected(LacProgressList *self)
{
  GtkListBoxRow *row = self->selected == LAC_PROGRESS_RUN     ? self->run_row
                       : self->selected == LAC_PROGRESS_DRAFT ? self->draft_row
                       : self->selected == LAC_PROGRESS_TRACE ? self->trace_row
                                                              : NULL;
  gtk_list_box_select_row(self->list, row);
}

static void
add_item(LacProgressList *self, LacInProgressItem *item, GPtrArray *interrupted)
{
  switch (lac_in_progress_item_get_kind(item)) {
  case LAC_IN_PROGRESS_RUN:
    self->run_row =
      add_pictured(self, item, lac_in_progress_item_get_experiment(item), "win.show-active", TRUE);
    break;
  case LAC_IN_PROGRESS_BESIDE: add_beside(self, item); break;
  case LAC_IN_PROGRESS_DRAFT:
    self->draft_row = add_pictured(self, item, self->draft->name, "win.show-draft", FALSE);
    break;
  case LAC_IN_PROGRESS_QUEUE: add_queue(self); break;
  case LAC_IN_PROGRESS_INTERRUPTED: g_ptr_array_add(interrupted, item); break;
  }
}

static void
forget_rows(LacProgressList *self)
{
  for (guint i = 0; i < self->followed->len; i++)
    g_signal_handler_disconnect(self->followed->pdata[i], g_array_index(self->handlers, gulong, i));
  g_ptr_array_set_size(self->followed, 0);
  g_array_set_size(self->handlers, 0);
  for (GtkWidget *row; (row = gtk_widget_get_first_child(GTK_WIDGET(self->list))) != NULL;)
    gtk_list_box_remove(self->list, row);
  self->run_row = self->draft_row = self->trace_row = self->queue_row = NULL;
  self->bench = (Labels){0};
}

static void
rebuild(LacProgressList *self)
{
  GtkWidget *focus = gtk_widget_get_focus_child(GTK_WIDGET(self->list));
  int        focused = focus != NULL ? gtk_list_box_row_get_index(GTK_LIST_BOX_ROW(focus)) : -1;
  g_autoptr(GPtrArray) interrupted = g_ptr_array_new();
  forget_rows(self);
  add_benchmark(self);
  for (guint i = 0; i < g_list_model_get_n_items(G_LIST_MODEL(self->model)); i++) {
    g_autoptr(LacInProgressItem) item = g_list_model_get_item(G_LIST_MODEL(self->model), i);
    add_item(self, item, interrupted);
  }
  add_interrupted(self, interrupted);
  add_trace(self);
  gtk_widget_set_visible(GTK_WIDGET(self), gtk_list_box_get_row_at_index(self->list, 0) != NULL);
  show_selected(self);
  GtkListBoxRow *again = focused >= 0 ? gtk_list_box_get_row_at_index(self->list, focused) : NULL;
  if (again != NULL)
    gtk_widget_grab_focus(GTK_WIDGET(again));
}

static gboolean
on_rebuild(gpointer list)
{
  ((LacProgressList *) list)->refresh = 0;
  rebuild(list);
  return G_SOURCE_REMOVE;
}

static void
rebuild_soon(LacProgressList *self)
{
  if (self->refresh == 0)
    self->refresh = g_idle_add(on_rebuild, self);
}

static void
on_row(GtkListBox *list, GtkListBoxRow *row, LacProgressList *self)
{
  if (g_object_get_data(G_OBJECT(row), "interrupted") == NULL)
    return;
  self->interrupted_is_open = !self->interrupted_is_open;
  rebuild_soon(self);
}

/* ---- public ---- */

void
lac_progress_list_set_workbench(LacProgressList *self, LacWorkbench *workbench)
{
  g_return_if_fail(LAC_IS_PROGRESS_LIST(self) && LAC_IS_WORKBENCH(workbench));
  g_set_object(&self->workbench, workbench);
  g_clear_object(&self->model);
  self->model = lac_in_progress_new(workbench);
  g_signal_connect_object(self->model, "items-changed", G_CALLBACK(rebuild_soon), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(workbench, "queue-changed", G_CALLBACK(rebuild_soon), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(workbench, "changed", G_CALLBACK(rebuild_soon), self, G_CONNECT_SWAPPED);
  rebuild(self);
}

void
lac_progress_list_set_draft(LacProgressList *self, const LacExperiment *experiment, guint n_changed)
{
  g_return_if_fail(LAC_IS_PROGRESS_LIST(self));
  self->draft = experiment;
  if (self->model != NULL)
    lac_in_progress_set_draft(self->model, experiment, n_changed);
}

void
lac_progress_list_set_trace(LacProgressList *self, const char *path)
{
  g_return_if_fail(LAC_IS_PROGRESS_LIST(self));
  char *given = g_strdup(path); /* may be the path kept here */
  g_free(self->trace);
  self->trace = given;
  if (self->workbench != NULL)
    rebuild_soon(self);
}

void
lac_progress_list_set_benchmark(LacProgressList *self,
                                const char      *title,
                                const char      *caption,
                                double           fraction)
{
  g_return_if_fail(LAC_IS_PROGRESS_LIST(self));
  const gboolean is_other = (title != NULL) != (self->bench_title != NULL);
  g_free(self->bench_title);
  g_free(self->bench_words);
  self->bench_title = g_strdup(title);
  self->bench_words = g_strdup(caption);
  self->bench_fraction = fraction;
  if (is_other && self->model != NULL)
    rebuild_soon(self);
  else if (title != NULL && self->bench.title != NULL)
    show_benchmark(self);
}

void
lac_progress_list_select(LacProgressList *self, LacProgressRow row)
{
  g_return_if_fail(LAC_IS_PROGRESS_LIST(self));
  self->selected = row;
  show_selected(self);
}

void
lac_progress_list_show_queue(LacProgressList *self)
{
  g_return_if_fail(LAC_IS_PROGRESS_LIST(self));
  self->queue_is_open = !self->queue_is_open;
  rebuild(self);
  if (self->queue_is_open && self->queue_row != NULL)
    gtk_widget_grab_focus(GTK_WIDGET(self->queue_row));
}

/* ---- the object ---- */

static void
lac_progress_list_dispose(GObject *object)
{
  LacProgressList *self = LAC_PROGRESS_LIST(object);
  g_clear_handle_id(&self->refresh, g_source_remove);
  if (self->list != NULL)
    forget_rows(self);
  self->list = NULL;
  g_clear_object(&self->model);
  g_clear_object(&self->workbench);
  g_clear_pointer(&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS(lac_progress_list_parent_class)->dispose(object);
}

static void
lac_progress_list_finalize(GObject *object)
{
  g_ptr_array_unref(LAC_PROGRESS_LIST(object)->followed);
  g_array_unref(LAC_PROGRESS_LIST(object)->handlers);
  g_free(LAC_PROGRESS_LIST(object)->trace);
  g_free(LAC_PROGRESS_LIST(object)->bench_title);
  g_free(LAC_PROGRESS_LIST(object)->bench_words);
  G_OBJECT_CLASS(lac_progress_list_parent_class)->finalize(object);
}

static void
lac_progress_list_class_init(LacProgressListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_progress_list_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_progress_list_finalize;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_progress_list_init(LacProgressList *self)
{
  GtkWidget *heading = gtk_label_new(_("In progress"));
  self->followed = g_ptr_array_new_with_free_func(g_object_unref);
  self->handlers = g_array_new(FALSE, FALSE, sizeof(gulong));
  self->box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 3);
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_label_set_xalign(GTK_LABEL(heading), 0);
  gtk_widget_add_css_class(heading, "side-heading");
  gtk_widget_add_css_class(GTK_WIDGET(self->list), "navigation-sidebar");
  gtk_list_box_set_activate_on_single_click(self->list, TRUE);
  gtk_box_append(GTK_BOX(self->box), heading);
  gtk_box_append(GTK_BOX(self->box), GTK_WIDGET(self->list));
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
  lac_accessible_name(self->list, _("In progress"));
  g_signal_connect(self->list, "row-activated", G_CALLBACK(on_row), self);
}
