/* SPDX-License-Identifier: GPL-3.0-or-later */
/* In a language with longer words every page still fits the smallest window: uses the pseudo-language of
 * po/pseudo.py. */
#include "app/benchmarks/page.h"
#include "app/helpers/display.h"
#include "app/live/page.h"
#include "app/runs/compare-page.h"
#include "app/runs/folder-page.h"
#include "app/setup/gallery-page.h"
#include "app/setup/page.h"
#include "app/shell/fallback-banner.h"
#include "app/timeline/page.h"
#include "helpers/missing.h"

#include <libintl.h>
#include <locale.h>

#define SMALLEST 1024 /* logical pixels */

/* Prints the widget that determines the width, and its ancestors. */
static void
tell_widest(GtkWidget *widget, int least)
{
  int minimum;
  gtk_widget_measure(widget, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
  if (minimum < least)
    return;
  g_test_message("%s: %d%s%s", G_OBJECT_TYPE_NAME(widget), minimum,
                 GTK_IS_LABEL(widget) ? ", " : "",
                 GTK_IS_LABEL(widget) ? gtk_label_get_text(GTK_LABEL(widget)) : "");
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child))
    tell_widest(child, minimum / 3);
}

static void
test_pages_fit(void)
{
  if (!display_open())
    return;
  g_autofree char *words = g_build_filename(g_getenv("LACUNA_BUILD_ROOT"), "po", NULL);
  g_setenv("LANGUAGE", "pseudo", TRUE);
  if (setlocale(LC_ALL, "de_DE.UTF-8") == NULL) { /* glibc 2.41 has no translations in C.UTF-8 */
    test_missing("locales");
    return;
  }
  setlocale(LC_NUMERIC, "C");
  bindtextdomain("lacuna", words);
  bind_textdomain_codeset("lacuna", "UTF-8");
  textdomain("lacuna");
  g_assert_cmpstr(gettext("Experiments"), !=, "Experiments"); /* the translation is active */

  GType types[] = {LAC_TYPE_GALLERY_PAGE,    LAC_TYPE_SETUP_PAGE,     LAC_TYPE_LIVE_PAGE,
                   LAC_TYPE_TIMELINE_PAGE,   LAC_TYPE_FOLDER_PAGE,    LAC_TYPE_COMPARE_PAGE,
                   LAC_TYPE_FALLBACK_BANNER, LAC_TYPE_BENCHMARKS_PAGE};
  for (gsize i = 0; i < G_N_ELEMENTS(types); i++) {
    GtkWidget *page = g_object_ref_sink(GTK_WIDGET(g_object_new(types[i], NULL)));
    int        minimum;
    gtk_widget_measure(page, GTK_ORIENTATION_HORIZONTAL, -1, &minimum, NULL, NULL, NULL);
    g_test_message("%s: %d", g_type_name(types[i]), minimum);
    if (minimum > SMALLEST) {
      tell_widest(page, minimum / 3);
      g_test_fail_printf("%s needs %d pixels", g_type_name(types[i]), minimum);
    }
    g_assert_finalize_object(page);
  }
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/app/long-words/every-page-fits-the-smallest-window", test_pages_fit);
  return g_test_run();
}
