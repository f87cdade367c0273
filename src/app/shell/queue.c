/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The commands of the queue of runs, which the sidebar lists. */
#include "app/shell/features.h"
#include "app/toolkit/toast.h"

#include <glib/gi18n-lib.h>

#define UNDO_S 10 /* a removal can be undone for as long from its message */

typedef struct {
  LacWindow    *window;
  LacWorkbench *workbench;
  LacSetupPage *setup;
  LacSidebar   *sidebar;
} Queue;

static void
show_queue(Queue *self)
{
  guint n = lac_workbench_get_n_queued(self->workbench);
  lac_window_set_state(self->window, "queue-length", g_variant_new_uint64(n));
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
on_hold(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  lac_workbench_hold_queue(((Queue *) queue)->workbench);
}

static void
on_show(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  Queue *self = queue;
  g_action_group_change_action_state(G_ACTION_GROUP(self->window), "show-sidebar",
                                     g_variant_new_boolean(TRUE));
  lac_progress_list_show_queue(lac_sidebar_get_progress(self->sidebar));
}

/* @parameter: the folder of a run */
static void
on_stop_run(GSimpleAction *action, GVariant *parameter, gpointer queue)
{
  lac_workbench_stop_beside(((Queue *) queue)->workbench, g_variant_get_string(parameter, NULL));
}

static const LacActionRow rows[] = {
  {{"queue-add", on_add}, LAC_NEEDS_FORM},    {{"queue-start", on_start}, LAC_NEEDS_QUEUE},
  {{"queue-hold", on_hold}, LAC_NEEDS_QUEUE}, {{"queue-move", on_move, "(uu)"}},
  {{"queue-remove", on_remove, "u"}},         {{"queue-undo-remove", on_undo_remove, "(us)"}},
  {{"queue-stop-run", on_stop_run, "s"}},     {{"show-queue", on_show}, LAC_NEEDS_QUEUE},
};

static void
queue_free(gpointer queue)
{
  Queue *self = queue;
  g_signal_handlers_disconnect_by_data(self->workbench, self);
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
                     LacSidebar   *sidebar)
{
  Queue *self = g_new0(Queue, 1);
  guint  n = lac_workbench_get_n_queued(workbench);
  *self = (Queue){window, workbench, setup, sidebar};
  lac_window_keep(window, self, queue_free);
  lac_window_add_rows(window, rows, G_N_ELEMENTS(rows), self);
  g_signal_connect_swapped(workbench, "queue-changed", G_CALLBACK(show_queue), self);
  show_queue(self);
  if (n > 0)
    offer_start(self, n);
}
