/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The program: opens the window without a verb, otherwise runs the verb. */
#include "base/data-folder.h"
#include "cli/verbs.h"

#ifdef LAC_HAVE_WINDOW
#  include "app/shell/application.h"
#endif

#include <libintl.h>
#include <locale.h>
#include <signal.h>

static const LacVerb *const verbs[] = {
  &lac_verb_list,    &lac_verb_run,     &lac_verb_info,   &lac_verb_runs,
  &lac_verb_presets, &lac_verb_compare, &lac_verb_report, &lac_verb_figure,
  &lac_verb_profile, &lac_verb_trace,   &lac_verb_export, &lac_verb_export_sensors,
  &lac_verb_devices, &lac_verb_bench,
};

static void
print_help(void)
{
  g_print("Lacuna reconstructs flow fields, images and wavefunctions.\n\n  %-46s %s\n", "lacuna",
          "open the window");
  for (gsize i = 0; i < G_N_ELEMENTS(verbs); i++) {
    g_autofree char *form = g_strdup_printf("lacuna %s %s", verbs[i]->name, verbs[i]->usage);
    g_print("  %-46s %s\n", form, verbs[i]->summary);
  }
  g_print("\nlacuna VERB --help lists the options of a verb. Exit status: 0 finished, 1 failed, 2 "
          "bad usage or bad input,\n3 diverged, 130 interrupted (after a checkpoint).\n");
}

static int
open_window(int argc, char **argv)
{
#ifdef LAC_HAVE_WINDOW
  if (g_getenv("DISPLAY") != NULL || g_getenv("WAYLAND_DISPLAY") != NULL)
    return lac_app_run(argc, argv);
  g_printerr("lacuna: no display for the window; lacuna run kolmogorov works without one; see "
             "lacuna --help\n");
#else
  g_printerr("lacuna: this build has no window; lacuna run kolmogorov works without one; see "
             "lacuna --help\n");
#endif
  return LAC_EXIT_FAILED;
}

static void
speak_the_language(void)
{
  setlocale(LC_ALL, "");
  setlocale(LC_NUMERIC,
            "C"); /* the same number format in every locale, so that printed numbers can be typed */
  g_autofree char *folder = lac_data_folder("locale", "po");
  if (folder == NULL)
    return;
  bindtextdomain(GETTEXT_PACKAGE, folder);
  bind_textdomain_codeset(GETTEXT_PACKAGE, "UTF-8");
  textdomain(GETTEXT_PACKAGE); /* used by ngettext() */
}

int
main(int argc, char **argv)
{
  speak_the_language();
  signal(SIGXFSZ,
         SIG_IGN); /* reaching the file size limit is an error instead of ending the program */
  if (argc == 1)
    return open_window(argc, argv);
  for (gsize i = 0; i < G_N_ELEMENTS(verbs); i++)
    if (g_str_equal(argv[1], verbs[i]->name))
      return verbs[i]->run(argc - 1, argv + 1);
  if (g_str_equal(argv[1], "--help") || g_str_equal(argv[1], "-h") ||
      g_str_equal(argv[1], "help")) {
    print_help();
    return LAC_EXIT_FINISHED;
  }
  if (g_str_equal(argv[1], "--version")) {
    g_print("Lacuna %s\n", LAC_VERSION);
    return LAC_EXIT_FINISHED;
  }
  if (argv[1][0] == '-' || g_file_test(argv[1], G_FILE_TEST_EXISTS))
    return open_window(argc, argv); /* options and files for the window */
  g_printerr("lacuna: %s is not a verb; lacuna --help lists them\n", argv[1]);
  return LAC_EXIT_USAGE;
}
