/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows the style of libadwaita. */
#include "app/toolkit/style.h"

#include "app/toolkit/preferences.h"

const LacPalette *
lac_style_palette(void)
{
  return adw_style_manager_get_dark(adw_style_manager_get_default()) ? &lac_palette_dark
                                                                     : &lac_palette_light;
}

LacColour
lac_style_run_colour(guint run)
{
  /* as .run-letter in style.css */
  static const LacColour first[] = {{0.208F, 0.518F, 0.894F, 1}, {0.596F, 0.416F, 0.267F, 1}};
  G_STATIC_ASSERT(G_N_ELEMENTS(lac_palette_light.series) == LAC_STYLE_RUN_COLOURS);
  run %= LAC_STYLE_RUN_COLOURS;
  return run < G_N_ELEMENTS(first) ? first[run] : lac_style_palette()->series[run];
}

LacPalette
lac_style_run_palette(void)
{
  LacPalette palette = *lac_style_palette();
  for (guint i = 0; i < G_N_ELEMENTS(palette.series); i++)
    palette.series[i] = lac_style_run_colour(i);
  return palette;
}

void
lac_label_keep_number(GtkLabel *label)
{
  if (gtk_widget_get_default_direction() == GTK_TEXT_DIR_LTR)
    return;
  gtk_widget_set_direction(GTK_WIDGET(label), GTK_TEXT_DIR_LTR);
  gtk_label_set_xalign(label, 1 - gtk_label_get_xalign(label));
}

LacColour
lac_style_backdrop(void)
{
  return adw_style_manager_get_dark(adw_style_manager_get_default())
           ? (LacColour){0.22F, 0.22F, 0.22F, 1}
           : (LacColour){0.80F, 0.80F, 0.80F, 1};
}

LacColour
lac_style_wrong(void)
{
  return adw_style_manager_get_dark(adw_style_manager_get_default())
           ? (LacColour){1, 0.48F, 0.39F, 1}
           : (LacColour){0.75F, 0.11F, 0.16F, 1};
}

LacColour
lac_style_good(void)
{
  return adw_style_manager_get_dark(adw_style_manager_get_default())
           ? (LacColour){0.56F, 0.94F, 0.64F, 1}
           : (LacColour){0.11F, 0.52F, 0.33F, 1};
}

LacColour
lac_style_card(void)
{
  return adw_style_manager_get_dark(adw_style_manager_get_default())
           ? (LacColour){0.21F, 0.21F, 0.21F, 1}
           : (LacColour){1, 1, 1, 1};
}

void
lac_style_follow(GtkWidget *widget)
{
  AdwStyleManager *manager = adw_style_manager_get_default();
  g_signal_connect_object(manager, "notify::dark", G_CALLBACK(gtk_widget_queue_draw), widget,
                          G_CONNECT_SWAPPED);
  g_signal_connect_object(manager, "notify::high-contrast", G_CALLBACK(gtk_widget_queue_draw),
                          widget, G_CONNECT_SWAPPED);
  lac_style_follow_units(widget, gtk_widget_queue_draw);
}

void
lac_style_follow_units(GtkWidget *widget, void (*show)(GtkWidget *widget))
{
  GSettings *settings = lac_preferences_get();
  for (LacDimension i = 0; i < LAC_N_DIMENSIONS && settings != NULL; i++) {
    g_autofree char *key = lac_preferences_dup_unit_key(i);
    g_autofree char *signal = g_strconcat("changed::", key, NULL);
    g_signal_connect_object(settings, signal, G_CALLBACK(show), widget, G_CONNECT_SWAPPED);
  }
}
