/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the page of fields by its size: the side folds where it is narrow; where it is low, the part below the
 * pictures shows one of its contents at a time. */
#include "app/live/page-private.h"
#include "app/toolkit/drawing-view.h"

/* pixels at the usual text size */
#define SIDE_FROM  960 /* width with the side beside the content */
#define WORDS_FROM 760 /* width with words in the transport */
#define WHOLE_FROM 560 /* height with the table and the curves below each other */

static gboolean
is_active(GtkWidget *toggle)
{
  return gtk_toggle_button_get_active(GTK_TOGGLE_BUTTON(toggle));
}

/* Moves the curves to the card of the energy, which offers them beside its own, or below the table. */
static void
place_curves(LacLivePage *self)
{
  gboolean in_card = !self->is_low && gtk_widget_get_visible(GTK_WIDGET(self->energy));
  if (in_card == self->has_card)
    return;
  self->has_card = in_card;
  g_object_ref(self->curves);
  if (in_card)
    gtk_box_remove(self->lower, GTK_WIDGET(self->curves));
  lac_energy_card_set_panel(self->energy, in_card ? self->curves : NULL);
  if (!in_card)
    gtk_box_insert_child_after(self->lower, GTK_WIDGET(self->curves), GTK_WIDGET(self->methods));
  g_object_unref(self->curves);
  lac_curve_panel_set_head(self->curves, !in_card);
}

void
lac_live_page_show_part(LacLivePage *self)
{
  gboolean low = self->is_low;
  gboolean methods = is_active(self->part_methods);
  gboolean has_rows = lac_method_view_get_table(self->methods)->n_rows > 0;
  if (!self->is_low && !methods && !is_active(self->part_curves)) {
    gtk_toggle_button_set_active(GTK_TOGGLE_BUTTON(self->part_methods), TRUE);
    return; /* called again */
  }
  place_curves(self);
  gtk_widget_set_visible(self->parts, low);
  gtk_widget_set_visible(GTK_WIDGET(self->methods), has_rows && (!low || methods));
  gtk_widget_set_visible(GTK_WIDGET(self->curves), !low || is_active(self->part_curves));
  gtk_widget_set_visible(GTK_WIDGET(self->low_change), low && is_active(self->part_change));
  gtk_widget_set_visible(GTK_WIDGET(self->low_details), low && is_active(self->part_details));
}

/* Moves a group of the side to where it is shown. @low: its place in a low page */
static void
move_group(LacLivePage *self, GtkBox *group, GtkScrolledWindow *low, gboolean is_below)
{
  g_object_ref(group);
  if (is_below) {
    gtk_box_remove(self->side, GTK_WIDGET(group));
    gtk_scrolled_window_set_child(low, GTK_WIDGET(group));
  } else {
    gtk_scrolled_window_set_child(low, NULL);
    gtk_box_append(self->side, GTK_WIDGET(group));
  }
  g_object_unref(group);
}

/* Tags and note stand at the bottom of the side, and end the details of a low page. */
static void
move_notes(LacLivePage *self, gboolean low)
{
  GtkWidget *notes = GTK_WIDGET(self->notes);
  g_object_ref(notes);
  gtk_box_remove(low ? self->side_frame : self->details, notes);
  gtk_box_append(low ? self->details : self->side_frame, notes);
  g_object_unref(notes);
}

static void
set_low(LacLivePage *self, gboolean low)
{
  if (self->is_low == low)
    return;
  self->is_low = low;
  move_group(self, self->change, self->low_change, low);
  move_group(self, self->details, self->low_details, low);
  move_notes(self, low);
  gtk_widget_set_sensitive(self->both, !low);
  lac_energy_card_set_compact(self->energy, low);
  lac_live_page_show_part(self);
  lac_live_page_show_mode(self);
}

static void
set_folded(LacLivePage *self, gboolean folded)
{
  AdwFlapFoldPolicy policy = folded ? ADW_FLAP_FOLD_POLICY_ALWAYS : ADW_FLAP_FOLD_POLICY_NEVER;
  if (adw_flap_get_fold_policy(self->flap) == policy)
    return;
  adw_flap_set_fold_policy(self->flap, policy);
  adw_flap_set_reveal_flap(self->flap, !folded);
}

static gboolean
on_fit(gpointer user_data)
{
  LacLivePage *self = user_data;
  double       scale = lac_drawing_text_scale();
  gboolean     low = self->height < WHOLE_FROM * scale;
  self->fitting = 0;
  set_low(self, low);
  set_folded(self, low || self->width < SIDE_FROM * scale);
  self->is_narrow = self->width < WORDS_FROM * scale;
  lac_transport_set_narrow(self->transport, self->is_narrow);
  return G_SOURCE_REMOVE;
}

/* The layout changes when idle: within an allocation, children must not be moved. */
static void
lac_live_page_size_allocate(GtkWidget *widget, int width, int height, int baseline)
{
  LacLivePage *self = LAC_LIVE_PAGE(widget);
  GtkWidget   *child = GTK_WIDGET(self->stack);
  int          least;
  if (self->fitting == 0 && (self->width != width || self->height != height))
    self->fitting = g_idle_add_full(G_PRIORITY_HIGH_IDLE, on_fit, self, NULL);
  self->width = width;
  self->height = height;
  gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, &least, NULL, NULL, NULL);
  gtk_widget_size_allocate(child, &(GtkAllocation){0, 0, width, MAX(height, least)}, -1);
}

static void
lac_live_page_measure(GtkWidget     *widget,
                      GtkOrientation orientation,
                      int            for_size,
                      int           *minimum,
                      int           *natural,
                      int           *minimum_baseline,
                      int           *natural_baseline)
{
  LacLivePage *self = LAC_LIVE_PAGE(widget);
  gtk_widget_measure(GTK_WIDGET(self->stack), orientation, for_size, minimum, natural, NULL, NULL);
  /* less than the present layout needs: a smaller page gets another layout */
  if (orientation == GTK_ORIENTATION_VERTICAL)
    *minimum = MIN(*minimum, WHOLE_FROM / 2);
  else if (adw_flap_get_fold_policy(self->flap) == ADW_FLAP_FOLD_POLICY_NEVER)
    *minimum = MIN(*minimum, SIDE_FROM / 2);
}

void
lac_live_page_bind_layout(GtkWidgetClass *class)
{
  class->size_allocate = lac_live_page_size_allocate;
  class->measure = lac_live_page_measure;
}

/* ---- the frame's functions ---- */

GtkWidget *
lac_live_page_get_bar(LacLivePage *self)
{
  g_return_val_if_fail(LAC_IS_LIVE_PAGE(self), NULL);
  return GTK_WIDGET(lac_transport_get_bar(self->transport));
}
