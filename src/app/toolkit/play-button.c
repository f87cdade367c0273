/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays with one timeout source of the main loop. */
#include "app/toolkit/play-button.h"

#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

#define WHOLE_MS    10000
#define SHORTEST_MS 50
#define LONGEST_MS  500

struct _LacPlayButton {
  GtkWidget        parent_instance;
  GtkToggleButton *button;
  GtkRange        *range;
  guint            source;
};

G_DEFINE_FINAL_TYPE(LacPlayButton, lac_play_button, GTK_TYPE_WIDGET)

guint
lac_play_interval(gsize n_places)
{
  return (guint) CLAMP(WHOLE_MS / MAX(n_places, 1), SHORTEST_MS, LONGEST_MS);
}

static gboolean
on_time(gpointer user_data)
{
  LacPlayButton *self = user_data;
  const double   last = gtk_adjustment_get_upper(gtk_range_get_adjustment(self->range));
  const double   next = gtk_range_get_value(self->range) + 1;
  if (next <= last)
    gtk_range_set_value(self->range, next);
  if (next < last)
    return G_SOURCE_CONTINUE;
  self->source = 0;
  gtk_toggle_button_set_active(self->button, FALSE);
  return G_SOURCE_REMOVE;
}

static void
on_toggled(GtkToggleButton *button, LacPlayButton *self)
{
  const gboolean plays = gtk_toggle_button_get_active(button);
  g_clear_handle_id(&self->source, g_source_remove);
  gtk_button_set_icon_name(GTK_BUTTON(button), plays ? "media-playback-pause-symbolic"
                                                     : "media-playback-start-symbolic");
  if (!plays || self->range == NULL)
    return;
  GtkAdjustment *places = gtk_range_get_adjustment(self->range);
  const double   first = gtk_adjustment_get_lower(places), last = gtk_adjustment_get_upper(places);
  if (gtk_range_get_value(self->range) >= last)
    gtk_range_set_value(self->range, first);
  self->source = g_timeout_add(lac_play_interval((gsize) (last - first) + 1), on_time, self);
}

static void
stop(LacPlayButton *self)
{
  gtk_toggle_button_set_active(self->button, FALSE);
}

static void
lac_play_button_dispose(GObject *object)
{
  LacPlayButton *self = LAC_PLAY_BUTTON(object);
  g_clear_handle_id(&self->source, g_source_remove);
  g_clear_object(&self->range);
  if (self->button != NULL)
    gtk_widget_unparent(GTK_WIDGET(self->button));
  self->button = NULL;
  G_OBJECT_CLASS(lac_play_button_parent_class)->dispose(object);
}

static void
lac_play_button_class_init(LacPlayButtonClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_play_button_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_play_button_init(LacPlayButton *self)
{
  self->button = GTK_TOGGLE_BUTTON(gtk_toggle_button_new());
  gtk_button_set_icon_name(GTK_BUTTON(self->button), "media-playback-start-symbolic");
  gtk_widget_set_tooltip_text(GTK_WIDGET(self->button), _("Play the frames"));
  lac_accessible_name(self->button, _("Play the frames"));
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "flat");
  gtk_widget_add_css_class(GTK_WIDGET(self->button), "small");
  gtk_widget_set_valign(GTK_WIDGET(self->button), GTK_ALIGN_CENTER);
  gtk_widget_set_parent(GTK_WIDGET(self->button), GTK_WIDGET(self));
  g_signal_connect(self->button, "toggled", G_CALLBACK(on_toggled), self);
  g_signal_connect(self, "unmap", G_CALLBACK(stop), NULL);
}

void
lac_play_button_set_range(LacPlayButton *self, GtkRange *range)
{
  g_return_if_fail(LAC_IS_PLAY_BUTTON(self) && self->range == NULL);
  self->range = g_object_ref(range);
}

void
lac_play_button_toggle(LacPlayButton *self)
{
  g_return_if_fail(LAC_IS_PLAY_BUTTON(self));
  if (gtk_widget_get_mapped(GTK_WIDGET(self)))
    gtk_toggle_button_set_active(self->button, !gtk_toggle_button_get_active(self->button));
}

gboolean
lac_play_button_is_playing(LacPlayButton *self)
{
  g_return_val_if_fail(LAC_IS_PLAY_BUTTON(self), FALSE);
  return self->source != 0;
}
