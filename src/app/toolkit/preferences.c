/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The preferences. The schema is used as installed, or from beside an uninstalled program; without it settings are
 * not saved. Changes take effect at once; those about runs with the next run. */
#include "app/toolkit/preferences.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/device-note.h"
#include "base/data-folder.h"
#include "base/pool.h"
#include "run/core/budget.h"
#include "run/core/run.h"
#include "run/plan/launch-options.h"

#include <glib/gi18n-lib.h>

/* ---- the settings ---- */

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

/* Returns TRUE unless the installed schema is older and lacks the key. */
static gboolean
has_key(GSettings *settings, const char *key)
{
  g_autoptr(GSettingsSchema) schema = NULL;
  if (settings != NULL)
    g_object_get(settings, "settings-schema", &schema, NULL);
  return schema != NULL && g_settings_schema_has_key(schema, key);
}

#define QUEUE_DEVICES "queue-devices"

char *
lac_preferences_dup_queue_devices(void)
{
  GSettings       *settings = lac_preferences_get();
  g_autofree char *devices =
    has_key(settings, QUEUE_DEVICES) ? g_settings_get_string(settings, QUEUE_DEVICES) : NULL;
  return devices == NULL || g_str_equal(devices, "one") ? NULL : g_steal_pointer(&devices);
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

/* Returns TRUE if the run has work for a GPU; else the preferred GPU is not used. */
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
  /* A backend that this machine lacks stays at the default. */
  if (!g_str_has_prefix(backend, "cuda") || is_for_device(experiment, draft))
    lac_draft_set(launch, "backend", backend, NULL);
  if (threads > 0)
    lac_draft_set(launch, "threads", text, NULL);
  return launch;
}

/* ---- the window: rows bound to the settings ---- */

typedef struct {
  const char *value, *title; /* title: translatable */
} Choice;

static const Choice styles[] = {
  {"system", N_("Follow system")},
  {"light", N_("Light")},
  {"dark", N_("Dark")},
  {NULL, NULL},
};

static const Choice queue_devices[] = {
  {"one", N_("One at a time")},
  {"all", N_("One on each GPU")},
  {"cpu,cpu", N_("Two on the processor")},
  {NULL, NULL},
};

static const Choice backends[] = {
  {"auto", N_("Fastest available")},
  {"cpu", N_("Processor")},
  {"cuda", N_("NVIDIA GPU")},
};

static gboolean
value_to_index(GValue *index, GVariant *value, gpointer choices)
{
  for (const Choice *choice = choices; choice->value != NULL; choice++)
    if (g_str_equal(choice->value, g_variant_get_string(value, NULL)))
      g_value_set_uint(index, (guint) (choice - (const Choice *) choices));
  return TRUE;
}

static GVariant *
index_to_value(const GValue *index, const GVariantType *type, gpointer choices)
{
  return g_variant_new_string(((const Choice *) choices)[g_value_get_uint(index)].value);
}

static GtkWidget *
make_choice(GSettings *settings, const char *key, const char *title, const Choice *choices)
{
  GtkWidget               *row = adw_combo_row_new();
  g_autoptr(GtkStringList) list = gtk_string_list_new(NULL);
  for (const Choice *choice = choices; choice->value != NULL; choice++)
    gtk_string_list_append(list, _(choice->title));
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), title);
  adw_combo_row_set_model(ADW_COMBO_ROW(row), G_LIST_MODEL(list));
  g_settings_bind_with_mapping(settings, key, row, "selected", G_SETTINGS_BIND_DEFAULT,
                               value_to_index, index_to_value, (gpointer) choices, NULL);
  return row;
}

/* Returns: a row that selects among the units of @dimension; it owns the choices */
static GtkWidget *
make_unit(GSettings *settings, LacDimension dimension)
{
  gsize            n, n_choices = 0;
  const LacUnit   *units = lac_units(&n);
  Choice          *choices = g_new0(Choice, n + 1);
  g_autofree char *key = lac_preferences_dup_unit_key(dimension);
  for (gsize i = 0; i < n; i++)
    if (units[i].dimension == dimension && units[i].is_offered)
      choices[n_choices++] = (Choice){units[i].key, units[i].title};
  GtkWidget *row = make_choice(settings, key, _(lac_dimension_title(dimension)), choices);
  g_object_set_data_full(G_OBJECT(row), "choices", choices, g_free);
  return row;
}

typedef struct {
  const char *key, *title, *subtitle; /* translatable, except the key */
  double      most, step;
} Number;

static GtkWidget *
make_number(GSettings *settings, const Number *about)
{
  GtkWidget *row = adw_action_row_new();
  GtkWidget *number = gtk_spin_button_new_with_range(0, about->most, about->step);
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), _(about->title));
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row), _(about->subtitle));
  gtk_widget_set_valign(number, GTK_ALIGN_CENTER);
  lac_accessible_name(number, _(about->title));
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), number);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), number);
  g_settings_bind(settings, about->key, number, "value", G_SETTINGS_BIND_DEFAULT);
  return row;
}

/* Returns the backends including further GPUs by number; static for the process. */
static const Choice *
dup_backends(void)
{
  const guint n_cards = lac_device_count_cards();
  GArray     *choices = g_array_new(TRUE, TRUE, sizeof(Choice));
  g_array_append_vals(choices, backends, G_N_ELEMENTS(backends));
  for (guint number = 1; number < n_cards; number++) {
    Choice choice = {g_strdup_printf("cuda:%u", number),
                     g_strdup_printf(_("NVIDIA GPU %u"), number)};
    g_array_append_val(choices, choice);
  }
  return (const Choice *) (gpointer) g_array_free(choices, FALSE);
}

static void
show_device(AdwActionRow *row, LacDeviceNote *device)
{
  g_autofree char *words = lac_device_note_dup_words(device);
  g_autofree char *shown = g_markup_escape_text(words, -1);
  adw_action_row_set_subtitle(row, shown);
}

/* Returns a row with the backends available here. */
static GtkWidget *
make_backend(GSettings *settings)
{
  static const Choice *choices = NULL;
  if (choices == NULL)
    choices = dup_backends();
  GtkWidget     *row = make_choice(settings, "backend", _("Computed by"), choices);
  LacDeviceNote *device = lac_device_note_new();
  g_object_set_data_full(G_OBJECT(row), "device", device, g_object_unref);
  g_signal_connect_object(device, "changed", G_CALLBACK(show_device), row, G_CONNECT_SWAPPED);
  show_device(ADW_ACTION_ROW(row), device);
  lac_device_note_query(device);
  return row;
}

static GtkWidget *
make_queue_devices(GSettings *settings)
{
  GtkWidget *row = make_choice(settings, QUEUE_DEVICES, _("Queued runs"), queue_devices);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row),
                              _("With fewer than two GPUs, “one on each” is one at a time"));
  return row;
}

static GtkWidget *
make_threads(GSettings *settings)
{
  const Number about = {"threads", lac_launch_row(LAC_LAUNCH_THREADS)->param.label,
                        N_("0: one fewer than the number of cores, to keep the window responsive"),
                        MAX(lac_pool_available(), 1), 1};
  return make_number(settings, &about);
}

static GtkWidget *
make_disk_budget(GSettings *settings)
{
  const LacParam *budget = &lac_launch_row(LAC_LAUNCH_DISK_BUDGET)->param;
  const Number    about = {"disk-budget", budget->label, budget->help, 10000000, 250};
  return make_number(settings, &about);
}

static void
show_folder(GSettings *settings, const char *key, AdwActionRow *row)
{
  g_autofree char *chosen = lac_preferences_dup_run_folder();
  g_autofree char *fallback = chosen == NULL ? lac_run_dup_default_folder() : NULL;
  adw_action_row_set_subtitle(row, chosen != NULL ? chosen : fallback);
}

static void
on_folder(GtkNativeDialog *chooser, int response, GSettings *settings)
{
  g_autoptr(GFile) folder = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(chooser));
  g_autofree char *path =
    response == GTK_RESPONSE_ACCEPT && folder != NULL ? g_file_get_path(folder) : NULL;
  if (path != NULL)
    g_settings_set_string(settings, "run-folder", path);
  g_object_unref(chooser);
}

static void
on_choose_folder(GtkWidget *button, GSettings *settings)
{
  GtkWindow            *window = GTK_WINDOW(gtk_widget_get_root(button));
  GtkFileChooserNative *chooser = gtk_file_chooser_native_new(
    _("Runs Folder"), window, GTK_FILE_CHOOSER_ACTION_SELECT_FOLDER, _("_Choose"), _("_Cancel"));
  g_signal_connect_object(chooser, "response", G_CALLBACK(on_folder), settings, 0);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(chooser));
}

static void
on_reset_folder(GtkWidget *button, GSettings *settings)
{
  g_settings_reset(settings, "run-folder");
}

static GtkWidget *
make_button(const char *icon, const char *words)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_set_tooltip_text(button, words);
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(button, "flat");
  lac_accessible_name(button, words);
  return button;
}

static GtkWidget *
make_folder(GSettings *settings)
{
  GtkWidget *row = adw_action_row_new();
  GtkWidget *choose = make_button("folder-open-symbolic", _("Choose a folder"));
  GtkWidget *reset = make_button("edit-undo-symbolic", _("Reset to default"));
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(row), _("Folder"));
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), reset);
  adw_action_row_add_suffix(ADW_ACTION_ROW(row), choose);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(row), choose);
  g_signal_connect_object(choose, "clicked", G_CALLBACK(on_choose_folder), settings, 0);
  g_signal_connect_object(reset, "clicked", G_CALLBACK(on_reset_folder), settings, 0);
  g_signal_connect_object(settings, "changed::run-folder", G_CALLBACK(show_folder), row, 0);
  show_folder(settings, "run-folder", ADW_ACTION_ROW(row));
  return row;
}

static AdwPreferencesGroup *
add_group(AdwPreferencesPage *page, const char *title)
{
  AdwPreferencesGroup *group = ADW_PREFERENCES_GROUP(adw_preferences_group_new());
  adw_preferences_group_set_title(group, title);
  adw_preferences_page_add(page, group);
  return group;
}

void
lac_preferences_window_present(GtkWindow *parent)
{
  GSettings          *settings = lac_preferences_get();
  AdwPreferencesPage *page = ADW_PREFERENCES_PAGE(adw_preferences_page_new());
  GtkWidget *window = g_object_new(ADW_TYPE_PREFERENCES_WINDOW, "transient-for", parent, "title",
                                   _("Preferences"), "search-enabled", FALSE, NULL);
  AdwPreferencesGroup *runs = add_group(page, _("Runs"));
  adw_preferences_window_add(ADW_PREFERENCES_WINDOW(window), page);
  if (settings == NULL) {
    adw_preferences_group_set_description(
      runs, _("Settings cannot be saved: their GSettings schema is not installed."));
  } else {
    adw_preferences_group_add(runs, make_folder(settings));
    adw_preferences_group_add(runs, make_threads(settings));
    adw_preferences_group_add(runs, make_disk_budget(settings));
    adw_preferences_group_add(runs, make_backend(settings));
    if (has_key(settings, QUEUE_DEVICES))
      adw_preferences_group_add(runs, make_queue_devices(settings));
    adw_preferences_group_add(add_group(page, _("Appearance")),
                              make_choice(settings, "colour-style", _("Style"), styles));
    AdwPreferencesGroup *shown = add_group(page, _("Units"));
    adw_preferences_group_set_description(shown, _("Units of displayed values, also in figures and "
                                                   "reports. Data files keep their own units."));
    for (LacDimension i = 0; i < LAC_N_DIMENSIONS; i++)
      adw_preferences_group_add(shown, make_unit(settings, i));
  }
  gtk_window_present(GTK_WINDOW(window));
}

/* ---- the tour ---- */

#define TOUR_SEEN "tour-seen"

/* Returns: (nullable): NULL if settings are not available, or the installed schema is older and lacks the key. */
static GSettings *
get_tour_settings(void)
{
  GSettings *settings = lac_preferences_get();
  return has_key(settings, TOUR_SEEN) ? settings : NULL;
}

gboolean
lac_preferences_offers_tour(void)
{
  GSettings *settings = get_tour_settings();
  return settings != NULL && !g_settings_get_boolean(settings, TOUR_SEEN);
}

void
lac_preferences_end_tour_offer(void)
{
  GSettings *settings = get_tour_settings();
  if (settings != NULL)
    g_settings_set_boolean(settings, TOUR_SEEN, TRUE);
}
