/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The places of this machine. Another place is another row of the table. */
#include "app/setup/place-list.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/format.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define UNKNOWN "–"

typedef struct {
  const char *backend; /* value of the launch setting that chooses the place */
  const char *icon, *name;
  void (*ask)(const LacPlaceQuestion *question, LacPlaceAnswer *answer);
} LacPlace;

/* ---- what places say ---- */

static char *
dup_precision(const LacRunSettings *settings)
{
  const gboolean is_auto = g_str_equal(settings->precision, "auto");
  const char    *name = lac_experiment_find_precision(
       settings->experiment, lac_draft_get_values(settings->draft), settings->precision);
  const char *words = g_str_equal(name, "f64")   ? _("double precision")
                      : g_str_equal(name, "f32") ? _("single precision")
                                                 : name;
  /* Translators: a precision, which the experiment was tested with. */
  return is_auto ? g_strdup_printf(_("%s as tested"), words) : g_strdup(words);
}

static char *
dup_parts(const LacRunSettings *settings)
{
  g_autofree char *precision = dup_precision(settings);
  return g_strdup_printf(ngettext("%u thread, %s", "%u threads, %s", settings->threads),
                         settings->threads, precision);
}

static LacDeviceSetting
make_setting(const LacRunSettings *settings, const char *backend)
{
  return (LacDeviceSetting){settings->experiment, settings->draft, backend, settings->precision,
                            settings->threads};
}

static void
fill_cost(const LacPlaceQuestion *question, LacPlaceAnswer *answer)
{
  if (question->cost == NULL)
    return;
  answer->seconds = question->cost->seconds;
  answer->memory_bytes = question->cost->memory_bytes;
}

/* The processor, or the device if a timed step is faster on it; why there is none is in the row of the device. */
static void
ask_machine(const LacPlaceQuestion *question, LacPlaceAnswer *answer)
{
  LacDeviceSetting any = make_setting(question->settings, "auto");
  LacDeviceSetting device = make_setting(question->settings, "cuda");
  g_autofree char *parts = dup_parts(question->settings);
  g_autofree char *choice = lac_device_note_get_facts(question->device, &device) != NULL
                              ? lac_device_note_dup_choice(question->device, &any)
                              : NULL;
  answer->words = choice != NULL ? g_strdup_printf("%s. %s", parts, choice) : g_strdup(parts);
  fill_cost(question, answer);
}

static void
ask_processor(const LacPlaceQuestion *question, LacPlaceAnswer *answer)
{
  LacDeviceSetting setting = make_setting(question->settings, "cuda");
  answer->words = dup_parts(question->settings);
  answer->is_redundant = lac_device_note_get_facts(question->device, &setting) == NULL;
  fill_cost(question, answer);
}

static void
ask_device(const LacPlaceQuestion *question, LacPlaceAnswer *answer)
{
  LacDeviceSetting      setting = make_setting(question->settings, "cuda");
  const LacDeviceFacts *facts = lac_device_note_get_facts(question->device, &setting);
  g_autofree char      *precision = dup_precision(question->settings);
  g_autofree char *words = facts != NULL ? lac_device_note_dup_choice(question->device, &setting)
                                         : lac_device_note_dup_words(question->device);
  answer->words = g_strdup_printf("%s, %s", precision, words);
  if (facts == NULL)
    answer->why = lac_experiment_uses_device(question->settings->experiment,
                                             lac_draft_get_values(question->settings->draft), NULL)
                    ? g_strdup(words)
                    : g_strdup(_("None of the methods has a GPU version"));
  if (question->cost != NULL && question->cost->device_bytes > 0)
    answer->memory_bytes = question->cost->device_bytes;
}

static const LacPlace places[] = {
  {"auto", "computer-symbolic", N_("This machine"), ask_machine},
  {"cpu", "computer-symbolic", N_("This machine, processor only"), ask_processor},
  {"cuda", "video-display-symbolic", N_("This machine, GPU"), ask_device},
};

/* ---- rows ---- */

typedef struct {
  GtkWidget *row, *check, *time, *memory;
} Row;

struct _LacPlaceList {
  AdwPreferencesGroup parent_instance;
  Row                 rows[G_N_ELEMENTS(places)];
  gboolean            is_showing;
};

G_DEFINE_FINAL_TYPE(LacPlaceList, lac_place_list, ADW_TYPE_PREFERENCES_GROUP)

enum { CHOSEN, N_SIGNALS };
static guint signals[N_SIGNALS];

static void
on_toggled(GtkCheckButton *check, LacPlaceList *self)
{
  if (self->is_showing || !gtk_check_button_get_active(check))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
    if (self->rows[i].check == GTK_WIDGET(check))
      g_signal_emit(self, signals[CHOSEN], 0, places[i].backend);
}

static void
show_text(GtkWidget *label, double value, char *(*format)(double) )
{
  g_autofree char *text = isnan(value) ? g_strdup(UNKNOWN) : format(value);
  gtk_label_set_text(GTK_LABEL(label), text);
}

static gboolean
is_chosen(const LacPlace *place, const char *backend)
{
  return g_str_equal(place->backend, backend) ||
         (g_str_equal(place->backend, "cuda") && g_str_has_prefix(backend, "cuda:"));
}

static void
show_answer(LacPlaceList *self, gsize i, const LacPlaceQuestion *question)
{
  LacPlaceAnswer answer = {.seconds = (double) NAN, .memory_bytes = (double) NAN};
  const Row     *row = &self->rows[i];
  gboolean       chosen = is_chosen(&places[i], question->settings->backend);
  places[i].ask(question, &answer);
  g_autofree char *words = g_markup_escape_text(answer.why != NULL ? answer.why : answer.words, -1);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(row->row), words);
  gtk_widget_set_sensitive(row->row, answer.why == NULL || chosen);
  gtk_widget_set_visible(row->row, !answer.is_redundant || chosen);
  gtk_check_button_set_active(GTK_CHECK_BUTTON(row->check), chosen);
  show_text(row->time, answer.why != NULL ? (double) NAN : answer.seconds, lac_format_duration);
  show_text(row->memory, answer.why != NULL ? (double) NAN : answer.memory_bytes, lac_format_bytes);
  (chosen ? gtk_widget_add_css_class : gtk_widget_remove_css_class)(row->row, "chosen");
  g_free(answer.words);
  g_free(answer.why);
}

void
lac_place_list_show(LacPlaceList *self, const LacPlaceQuestion *question)
{
  g_return_if_fail(LAC_IS_PLACE_LIST(self) && question->settings->draft != NULL);
  self->is_showing = TRUE;
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
    show_answer(self, i, question);
  self->is_showing = FALSE;
}

/* ---- the object ---- */

static GtkWidget *
make_number(int width_chars)
{
  GtkWidget *label = gtk_label_new(UNKNOWN);
  gtk_label_set_xalign(GTK_LABEL(label), 1);
  gtk_label_set_width_chars(GTK_LABEL(label), width_chars);
  gtk_widget_add_css_class(label, "numeric");
  return label;
}

static void
add_row(LacPlaceList *self, gsize i)
{
  const char   *name = _(places[i].name);
  Row          *row = &self->rows[i];
  AdwActionRow *made = ADW_ACTION_ROW(adw_action_row_new());
  *row = (Row){GTK_WIDGET(made), gtk_check_button_new(), make_number(8), make_number(7)};
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(made), name);
  adw_action_row_set_subtitle_lines(made, 8);
  gtk_widget_set_valign(row->check, GTK_ALIGN_CENTER);
  if (i > 0)
    gtk_check_button_set_group(GTK_CHECK_BUTTON(row->check), GTK_CHECK_BUTTON(self->rows[0].check));
  lac_accessible_name(row->check, name);
  gtk_widget_add_css_class(row->memory, "dim-label");
  adw_action_row_add_prefix(made, gtk_image_new_from_icon_name(places[i].icon));
  adw_action_row_add_prefix(made, row->check); /* prefixes are prepended */
  adw_action_row_add_suffix(made, row->time);
  adw_action_row_add_suffix(made, row->memory);
  adw_action_row_set_activatable_widget(made, row->check);
  g_signal_connect(row->check, "toggled", G_CALLBACK(on_toggled), self);
  adw_preferences_group_add(ADW_PREFERENCES_GROUP(self), row->row);
}

static void
lac_place_list_dispose(GObject *object)
{
  LAC_PLACE_LIST(object)->is_showing = TRUE; /* ignores signals of its parts during disposal */
  G_OBJECT_CLASS(lac_place_list_parent_class)->dispose(object);
}

static void
lac_place_list_class_init(LacPlaceListClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_place_list_dispose;
  signals[CHOSEN] = g_signal_new("chosen", LAC_TYPE_PLACE_LIST, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                 NULL, G_TYPE_NONE, 1, G_TYPE_STRING);
}

static void
lac_place_list_init(LacPlaceList *self)
{
  GtkWidget *columns = gtk_label_new(_("time · memory"));
  gtk_widget_add_css_class(columns, "dim-label");
  gtk_widget_add_css_class(columns, "caption");
  adw_preferences_group_set_title(ADW_PREFERENCES_GROUP(self), _("Where"));
  adw_preferences_group_set_header_suffix(ADW_PREFERENCES_GROUP(self), columns);
  for (gsize i = 0; i < G_N_ELEMENTS(places); i++)
    add_row(self, i);
}
