/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Named settings of one experiment: built-in presets and the user's own. Each is a YAML file as read by
 * run/plan/yaml.h; the user's presets are in one folder per experiment, with the preset's name as file name. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_PRESET_NAME_MOST 80 /* in characters */

typedef struct {
  char    *name; /* translatable if built in */
  char    *path;
  gboolean is_own; /* the user's: can be renamed and deleted */
} LacPreset;

void lac_preset_free(LacPreset *preset);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacPreset, lac_preset_free)

/* Returns: (transfer full): array of LacPreset: the built-in ones, then the user's, each sorted by name. */
GPtrArray *lac_presets_list(const char *experiment);

/* Returns: (transfer full): %NULL with %LAC_ERROR_UNKNOWN_KEY, listing the existing names. */
LacPreset *lac_preset_find(const char *experiment, const char *name, GError **error);

/* Saves @text as a user preset, replacing an existing one of that name. Returns: FALSE with %LAC_ERROR_USAGE if @name
 * is not a valid name, or with %LAC_ERROR_UNWRITABLE. */
gboolean
lac_preset_save(const char *experiment, const char *name, const char *text, GError **error);

/* Renames a user preset. Returns: FALSE with an error if the new name exists. */
gboolean
lac_preset_rename(const char *experiment, const char *from, const char *to, GError **error);

/* Deletes a user preset. Returns: (transfer full): its text, which lac_preset_save() restores; %NULL with an error. */
char *lac_preset_delete(const char *experiment, const char *name, GError **error);

G_END_DECLS
