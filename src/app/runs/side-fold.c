/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Folding of side panes by the width of the page. */
#include "app/runs/side-fold.h"

#include "app/toolkit/drawing-view.h"

#define WIDE \
  960 /* width of a page from which the side is beside the content; times the scale of text */
#define HIDDEN "is-hidden" /* data of a flap: the user has hidden the side of the wide page */
#define SOURCE "fold"      /* data of a flap: idle source */
#define FLAP   "side-flap" /* data of a page */
#define HIGH \
  560 /* height of a page from which all of its parts are shown; times the scale of text */
#define LOW "low" /* data of a page: Low */

/* Reports the height of a page. */
typedef struct {
  GtkWidget *page; /* borrowed */
  LacLowFunc show;
  gboolean   is_low;
  guint      pending; /* idle source */
} Low;

static void
lac_side_fold_measure(GtkWidget     *page,
                      GtkOrientation orientation,
                      int            for_size,
                      int           *least,
                      int           *natural,
                      int           *least_baseline,
                      int           *natural_baseline)
{
  GtkWidget *child = gtk_widget_get_first_child(page);
  if (child != NULL)
    gtk_widget_measure(child, orientation, for_size, least, natural, least_baseline,
                       natural_baseline);
}

static gboolean
is_folded(AdwFlap *flap)
{
  return adw_flap_get_fold_policy(flap) == ADW_FLAP_FOLD_POLICY_ALWAYS;
}

static gboolean
on_fold(gpointer data)
{
  AdwFlap *flap = data;
  gboolean fold = !is_folded(flap);
  g_object_set_data(G_OBJECT(flap), SOURCE, NULL);
  adw_flap_set_fold_policy(flap, fold ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_NEVER);
  adw_flap_set_reveal_flap(flap, !fold && g_object_get_data(G_OBJECT(flap), HIDDEN) == NULL);
  return G_SOURCE_REMOVE;
}

static void
cancel(gpointer source)
{
  if (source != NULL)
    g_source_remove(GPOINTER_TO_UINT(source));
}

static gboolean
on_low(gpointer data)
{
  Low *low = data;
  low->pending = 0;
  low->is_low = !low->is_low;
  low->show(low->page, low->is_low);
  return G_SOURCE_REMOVE;
}

static void
low_free(gpointer data)
{
  Low *low = data;
  g_clear_handle_id(&low->pending, g_source_remove);
  g_free(low);
}

static void
follow_height(Low *low, int height)
{
  gboolean changes = (height < HIGH * lac_drawing_text_scale()) != low->is_low;
  if (changes && low->pending == 0)
    low->pending = g_idle_add(on_low, low);
  else if (!changes)
    g_clear_handle_id(&low->pending, g_source_remove);
}

void
lac_side_fold_set_low(GtkWidget *page, LacLowFunc show)
{
  g_return_if_fail(GTK_IS_WIDGET(page) && show != NULL);
  Low *low = g_new0(Low, 1);
  low->page = page;
  low->show = show;
  g_object_set_data_full(G_OBJECT(page), LOW, low, low_free);
}

/* Folds after the allocation: a fold queues another one. */
static void
allocate(GtkWidget *page, int width, int height, int baseline)
{
  GtkWidget *child = gtk_widget_get_first_child(page);
  AdwFlap   *flap = g_object_get_data(G_OBJECT(page), FLAP);
  if (child == NULL)
    return;
  gtk_widget_allocate(child, width, height, baseline, NULL);
  if (g_object_get_data(G_OBJECT(page), LOW) != NULL)
    follow_height(g_object_get_data(G_OBJECT(page), LOW), height);
  gboolean changes = (width < WIDE * lac_drawing_text_scale()) != is_folded(flap);
  gpointer pending = g_object_get_data(G_OBJECT(flap), SOURCE);
  if (changes && pending == NULL) {
    g_object_set_data(G_OBJECT(flap), SOURCE, GUINT_TO_POINTER(g_idle_add(on_fold, flap)));
  } else if (!changes && pending != NULL) {
    cancel(pending);
    g_object_set_data(G_OBJECT(flap), SOURCE, NULL);
  }
}

static void
on_destroy(GtkWidget *flap)
{
  cancel(g_object_steal_data(G_OBJECT(flap), SOURCE));
}

void
lac_side_fold_attach(GtkWidget *page, AdwFlap *flap)
{
  g_return_if_fail(GTK_IS_WIDGET(page) && ADW_IS_FLAP(flap));
  g_object_set_data(G_OBJECT(page), FLAP, flap);
  adw_flap_set_fold_policy(flap, ADW_FLAP_FOLD_POLICY_NEVER);
  g_signal_connect(flap, "destroy", G_CALLBACK(on_destroy), NULL);
  gtk_widget_set_layout_manager(page, gtk_custom_layout_new(NULL, lac_side_fold_measure, allocate));
}

void
lac_side_fold_show(AdwFlap *flap, gboolean is_shown)
{
  g_return_if_fail(ADW_IS_FLAP(flap));
  if (!is_folded(flap))
    g_object_set_data(G_OBJECT(flap), HIDDEN, is_shown ? NULL : flap);
  adw_flap_set_reveal_flap(flap, is_shown);
}

gboolean
lac_side_fold_is_shown(AdwFlap *flap)
{
  g_return_val_if_fail(ADW_IS_FLAP(flap), FALSE);
  return adw_flap_get_reveal_flap(flap);
}
