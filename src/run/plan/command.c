/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings as the options of `lacuna run`; those at their defaults are left out. */
#include "run/plan/command.h"

#include "base/error.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

#include <string.h>

/* Quotes only what a shell could change, so that the usual line reads as if typed. */
static void
add_word(GString *line, const char *word)
{
  static const char plain[] =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_=,.:/+-";

  g_string_append_c(line, ' ');
  if (*word != '\0' && strspn(word, plain) == strlen(word)) {
    g_string_append(line, word);
    return;
  }
  g_autofree char *quoted = g_shell_quote(word);
  g_string_append(line, quoted);
}

static void
add_settings(GString *line, const LacDraft *draft)
{
  const LacParamTable *table = lac_draft_get_table(draft);

  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam *row = &table->rows[i];

    if (lac_draft_is_default(draft, row))
      continue;
    g_autofree char *text = lac_draft_dup_text(draft, row);
    g_autofree char *word = g_strconcat(row->key, "=", text != NULL ? text : "", NULL);
    add_word(line, "--set");
    add_word(line, word);
  }
}

static void
add_launch(GString *line, const LacRunSettings *settings, const char *sweep)
{
  g_auto(LacLaunch) launch = {0};

  lac_launch_take(&launch, settings, sweep);
  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    const char *text = launch.stated[i];

    /* threads are always stated: their default here is not that of the command line */
    if (text == NULL || *text == '\0' ||
        (i != LAC_LAUNCH_THREADS && lac_launch_is_usual(&launch, (LacLaunchKey) i)))
      continue;
    g_autofree char *option = g_strconcat("--", lac_launch_get_option((LacLaunchKey) i), NULL);
    add_word(line, option);
    add_word(line, text);
  }
}

char *
lac_command_dup_line(const LacRunSettings *settings, const char *sweep, GError **error)
{
  g_return_val_if_fail(settings->experiment != NULL && settings->draft != NULL, NULL);
  gsize                       n;
  const LacExperiment *const *all = lac_experiments(&n);
  GString                    *line;
  gboolean                    is_known = FALSE;

  for (gsize i = 0; i < n; i++)
    is_known |= all[i] == settings->experiment;
  if (!is_known) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
                _("The equation of %s comes from a file. Export the set-up, and run the file."),
                settings->experiment->name);
    return NULL;
  }
  line = g_string_new("lacuna run");
  add_word(line, settings->experiment->name);
  add_settings(line, settings->draft);
  add_launch(line, settings, sweep);
  return g_string_free(line, FALSE);
}
