/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the queue of runs, the button that counts them, and the window that lists them. */
#include "app/shell/features.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/preferences.h"
#include "app/toolkit/toast.h"
#include "experiment/experiment.h"
#include "run/plan/cost.h"
#include "run/plan/launch-options.h"

#include <adwaita.h>
#include <glib/gi18n-lib.h>

/* ---- the window: its short list is rebuilt whenever the queue changes ---- */

#define LAC_TYPE_QUEUE_WINDOW (lac_queue_window_get_type())
G_DECLARE_FINAL_TYPE(LacQueueWindow, lac_queue_window, LAC, QUEUE_WINDOW, GtkWindow)

struct _LacQueueWindow {
  GtkWindow   parent_instance;
  GtkStack   *stack;
  GtkListBox *list;
  GtkLabel   *words;
  GtkWidget  *start;
};

G_DEFINE_FINAL_TYPE(LacQueueWindow, lac_queue_window, GTK_TYPE_WINDOW)

static void
act(LacQueueWindow *self, const char *action, GVariant *target)
{
  GtkWindow *parent = gtk_window_get_transient_for(GTK_WINDOW(self));
  if (parent != NULL)
    gtk_widget_activate_action_variant(GTK_WIDGET(parent), action, target);
}

static void
on_clicked(GtkWidget *button, LacQueueWindow *self)
{
  act(self, g_object_get_data(G_OBJECT(button), "action"),
      g_object_get_data(G_OBJECT(button), "target"));
}

static void
add_button(LacQueueWindow   *self,
           GtkWidget        *row,
           const char *const looks[3],
           GVariant         *target,
           gboolean          sensitive)
{
  GtkWidget *button = gtk_button_new_from_icon_name(looks[0]);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_set_tooltip_text(button, looks[1]);
  gtk_widget_set_sensitive(button, sensitive);
  lac_accessible_name(button, looks[1]);
  g_object_set_data(G_OBJECT(button), "action", (gpointer) looks[2]);
  g_object_set_data_full(G_OBJECT(button), "target", g_variant_ref_sink(target),
                         (GDestroyNotify) g_variant_unref);
  g_signal_connect(button, "clicked", G_CALLBACK(on_clicked), self);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), button);
}

/* Returns the estimate for this machine with the default number of threads. */
static double
get_seconds(const LacRunPlan *plan)
{
  g_autoptr(LacDraft) launch = lac_preferences_new_launch(NULL, NULL);
  const char         *text = plan->launch.stated[LAC_LAUNCH_SWEEP];
  g_autoptr(LacSweep) sweep =
    lac_sweep_parse(&plan->experiment->params, text != NULL ? text : "", NULL);
  LacRunSettings settings = {.experiment = plan->experiment, .draft = plan->draft};
  LacCost        cost;
  lac_launch_params_fill(launch, &settings);
  lac_cost_add_up(&settings, sweep, &cost);
  return cost.seconds;
}

static char *
describe(const LacQueued *queued)
{
  if (queued->plan == NULL)
    return g_strdup(queued->wrong);
  g_autofree char *changes = lac_run_plan_dup_changes(queued->plan);
  g_autofree char *duration = lac_format_duration(get_seconds(queued->plan));
  return g_strdup_printf(_("about %s · %s"), duration,
                         *changes != '\0' ? changes : _("default settings"));
}

static GtkWidget *
make_row(LacQueueWindow *self, const LacRunQueue *queue, guint i)
{
  const char *const up[] = {"go-up-symbolic", _("Move Up"), "win.queue-move"};
  const char *const down[] = {"go-down-symbolic", _("Move Down"), "win.queue-move"};
  const char *const away[] = {"user-trash-symbolic", _("Remove from the queue"),
                              "win.queue-remove"};
  const LacQueued  *queued = lac_run_queue_get(queue, i);
  GtkWidget        *row = adw_action_row_new();
  g_autofree char  *about = describe(queued), *escaped = g_markup_escape_text(about, -1);
  const char       *title = queued->plan != NULL
                              ? g_dgettext(GETTEXT_PACKAGE, queued->plan->experiment->title)
                              : _("Invalid run");
  g_autofree char  *shown = g_markup_escape_text(title, -1);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), shown);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), escaped);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(row), 2);
  add_button(self, row, up, g_variant_new("(uu)", i, i - 1), i > 0);
  add_button(self, row, down, g_variant_new("(uu)", i, i + 1), i + 1 < lac_run_queue_get_n(queue));
  add_button(self, row, away, g_variant_new_uint32(i), TRUE);
  return row;
}

/* @goes: the queue is running; @busy: a run is active. */
static void
queue_window_show(LacQueueWindow *self, const LacRunQueue *queue, gboolean goes, gboolean busy)
{
  g_return_if_fail(LAC_IS_QUEUE_WINDOW(self));
  guint      n = lac_run_queue_get_n(queue);
  GtkWidget *child;
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->list))) != NULL)
    gtk_list_box_remove(self->list, child);
  for (guint i = 0; i < n; i++)
    gtk_list_box_append(self->list, make_row(self, queue, i));
  gtk_stack_set_visible_child_name(self->stack, n > 0 ? "list" : "empty");
  gtk_widget_set_visible(self->start, n > 0 && !(goes && busy));
  gtk_label_set_text(self->words, n == 0 ? ""
                                  : goes && busy
                                    ? _("The next run starts when the active one has ended.")
                                  : busy ? _("Paused: no run starts automatically.")
                                         : _("No run is active."));
}

static void
lac_queue_window_class_init(LacQueueWindowClass *class)
{
  gtk_widget_class_add_binding_action(GTK_WIDGET_CLASS(class), GDK_KEY_Escape, 0, "window.close",
                                      NULL);
}

static GtkWidget *
make_list(LacQueueWindow *self)
{
  GtkWidget *scroller = gtk_scrolled_window_new(), *clamp = adw_clamp_new();
  self->list = GTK_LIST_BOX(gtk_list_box_new());
  gtk_list_box_set_selection_mode(self->list, GTK_SELECTION_NONE);
  gtk_widget_add_css_class(GTK_WIDGET(self->list), "boxed-list");
  gtk_widget_set_valign(GTK_WIDGET(self->list), GTK_ALIGN_START);
  lac_accessible_name(self->list, _("Queued runs"));
  gtk_widget_set_margin_top(clamp, 12);
  gtk_widget_set_margin_bottom(clamp, 12);
  gtk_widget_set_margin_start(clamp, 12);
  gtk_widget_set_margin_end(clamp, 12);
  adw_clamp_set_child(ADW_CLAMP(clamp), GTK_WIDGET(self->list));
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), clamp);
  return scroller;
}

static GtkWidget *
make_footer(LacQueueWindow *self)
{
  GtkWidget *footer = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 12);
  self->words = GTK_LABEL(gtk_label_new(""));
  self->start = gtk_button_new_with_label(_("Start the Queue"));
  gtk_label_set_wrap(self->words, TRUE);
  gtk_label_set_xalign(self->words, 0);
  gtk_widget_set_hexpand(GTK_WIDGET(self->words), TRUE);
  gtk_widget_add_css_class(self->start, "suggested-action");
  gtk_widget_set_valign(self->start, GTK_ALIGN_CENTER);
  g_object_set_data(G_OBJECT(self->start), "action", (gpointer) "win.queue-start");
  g_signal_connect(self->start, "clicked", G_CALLBACK(on_clicked), self);
  gtk_widget_set_margin_top(footer, 6);
  gtk_widget_set_margin_bottom(footer, 12);
  gtk_widget_set_margin_start(footer, 12);
  gtk_widget_set_margin_end(footer, 12);
  gtk_box_append(GTK_BOX(footer), GTK_WIDGET(self->words));
  gtk_box_append(GTK_BOX(footer), self->start);
  return footer;
}

static void
lac_queue_window_init(LacQueueWindow *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0), *empty = adw_status_page_new();
  self->stack = GTK_STACK(gtk_stack_new());
  adw_status_page_set_title(ADW_STATUS_PAGE(empty), _("Queue Is Empty"));
  adw_status_page_set_description(
    ADW_STATUS_PAGE(empty),
    _("Add runs with “Add to the Queue” on the set-up page. They start one after the other."));
  gtk_widget_add_css_class(empty, "compact");
  gtk_stack_add_named(self->stack, empty, "empty");
  gtk_stack_add_named(self->stack, make_list(self), "list");
  gtk_widget_set_vexpand(GTK_WIDGET(self->stack), TRUE);
  gtk_box_append(GTK_BOX(box), GTK_WIDGET(self->stack));
  gtk_box_append(GTK_BOX(box), make_footer(self));
  gtk_window_set_title(GTK_WINDOW(self), _("Queue"));
  gtk_window_set_titlebar(GTK_WINDOW(self), adw_header_bar_new());
  gtk_window_set_default_size(GTK_WINDOW(self), 560, 420);
  gtk_window_set_child(GTK_WINDOW(self), box);
}

static GtkWindow *
queue_window_new(GtkWindow *parent)
{
  return g_object_new(LAC_TYPE_QUEUE_WINDOW, "transient-for", parent, "destroy-with-parent", TRUE,
                      NULL);
}

/* ---- the commands ---- */

#define UNDO_S 10 /* a removal can be undone for as long from its message */

typedef struct {
  LacWindow    *window;
  LacWorkbench *workbench;
  LacSetupPage *setup;
  GtkButton    *button;
  GtkWindow    *list; /* (nullable): borrowed while it is open */
} Queue;

static void
show_queue(Queue *self)
{
  guint            n = lac_run_queue_get_n(lac_workbench_get_queue(self->workbench));
  g_autofree char *count = g_strdup_printf("+%u", n);
  g_autofree char *words = g_strdup_printf(ngettext("%u queued run", "%u queued runs", n), n);
  lac_window_set_state(self->window, "queue-length", g_variant_new_uint64(n));
  gtk_widget_set_visible(GTK_WIDGET(self->button), n > 0);
  if (g_strcmp0(gtk_button_get_label(self->button), count) != 0) {
    gtk_button_set_label(self->button, count);
    gtk_widget_set_tooltip_text(GTK_WIDGET(self->button), words);
    lac_accessible_name(self->button, words);
  }
  if (self->list != NULL)
    queue_window_show(LAC_QUEUE_WINDOW(self->list), lac_workbench_get_queue(self->workbench),
                      lac_workbench_queue_goes(self->workbench),
                      lac_workbench_holds_queue(self->workbench));
}

static void
on_add(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  Queue           *self = queue;
  g_autofree char *text = lac_setup_page_dup_plan(self->setup, self->workbench);
  if (text != NULL)
    lac_workbench_enqueue(self->workbench, text);
}

static void
on_start(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  lac_workbench_start_queue(((Queue *) queue)->workbench);
}

static void
on_move(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  guint from, to;
  g_variant_get(parameter, "(uu)", &from, &to);
  lac_workbench_move_queued(((Queue *) queue)->workbench, from, to);
}

static void
on_remove(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  Queue           *self = queue;
  guint            i = g_variant_get_uint32(parameter);
  g_autofree char *text = lac_workbench_remove_queued(self->workbench, i);
  if (text == NULL)
    return;
  AdwToast *toast = lac_toast_new(_("Removed from the queue"));
  adw_toast_set_button_label(toast, _("Undo"));
  adw_toast_set_action_name(toast, "win.queue-undo-remove");
  adw_toast_set_action_target(toast, "(us)", i, text);
  adw_toast_set_timeout(toast, UNDO_S);
  lac_window_show_toast(self->window, toast);
}

static void
on_undo_remove(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  guint       i;
  const char *text;
  g_variant_get(parameter, "(u&s)", &i, &text);
  lac_workbench_put_back(((Queue *) queue)->workbench, text, i);
}

static void
on_show(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  Queue *self = queue;
  if (self->list == NULL)
    g_set_weak_pointer(&self->list, queue_window_new(GTK_WINDOW(self->window)));
  show_queue(self);
  gtk_window_present(self->list);
}

static const LacActionRow rows[] = {
  {{"queue-add", on_add}, LAC_NEEDS_FORM},
  {{"queue-start", on_start}, LAC_NEEDS_QUEUE},
  {{"queue-move", on_move, "(uu)"}},
  {{"queue-remove", on_remove, "u"}},
  {{"queue-undo-remove", on_undo_remove, "(us)"}},
  {{"show-queue", on_show}},
};

static void
queue_free(gpointer queue)
{
  Queue *self = queue;
  g_signal_handlers_disconnect_by_data(self->workbench, self);
  g_clear_weak_pointer(&self->list);
  g_free(self);
}

static void
offer_start(Queue *self, guint n)
{
  g_autofree char *words =
    g_strdup_printf(ngettext("%u run is still queued", "%u runs are still queued", n), n);
  AdwToast *toast = lac_toast_new(words);
  adw_toast_set_button_label(toast, _("Start"));
  adw_toast_set_action_name(toast, "win.queue-start");
  lac_window_show_toast(self->window, toast);
}

void
lac_window_add_queue(LacWindow    *window,
                     LacWorkbench *workbench,
                     LacSetupPage *setup,
                     GtkButton    *button)
{
  Queue *self = g_new0(Queue, 1);
  guint  n = lac_run_queue_get_n(lac_workbench_get_queue(workbench));
  *self = (Queue){window, workbench, setup, button, NULL};
  lac_window_keep(window, self, queue_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
  g_signal_connect_swapped(workbench, "queue-changed", G_CALLBACK(show_queue), self);
  show_queue(self);
  if (n > 0)
    offer_start(self, n);
}
