/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Presets as files. */
#include "run/plan/preset.h"

#include "base/data-folder.h"
#include "base/error.h"

#include <glib/gi18n-lib.h>
#include <glib/gstdio.h>

#include <errno.h>
#include <string.h>

#define ENDING ".yaml"

static const struct {
  const char *experiment, *file, *name;
} shipped[] = {
  {"h2", "h2-quick.yaml", N_("Quick look")},
  {"h2", "h2-stretched.yaml", N_("Stretched")},
  {"kolmogorov", "kolmogorov-noisy.yaml", N_("Few, noisy sensors")},
  {"kolmogorov", "kolmogorov-quick.yaml", N_("Quick look")},
  {"kolmogorov", "kolmogorov-viscosity.yaml", N_("Unknown viscosity")},
  {"usaf", "usaf-faulty.yaml", N_("Displaced apertures")},
  {"usaf", "usaf-quick.yaml", N_("Quick look")},
};

void
lac_preset_free(LacPreset *preset)
{
  if (preset == NULL)
    return;
  g_free(preset->name);
  g_free(preset->path);
  g_free(preset);
}

static char *
dup_own_folder(const char *experiment)
{
  return g_build_filename(g_get_user_data_dir(), "lacuna", "presets", experiment, NULL);
}

/* Returns the path of a user preset; characters that are invalid in file names are written as %2F. */
static char *
dup_own_path(const char *experiment, const char *name)
{
  g_autofree char *folder = dup_own_folder(experiment);
  g_autofree char *escaped = g_uri_escape_string(name, " !'()+,;=@&", TRUE);
  g_autofree char *file = g_strconcat(*escaped == '.' ? "%2E" : "",
                                      *escaped == '.' ? escaped + 1 : escaped, ENDING, NULL);

  return g_build_filename(folder, file, NULL);
}

static gboolean
check_name(const char *name, GError **error)
{
  g_autofree char *bare = g_strstrip(g_strdup(name));

  if (*bare != '\0' && g_utf8_validate(name, -1, NULL) &&
      g_utf8_strlen(name, -1) <= LAC_PRESET_NAME_MOST && strchr(name, '\n') == NULL)
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
              "a preset needs a name, on one line and of at most %d characters",
              LAC_PRESET_NAME_MOST);
  return FALSE;
}

static int
compare_names(gconstpointer a, gconstpointer b)
{
  const LacPreset *const *left = a, *const *right = b;

  return g_utf8_collate((*left)->name, (*right)->name);
}

static void
list_shipped(const char *experiment, GPtrArray *presets)
{
  g_autofree char *folder = lac_data_folder("lacuna/presets", "data/presets");

  for (gsize i = 0; folder != NULL && i < G_N_ELEMENTS(shipped); i++) {
    if (!g_str_equal(shipped[i].experiment, experiment))
      continue;
    LacPreset *preset = g_new0(LacPreset, 1);
    preset->name = g_strdup(shipped[i].name);
    preset->path = g_build_filename(folder, shipped[i].file, NULL);
    g_ptr_array_add(presets, preset);
  }
}

static void
list_own(const char *experiment, GPtrArray *presets)
{
  g_autofree char     *folder = dup_own_folder(experiment);
  g_autoptr(GDir)      dir = g_dir_open(folder, 0, NULL);
  g_autoptr(GPtrArray) found = g_ptr_array_new();
  const char          *file;

  while (dir != NULL && (file = g_dir_read_name(dir)) != NULL) {
    if (!g_str_has_suffix(file, ENDING) || *file == '.')
      continue;
    g_autofree char *bare = g_strndup(file, strlen(file) - strlen(ENDING));
    char            *name = g_uri_unescape_string(bare, NULL);
    LacPreset       *preset = g_new0(LacPreset, 1);
    *preset = (LacPreset){name != NULL ? name : g_utf8_make_valid(bare, -1),
                          g_build_filename(folder, file, NULL), TRUE};
    g_ptr_array_add(found, preset);
  }
  g_ptr_array_sort(found, compare_names);
  g_ptr_array_extend(presets, found, NULL, NULL);
}

GPtrArray *
lac_presets_list(const char *experiment)
{
  GPtrArray *presets = g_ptr_array_new_with_free_func((GDestroyNotify) lac_preset_free);

  list_shipped(experiment, presets);
  list_own(experiment, presets);
  return presets;
}

/* User presets take precedence over built-in ones of the same name. */
LacPreset *
lac_preset_find(const char *experiment, const char *name, GError **error)
{
  g_autoptr(GPtrArray) presets = lac_presets_list(experiment);
  GString             *names = g_string_new(NULL);

  for (guint i = presets->len; i-- > 0;) {
    const LacPreset *preset = g_ptr_array_index(presets, i);
    if (g_str_equal(preset->name, name)) {
      g_string_free(names, TRUE);
      return g_ptr_array_steal_index(presets, i);
    }
    g_string_append_printf(names, "%s“%s”", names->len > 0 ? ", " : "", preset->name);
  }
  if (names->len > 0)
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY, "%s has no preset “%s”; there are %s",
                experiment, name, names->str);
  else
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY, "%s has no presets", experiment);
  g_string_free(names, TRUE);
  return NULL;
}

static gboolean
refuse_file(const char *path, GError **error)
{
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "%s cannot be written: %s", path,
              g_strerror(errno));
  return FALSE;
}

gboolean
lac_preset_save(const char *experiment, const char *name, const char *text, GError **error)
{
  if (!check_name(name, error))
    return FALSE;
  g_autofree char  *path = dup_own_path(experiment, name);
  g_autofree char  *folder = g_path_get_dirname(path);
  g_autoptr(GError) why = NULL;

  if (g_mkdir_with_parents(folder, 0777) != 0)
    return refuse_file(folder, error);
  if (g_file_set_contents(path, text, -1, &why))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "%s cannot be written: %s", path,
              why->message);
  return FALSE;
}

gboolean
lac_preset_rename(const char *experiment, const char *from, const char *to, GError **error)
{
  if (!check_name(to, error))
    return FALSE;
  g_autofree char *old_path = dup_own_path(experiment, from);
  g_autofree char *new_path = dup_own_path(experiment, to);

  if (g_str_equal(from, to))
    return TRUE;
  if (g_file_test(new_path, G_FILE_TEST_EXISTS)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "there is a preset “%s” already; choose another name", to);
    return FALSE;
  }
  return g_rename(old_path, new_path) == 0 || refuse_file(new_path, error);
}

char *
lac_preset_delete(const char *experiment, const char *name, GError **error)
{
  g_autofree char  *path = dup_own_path(experiment, name), *text = NULL;
  g_autoptr(GError) why = NULL;

  if (!g_file_get_contents(path, &text, NULL, &why)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE, "%s cannot be read: %s", path, why->message);
    return NULL;
  }
  if (g_unlink(path) != 0) {
    refuse_file(path, error);
    return NULL;
  }
  return g_steal_pointer(&text);
}
