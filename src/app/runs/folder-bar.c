/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Bottom bar of the list of runs and of sweeps. */
#include "app/runs/folder-bar.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"
#include "app/toolkit/tip.h"
#include "io/format/write-error.h"

#include <glib/gi18n-lib.h>

#define SWEEP "sweep-actions" /* data of the bar */
#define RUNS  "runs-actions"

typedef struct {
  const char *label, *icon, *action, *tip;
} Action;

static const Action of_sweep[] = {
  {N_("Add Values…"), NULL, "win.folder-add", N_("Compute more runs of this sweep")},
  {N_("Set Up a Copy"), NULL, "win.runs-duplicate",
   N_("Copy the settings of the selected run to the set-up page")},
  {N_("Export Report…"), NULL, "win.folder-export",
   N_("Compare the runs in a PDF, HTML, text or JSON file")},
};
static const Action of_runs[] = {
  {N_("Another Folder…"), NULL, "win.runs-choose-folder", N_("Choose the folder of runs")},
  {N_("Delete"), "user-trash-symbolic", "win.runs-delete",
   N_("Delete the selected runs (can be undone)")},
  {N_("Compare"), NULL, "win.runs-compare",
   N_("Compare the selected runs (select several with Ctrl or Shift)")},
};

static void
add_actions(LacBottomBar *bar, const char *key, const Action *actions, gsize n)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  for (gsize i = 0; i < n; i++) {
    GtkWidget *button = actions[i].icon != NULL ? gtk_button_new_from_icon_name(actions[i].icon)
                                                : gtk_button_new_with_label(_(actions[i].label));
    gtk_actionable_set_action_name(GTK_ACTIONABLE(button), actions[i].action);
    gtk_widget_set_tooltip_text(button, _(actions[i].tip));
    lac_accessible_name(button, _(actions[i].label));
    gtk_box_append(GTK_BOX(box), button);
  }
  lac_bottom_bar_add_action(bar, box);
  g_object_set_data(G_OBJECT(bar), key, box);
}

GtkWidget *
lac_folder_bar_new(void)
{
  GtkWidget *bar = lac_bottom_bar_new();
  add_actions(LAC_BOTTOM_BAR(bar), SWEEP, of_sweep, G_N_ELEMENTS(of_sweep));
  add_actions(LAC_BOTTOM_BAR(bar), RUNS, of_runs, G_N_ELEMENTS(of_runs));
  return bar;
}

static void
show_actions(LacBottomBar *bar, gboolean is_sweep)
{
  gtk_widget_set_visible(g_object_get_data(G_OBJECT(bar), SWEEP), is_sweep);
  gtk_widget_set_visible(g_object_get_data(G_OBJECT(bar), RUNS), !is_sweep);
}

void
lac_folder_bar_show_sweep(LacBottomBar *bar, const LacSweepRuns *results)
{
  g_return_if_fail(LAC_IS_BOTTOM_BAR(bar));
  guint            n = results != NULL ? results->points->len : 0;
  g_autofree char *time = lac_format_duration(results != NULL ? results->seconds : 0);
  g_autofree char *size = lac_format_bytes(results != NULL ? (double) results->bytes : 0);
  g_autofree char *title =
    g_strdup_printf(_("%zu of %u finished"), results != NULL ? results->n_done : 0, n);
  g_autofree char *caption = g_strdup_printf(_("%s in total · %s"), time, size);
  lac_bottom_bar_set_words(bar, title, caption);
  lac_tip_set(GTK_WIDGET(bar), NULL);
  show_actions(bar, TRUE);
}

/* Returns: (transfer full): how many runs are chosen, else how many are shown. */
static char *
dup_count(guint n_all, guint n_shown, guint n_chosen)
{
  g_autofree char *all = lac_format_count(n_all), *shown = lac_format_count(n_shown);
  g_autofree char *chosen = lac_format_count(n_chosen);
  if (n_chosen > 0)
    return g_strdup_printf(ngettext("%s of %s run chosen", "%s of %s runs chosen", n_all), chosen,
                           all);
  if (n_shown < n_all)
    return g_strdup_printf(ngettext("%s of %s run", "%s of %s runs", n_all), shown, all);
  return g_strdup_printf(ngettext("%s run", "%s runs", n_all), all);
}

void
lac_folder_bar_show_runs(LacBottomBar    *bar,
                         const char      *folder,
                         GListModel      *runs,
                         guint            n_shown,
                         const GPtrArray *chosen)
{
  g_return_if_fail(LAC_IS_BOTTOM_BAR(bar) && G_IS_LIST_MODEL(runs) && chosen != NULL);
  guint   n_all = g_list_model_get_n_items(runs);
  guint64 bytes = 0, chosen_bytes = 0;
  guint64 left = folder != NULL ? lac_free_bytes(folder) : G_MAXUINT64;
  for (guint i = 0; i < n_all; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(runs, i);
    bytes += lac_run_item_get(item)->bytes;
  }
  for (guint i = 0; i < chosen->len; i++)
    chosen_bytes += lac_run_item_get(chosen->pdata[i])->bytes;
  g_autofree char *title = dup_count(n_all, n_shown, chosen->len);
  g_autofree char *size = lac_format_bytes((double) bytes);
  g_autofree char *part = lac_format_bytes((double) chosen_bytes);
  g_autofree char *room = left != G_MAXUINT64 ? lac_format_bytes((double) left) : g_strdup("–");
  g_autofree char *caption =
    chosen->len > 0 ? g_strdup_printf(_("%s in all, %s chosen · %s free"), size, part, room)
                    : g_strdup_printf(_("%s in all · %s free"), size, room);
  g_autofree char *where = folder != NULL ? g_filename_display_name(folder) : NULL;
  lac_bottom_bar_set_words(bar, title, caption);
  lac_tip_set(GTK_WIDGET(bar), where);
  show_actions(bar, FALSE);
}
