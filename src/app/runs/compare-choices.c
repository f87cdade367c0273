/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run selection of the comparison. */
#include "app/runs/compare-choices.h"

#include "app/toolkit/tip.h"

#include <glib/gi18n-lib.h>

/* ---- the drop-down ---- */

static char *
dup_choice_text(LacRunItem *item)
{
  const LacRunHeadline *run = lac_run_item_get(item);
  g_autofree char      *when = lac_run_item_dup_started(run);
  g_autofree char      *metric = lac_run_item_dup_metric(run);
  return g_strdup_printf("%s%s · %s · %s", run->is_baseline ? "★ " : "",
                         g_dgettext(GETTEXT_PACKAGE, run->title), metric, when);
}

static void
on_setup_choice(GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer user_data)
{
  GtkWidget *label = gtk_label_new(NULL);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_list_item_set_child(cell, label);
}

static void
on_bind_choice(GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer user_data)
{
  LacRunItem      *item = gtk_list_item_get_item(cell);
  GtkWidget       *label = gtk_list_item_get_child(cell);
  g_autofree char *text = dup_choice_text(item);
  gtk_label_set_text(GTK_LABEL(label), text);
  lac_tip_set(label, lac_run_item_get(item)->name);
}

static int
compare_items(gconstpointer a, gconstpointer b, gpointer user_data)
{
  return lac_run_headline_compare(lac_run_item_get((LacRunItem *) b),
                                  lac_run_item_get((LacRunItem *) a), LAC_RUNS_BY_STARTED);
}

static void
on_bind_word(GtkSignalListItemFactory *factory, GtkListItem *cell, gpointer user_data)
{
  const char *word = gtk_string_object_get_string(gtk_list_item_get_item(cell));
  gtk_label_set_text(GTK_LABEL(gtk_list_item_get_child(cell)), word);
}

void
lac_compare_choices_shorten(GtkDropDown *drop)
{
  g_return_if_fail(GTK_IS_DROP_DOWN(drop));
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup_choice), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind_word), NULL);
  gtk_drop_down_set_factory(drop, factory);
}

void
lac_compare_choices_prepare(GtkDropDown *drop)
{
  g_return_if_fail(GTK_IS_DROP_DOWN(drop));
  g_autoptr(GtkListItemFactory) factory = gtk_signal_list_item_factory_new();
  g_signal_connect(factory, "setup", G_CALLBACK(on_setup_choice), NULL);
  g_signal_connect(factory, "bind", G_CALLBACK(on_bind_choice), NULL);
  gtk_drop_down_set_factory(drop, factory);
  gtk_drop_down_set_expression(drop, gtk_cclosure_expression_new(G_TYPE_STRING, NULL, 0, NULL,
                                                                 G_CALLBACK(dup_choice_text), NULL,
                                                                 NULL));
  gtk_drop_down_set_enable_search(drop, TRUE);
}

GListModel *
lac_compare_choices_new(LacRunStore *store)
{
  g_return_val_if_fail(LAC_IS_RUN_STORE(store), NULL);
  GtkSorter *sorter = GTK_SORTER(gtk_custom_sorter_new(compare_items, NULL, NULL));
  return G_LIST_MODEL(
    gtk_sort_list_model_new(g_object_ref(lac_run_store_get_model(store)), sorter));
}

const char *
lac_compare_choices_get(GtkDropDown *drop)
{
  g_return_val_if_fail(GTK_IS_DROP_DOWN(drop), NULL);
  LacRunItem *item = gtk_drop_down_get_selected_item(drop);
  return item != NULL ? lac_run_item_get(item)->path : NULL;
}

guint
lac_compare_choices_find(GListModel *choices, LacRunItem *item)
{
  guint n = choices != NULL ? g_list_model_get_n_items(choices) : 0;
  for (guint i = 0; item != NULL && i < n; i++) {
    g_autoptr(LacRunItem) other = g_list_model_get_item(choices, i);
    if (other == item)
      return i;
  }
  return GTK_INVALID_LIST_POSITION;
}

/* ---- what to begin with ---- */

static gboolean
can_be_shown(const LacRunHeadline *run)
{
  return !g_str_equal(run->outcome, "unreadable") && !g_str_equal(run->outcome, "running");
}

/* Returns: the run before @last to compare it with: its baseline, another of its experiment, or any. */
static const LacRunHeadline *
find_partner(GListModel *choices, const LacRunHeadline *last)
{
  const LacRunHeadline *same = NULL, *any = NULL;
  guint                 n = g_list_model_get_n_items(choices);
  for (guint i = 0; i < n; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(choices, i);
    const LacRunHeadline *run = lac_run_item_get(item);
    if (run == last || !can_be_shown(run))
      continue;
    gboolean is_same = g_str_equal(run->experiment, last->experiment);
    if (is_same && run->is_baseline)
      return run;
    if (is_same && same == NULL)
      same = run;
    if (any == NULL)
      any = run;
  }
  return same != NULL ? same : any;
}

gboolean
lac_compare_choices_find_last(GListModel *choices, const char *paths[2])
{
  guint n = choices != NULL ? g_list_model_get_n_items(choices) : 0;
  for (guint i = 0; i < n; i++) {
    g_autoptr(LacRunItem) item = g_list_model_get_item(choices, i);
    const LacRunHeadline *last = lac_run_item_get(item);
    const LacRunHeadline *partner = can_be_shown(last) ? find_partner(choices, last) : NULL;
    if (partner == NULL)
      continue;
    paths[0] = partner->path;
    paths[1] = last->path;
    return TRUE;
  }
  return FALSE;
}
