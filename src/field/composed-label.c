/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Composed labels are recognised for translation by their prefix and suffix. */
#include "field/composed-label.h"

#include <glib/gi18n-lib.h>

#include <string.h>

static const char *const forms[LAC_N_COMPOSED_LABELS] = {
  [LAC_LABEL_LOSS_OF] = N_("Loss: %s"),
  [LAC_LABEL_FOUND] = N_("Found: %s"),
  [LAC_LABEL_WIDTH_OF] = N_("Change of %s that doubles the loss"),
};

static const char *
put(const char *form, const char *name)
{
  g_autoptr(GString) label = g_string_new(form);

  g_string_replace(label, "%s", name, 1);
  return g_intern_string(label->str);
}

const char *
lac_composed_label(LacComposedLabel kind, const char *name)
{
  g_return_val_if_fail(kind < LAC_N_COMPOSED_LABELS && name != NULL, NULL);
  return put(forms[kind], name);
}

const char *
lac_label_translate(const char *label)
{
  g_return_val_if_fail(label != NULL, NULL);
  const gsize length = strlen(label);

  for (gsize i = 0; i < LAC_N_COMPOSED_LABELS; i++) {
    const gsize before = (gsize) (strstr(forms[i], "%s") - forms[i]);
    const char *end = forms[i] + before + strlen("%s");
    const gsize after = strlen(end);

    if (length > before + after && strncmp(label, forms[i], before) == 0 &&
        g_str_has_suffix(label, end)) {
      g_autofree char *name = g_strndup(label + before, length - before - after);

      return put(g_dgettext(GETTEXT_PACKAGE, forms[i]), name);
    }
  }
  return *label == '\0' ? "" : g_dgettext(GETTEXT_PACKAGE, label);
}
