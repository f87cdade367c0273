/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The schema is found installed, or beside a program that was not; without it the window works and forgets. */
#include "app/preferences.h"

#include "base/data-folder.h"
#include "run/core/budget.h"
#include "run/plan/launch-options.h"

#define KEY "lac-preferences"

static GSettingsSchema *
find_schema(void)
{
  g_autofree char           *folder = lac_data_folder("glib-2.0/schemas", "data");
  g_autoptr(GSettingsSchema) schema = NULL;
  GSettingsSchemaSource     *above = g_settings_schema_source_get_default();
  GSettingsSchemaSource     *source =
    folder == NULL ? NULL : g_settings_schema_source_new_from_directory(folder, above, TRUE, NULL);
  if (source != NULL) {
    schema = g_settings_schema_source_lookup(source, LAC_PREFERENCES_SCHEMA, TRUE);
    g_settings_schema_source_unref(source);
  } else if (above != NULL) {
    schema = g_settings_schema_source_lookup(above, LAC_PREFERENCES_SCHEMA, TRUE);
  }
  return g_steal_pointer(&schema);
}

GSettings *
lac_preferences_get(void)
{
  GApplication *application = g_application_get_default();
  if (application == NULL)
    return NULL;
  GSettings *settings = g_object_get_data(G_OBJECT(application), KEY);
  if (settings != NULL)
    return settings;
  g_autoptr(GSettingsSchema) schema = find_schema();
  if (schema == NULL)
    return NULL;
  settings = g_settings_new_full(schema, NULL, NULL);
  g_object_set_data_full(G_OBJECT(application), KEY, settings, g_object_unref);
  return settings;
}

static void
on_closed(GtkWindow *window, GSettings *settings)
{
  int width, height;
  gtk_window_get_default_size(window, &width, &height);
  g_settings_set_boolean(settings, "window-maximized", gtk_window_is_maximized(window));
  g_settings_set_int(settings, "window-width", MAX(width, 900));
  g_settings_set_int(settings, "window-height", MAX(height, 560));
}

void
lac_preferences_follow_window(GtkWindow *window)
{
  GSettings *settings = lac_preferences_get();
  if (settings == NULL)
    return;
  gtk_window_set_default_size(window, g_settings_get_int(settings, "window-width"),
                              g_settings_get_int(settings, "window-height"));
  if (g_settings_get_boolean(settings, "window-maximized"))
    gtk_window_maximize(window);
  g_signal_connect_object(window, "unrealize", G_CALLBACK(on_closed), settings, 0);
}

static void
on_style(GSettings *settings)
{
  g_autofree char *style = g_settings_get_string(settings, "colour-style");
  adw_style_manager_set_color_scheme(adw_style_manager_get_default(),
                                     g_str_equal(style, "light")  ? ADW_COLOR_SCHEME_FORCE_LIGHT
                                     : g_str_equal(style, "dark") ? ADW_COLOR_SCHEME_FORCE_DARK
                                                                  : ADW_COLOR_SCHEME_DEFAULT);
}

void
lac_preferences_follow_style(void)
{
  GSettings *settings = lac_preferences_get();
  if (settings == NULL)
    return;
  g_signal_connect(settings, "changed::colour-style", G_CALLBACK(on_style), NULL);
  on_style(settings);
}

char *
lac_preferences_dup_unit_key(LacDimension dimension)
{
  return g_strconcat("unit-of-", lac_dimension_key(dimension), NULL);
}

static void
on_unit(GSettings *settings, const char *key)
{
  g_autofree char *unit = g_settings_get_string(settings, key);
  lac_unit_prefer(unit);
}

void
lac_preferences_follow_units(void)
{
  GSettings *settings = lac_preferences_get();
  for (LacDimension i = 0; i < LAC_N_DIMENSIONS && settings != NULL; i++) {
    g_autofree char *key = lac_preferences_dup_unit_key(i);
    g_autofree char *signal = g_strconcat("changed::", key, NULL);
    g_signal_connect(settings, signal, G_CALLBACK(on_unit), NULL);
    on_unit(settings, key);
  }
}

char *
lac_preferences_dup_run_folder(void)
{
  GSettings       *settings = lac_preferences_get();
  g_autofree char *folder = settings == NULL ? NULL : g_settings_get_string(settings, "run-folder");
  return folder == NULL || *folder == '\0' ? NULL : g_steal_pointer(&folder);
}

guint64
lac_preferences_get_disk_budget(void)
{
  GSettings *settings = lac_preferences_get();
  if (settings == NULL)
    return LAC_DISK_BUDGET_DEFAULT;
  int megabytes = g_settings_get_int(settings, "disk-budget");
  return megabytes == 0 ? G_MAXUINT64 : (guint64) megabytes * 1000000;
}

/* What a device has nothing to do in is not asked of it because it is the usual one. */
static gboolean
is_for_device(const LacExperiment *experiment, const LacDraft *draft)
{
  return experiment == NULL || draft == NULL ||
         lac_experiment_uses_device(experiment, lac_draft_get_values(draft), NULL);
}

LacDraft *
lac_preferences_new_launch(const LacExperiment *experiment, const LacDraft *draft)
{
  LacDraft  *launch = lac_draft_new(lac_launch_params());
  GSettings *settings = lac_preferences_get();
  if (settings == NULL)
    return launch;
  g_autofree char *backend = g_settings_get_string(settings, "backend");
  int              threads = g_settings_get_int(settings, "threads");
  g_autofree char *text = g_strdup_printf("%d", threads);
  /* What this machine has not got is left at its default. */
  if (!g_str_has_prefix(backend, "cuda") || is_for_device(experiment, draft))
    lac_draft_set(launch, "backend", backend, NULL);
  if (threads > 0)
    lac_draft_set(launch, "threads", text, NULL);
  return launch;
}
