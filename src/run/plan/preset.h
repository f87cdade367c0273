/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Settings under a name, for one experiment: those that come with the program, and a person's own. Each is a file of YAML as
 * run/plan/yaml.h reads it; of a person's own, in a folder of its experiment, the name of the file is the name. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_PRESET_NAME_MOST 80 /* characters of a name */

typedef struct {
  char    *name; /* of one of the program: translatable */
  char    *path;
  gboolean is_own; /* a person's own can be renamed and deleted */
} LacPreset;

void lac_preset_free(LacPreset *preset);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPreset, lac_preset_free)

/* Returns: (transfer full): of LacPreset: those of the program, then a person's own, each by name. */
GPtrArray *lac_presets_list(const char *experiment);

/* Returns: (transfer full): %NULL with %LAC_ERROR_UNKNOWN_KEY, listing the names there are. */
LacPreset *lac_preset_find(const char *experiment, const char *name, GError **error);

/* Writes @text as a person's own, in the place of one of that name. Returns: FALSE with %LAC_ERROR_USAGE where @name is no
 * name, with %LAC_ERROR_UNWRITABLE. */
gboolean
lac_preset_save(const char *experiment, const char *name, const char *text, GError **error);

/* Of a person's own. Returns: FALSE with an error where there is one of the new name. */
gboolean
lac_preset_rename(const char *experiment, const char *from, const char *to, GError **error);

/* Of a person's own. Returns: (transfer full): the text it had: lac_preset_save() brings it back; %NULL with an error. */
char *lac_preset_delete(const char *experiment, const char *name, GError **error);

G_END_DECLS
