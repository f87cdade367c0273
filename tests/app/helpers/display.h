/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A display for the tests of the window: GTK, libadwaita and the resources, or a named test failure; and a limit on
 * waiting. */
#pragma once

#include "lacuna-resources.h"

#include <adwaita.h>

#include <stdlib.h>

/* Returns: FALSE with the test failed if there is no display. */
static inline gboolean
display_open(void)
{
  static gboolean opened = FALSE;
  if (opened)
    return TRUE;
  if (!gtk_init_check()) {
    g_test_fail_printf("there is no display: tests/app/on-display.sh gives this program one");
    return FALSE;
  }
  adw_init();
  lac_register_resource();
  GtkCssProvider *style = gtk_css_provider_new();
  gtk_css_provider_load_from_resource(style, "/io/github/lacuna/Lacuna/style.css");
  gtk_style_context_add_provider_for_display(gdk_display_get_default(), GTK_STYLE_PROVIDER(style),
                                             GTK_STYLE_PROVIDER_PRIORITY_APPLICATION);
  g_object_unref(style);
  g_object_set(gtk_settings_get_default(), "gtk-enable-animations", FALSE, NULL);
  opened = TRUE;
  return TRUE;
}

static inline gboolean
display_on_late(gpointer user_data)
{
  g_error("waited too long");
  return G_SOURCE_REMOVE;
}

/* Limits waiting to a minute, times LACUNA_TEST_PATIENCE. Returns: a source to remove once the wait is over. */
static inline guint
display_limit_wait(void)
{
  const char *patience = g_getenv("LACUNA_TEST_PATIENCE");
  return g_timeout_add_seconds(60 * (patience != NULL ? (guint) atoi(patience) : 1),
                               display_on_late, NULL);
}
