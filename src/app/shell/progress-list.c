/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A list whose rows are rebuilt when the queue or the interrupted runs change; progress alone changes labels. */
#include "app/shell/progress-list.h"

#include "app/session/words.h"
#include "app/shell/shim.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "run/library/queue.h"

#include <glib/gi18n-lib.h>

#include <inttypes.h>

#define THUMBNAILS       "/io/github/lacuna/Lacuna/thumbnails/"
#define PICTURE          36
#define MOST_INTERRUPTED 8 /* rows opened in place; the list below has them all */

struct _LacProgressList {
  GtkWidget            parent_instance;
  GtkWidget           *box;
  GtkListBox          *list;
  LacWorkbench        *workbench;
  const LacExperiment *draft; /* (nullable) */
  guint                n_changed;
  LacProgressRow       selected;
  gboolean             queue_is_open, interrupted_is_open;
  GtkListBoxRow       *run_row, *draft_row, *queue_row; /* (nullable): borrowed */
  GtkPicture          *run_picture;
  GtkLabel            *run_name, *run_caption;
  GtkProgressBar      *run_progress;
  guint                n_interrupted;
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

/* ---- the run that computes ---- */

static char *
describe_progress(LacSession *session)
{
  const LacRunStatus *status = lac_session_get_status(session);
  g_autofree char    *words = lac_session_dup_words(session);
  if (status->state != LAC_RUN_RUNNING || status->n_steps <= 0)
    return g_steal_pointer(&words);
  if (status->seconds_left < 0)
    return g_strdup_printf(_("step %" PRId64 " of %" PRId64), status->step, status->n_steps);
  g_autofree char *left = lac_format_duration(status->seconds_left);
  return g_strdup_printf(_("step %" PRId64 " of %" PRId64 " · %s to go"), status->step,
                         status->n_steps, left);
}

static void
show_run(LacProgressList *self)
{
  LacSession *session = lac_workbench_get_active_session(self->workbench);
  if (session == NULL || self->run_row == NULL)
    return;
  g_autofree char *caption = describe_progress(session);
  set_text(self->run_caption, caption);
  gtk_progress_bar_set_fraction(self->run_progress,
                                CLAMP(lac_session_get_status(session)->fraction, 0, 1));
}

static void
add_run(LacProgressList *self)
{
  LacSession *session = lac_workbench_get_active_session(self->workbench);
  self->run_row = NULL;
  if (session == NULL)
    return;
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
  add_picture(box, lac_session_get_experiment(session));
  GtkWidget *words = add_words(box);
  self->run_name = add_label(words, NULL);
  self->run_caption = add_label(words, "caption");
  self->run_progress = GTK_PROGRESS_BAR(gtk_progress_bar_new());
  gtk_widget_set_margin_top(GTK_WIDGET(self->run_progress), 3);
  gtk_box_append(GTK_BOX(words), GTK_WIDGET(self->run_progress));
  set_text(self->run_name, lac_session_get_title(session));
  self->run_row = add_row(self, box, "win.show-active");
  lac_accessible_name(self->run_row, lac_session_get_title(session));
  show_run(self);
}

/* ---- the draft ---- */

static void
add_draft(LacProgressList *self)
{
  self->draft_row = NULL;
  if (self->draft == NULL)
    return;
  GtkWidget  *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
  const char *title = g_dgettext(GETTEXT_PACKAGE, self->draft->title);
  add_picture(box, self->draft->name);
  GtkWidget       *words = add_words(box);
  g_autofree char *caption =
    self->n_changed == 0 ? g_strdup(_("draft"))
                         : g_strdup_printf(ngettext("draft · %u setting changed",
                                                    "draft · %u settings changed", self->n_changed),
                                           self->n_changed);
  set_text(add_label(words, NULL), title);
  set_text(add_label(words, "caption"), caption);
  self->draft_row = add_row(self, box, "win.show-draft");
  g_autofree char *name = g_strdup_printf("%s, %s", title, caption);
  lac_accessible_name(self->draft_row, name);
}

/* ---- the queue ---- */

static GtkWidget *
make_line(const char *icon, const char *text)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 9);
  GtkWidget *image = gtk_image_new_from_icon_name(icon);
  gtk_widget_set_size_request(image, 28, -1);
  gtk_box_append(GTK_BOX(box), image);
  GtkLabel *label = add_label(box, NULL);
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
  guint              n = lac_run_queue_get_n(queue);
  self->queue_row = NULL;
  if (n == 0)
    return;
  g_autofree char *text = g_strdup_printf(ngettext("%u in the queue", "%u in the queue", n), n);
  GtkWidget       *box = make_line("view-list-ordered-symbolic", text);
  add_hold(self, box);
  add_arrow(box, self->queue_is_open);
  self->queue_row = add_row(self, box, "win.show-queue");
  gtk_list_box_row_set_selectable(self->queue_row, FALSE);
  lac_accessible_name(self->queue_row, text);
  for (guint i = 0; i < n && self->queue_is_open; i++)
    add_queued(self, queue, i);
}

/* ---- interrupted runs ---- */

static void
add_resume(GtkWidget *box, const LacRunHeadline *run)
{
  GtkWidget *button = gtk_button_new_with_label(_("Resume"));
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_actionable_set_action_name(GTK_ACTIONABLE(button), "win.resume-run");
  gtk_actionable_set_action_target(GTK_ACTIONABLE(button), "s", run->path);
  gtk_box_append(GTK_BOX(box), button);
}

static void
add_interrupted_run(LacProgressList *self, LacRunItem *item)
{
  const LacRunHeadline *run = lac_run_item_get(item);
  GtkWidget            *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6), *words = add_words(box);
  g_autofree char      *started = lac_run_item_dup_started(run);
  gtk_widget_add_css_class(box, "inset");
  set_text(add_label(words, NULL), g_dgettext(GETTEXT_PACKAGE, run->title));
  set_text(add_label(words, "caption"), started);
  add_resume(box, run);
  GtkListBoxRow *row = add_row(self, box, NULL);
  gtk_list_box_row_set_selectable(row, FALSE);
  gtk_list_box_row_set_activatable(row, FALSE);
}

/* Returns: (transfer full): LacRunItem, the latest first. */
static GPtrArray *
find_interrupted(LacProgressList *self)
{
  GListModel *runs = lac_run_store_get_model(lac_workbench_get_run_store(self->workbench));
  GPtrArray  *found = g_ptr_array_new_with_free_func(g_object_unref);
  for (guint i = 0; i < g_list_model_get_n_items(runs); i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(runs, i);
    if (g_str_equal(lac_run_item_get(item)->outcome, "interrupted"))
      g_ptr_array_add(found, g_steal_pointer(&item));
  }
  return found;
}

static int
compare_started(gconstpointer a, gconstpointer b)
{
  return lac_run_headline_compare(lac_run_item_get(*(LacRunItem *const *) b),
                                  lac_run_item_get(*(LacRunItem *const *) a), LAC_RUNS_BY_STARTED);
}

static void
add_interrupted(LacProgressList *self)
{
  g_autoptr(GPtrArray) found = find_interrupted(self);
  self->n_interrupted = found->len;
  if (found->len == 0)
    return;
  g_ptr_array_sort(found, compare_started);
  g_autofree char *text =
    g_strdup_printf(ngettext("%u run interrupted", "%u runs interrupted", found->len), found->len);
  GtkWidget *box = make_line("dialog-warning-symbolic", text);
  gtk_widget_add_css_class(gtk_widget_get_first_child(box), "warning");
  if (found->len == 1)
    add_resume(box, lac_run_item_get(found->pdata[0]));
  else
    add_arrow(box, self->interrupted_is_open);
  GtkListBoxRow *row = add_row(self, box, NULL);
  gtk_list_box_row_set_selectable(row, FALSE);
  gtk_list_box_row_set_activatable(row, found->len > 1);
  g_object_set_data(G_OBJECT(row), "interrupted", GINT_TO_POINTER(TRUE));
  lac_accessible_name(row, text);
  for (guint i = 0;
       self->interrupted_is_open && found->len > 1 && i < MIN(found->len, MOST_INTERRUPTED); i++)
    add_interrupted_run(self, found->pdata[i]);
}

/* ---- all rows ---- */

static void
show_selected(LacProgressList *self)
{
  GtkListBoxRow *row = self->selected == LAC_PROGRESS_RUN     ? self->run_row
                       : self->selected == LAC_PROGRESS_DRAFT ? self->draft_row
                                                              : NULL;
  gtk_list_box_select_row(self->list, row);
}

static void
rebuild(LacProgressList *self)
{
  GtkWidget *focus = gtk_widget_get_focus_child(GTK_WIDGET(self->list));
  int        focused = focus != NULL ? gtk_list_box_row_get_index(GTK_LIST_BOX_ROW(focus)) : -1;
  for (GtkWidget *row; (row = gtk_widget_get_first_child(GTK_WIDGET(self->list))) != NULL;)
    gtk_list_box_remove(self->list, row);
  add_run(self);
  add_draft(self);
  add_queue(self);
  add_interrupted(self);
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

/* Runs are added in batches: rebuilt only if the number of interrupted ones has changed. */
static void
on_runs(LacProgressList *self)
{
  g_autoptr(GPtrArray) found = find_interrupted(self);
  if (found->len != self->n_interrupted)
    rebuild_soon(self);
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
  g_signal_connect_object(workbench, "changed", G_CALLBACK(rebuild_soon), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(workbench, "queue-changed", G_CALLBACK(rebuild_soon), self,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(workbench, "progressed", G_CALLBACK(show_run), self, G_CONNECT_SWAPPED);
  g_signal_connect_object(lac_workbench_get_run_store(workbench), "changed", G_CALLBACK(on_runs),
                          self, G_CONNECT_SWAPPED);
  rebuild(self);
}

void
lac_progress_list_set_draft(LacProgressList *self, const LacExperiment *experiment, guint n_changed)
{
  g_return_if_fail(LAC_IS_PROGRESS_LIST(self));
  if (self->draft == experiment && self->n_changed == n_changed)
    return;
  self->draft = experiment;
  self->n_changed = n_changed;
  rebuild_soon(self);
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
  g_clear_object(&self->workbench);
  g_clear_pointer(&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS(lac_progress_list_parent_class)->dispose(object);
}

static void
lac_progress_list_class_init(LacProgressListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_progress_list_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_progress_list_init(LacProgressList *self)
{
  GtkWidget *heading = gtk_label_new(_("In progress"));
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
