/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of the sweep builder. The values, or an error in their place, are shown below, so that the layout does not
 * jump. */
#include "app/setup/sweep-row.h"

#include "app/toolkit/accessible.h"
#include "run/plan/sweep.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define MOST_SHOWN 8 /* values; of more only the first and the last */

struct _LacSweepRow {
  AdwPreferencesRow parent_instance;
  GtkDropDown      *parameter, *spacing;
  GtkStack         *editors;
  GtkEntry         *list, *from, *to;
  GtkFlowBox       *ticks;
  GtkSpinButton    *n;
  GtkWidget        *n_box, *remove;
  GtkLabel         *unit, *caption;
  const LacDraft   *draft;
  GPtrArray        *keys;     /* const char *, keys in the drop-down */
  char             *key;      /* key shown */
  char             *stranger; /* (nullable): a key from the text that the drop-down lacks */
  guint             number, n_spacings;
  gboolean          showing;
};

G_DEFINE_FINAL_TYPE(LacSweepRow, lac_sweep_row, ADW_TYPE_PREFERENCES_ROW)

enum { PARAMETER_CHANGED, CHANGED, REMOVED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *const switch_words[] = {"no", "yes", NULL};

static const char *
get_spacing_words(LacSweepSpacing spacing)
{
  switch (spacing) {
  case LAC_SWEEP_VALUES: return _("Values");
  case LAC_SWEEP_STEPS: return _("Equal steps");
  case LAC_SWEEP_LOG_STEPS: return _("Equal factors");
  case LAC_SWEEP_RANGE: return _("Range");
  case LAC_SWEEP_LOG_RANGE: return _("Range, logarithmic");
  case LAC_N_SWEEP_SPACINGS: break;
  }
  return "";
}

static const LacParam *
get_param(LacSweepRow *self)
{
  return lac_sweep_find_row(lac_draft_get_table(self->draft), self->key);
}

static const char *
get_label(LacSweepRow *self)
{
  const LacParam *param = get_param(self);
  return param != NULL ? g_dgettext(GETTEXT_PACKAGE, param->label) : self->key;
}

/* Returns: (nullable): the values to tick, if they are few and known. */
static const char *const *
get_choices(LacSweepRow *self)
{
  const LacParam *param = get_param(self);
  if (param == NULL)
    return NULL;
  return param->kind == LAC_PARAM_SWITCH ? switch_words : param->choices;
}

static gboolean
is_number(LacSweepRow *self)
{
  const LacParam *param = get_param(self);
  return param != NULL && (param->kind == LAC_PARAM_REAL || param->kind == LAC_PARAM_INTEGER);
}

/* ---- user input ---- */

static void
announce(LacSweepRow *self)
{
  if (!self->showing)
    g_signal_emit(self, signals[CHANGED], 0);
}

static void
on_parameter(LacSweepRow *self)
{
  guint selected = gtk_drop_down_get_selected(self->parameter);
  if (self->showing || selected >= self->keys->len)
    return;
  g_free(self->key);
  self->key = g_strdup(g_ptr_array_index(self->keys, selected));
  g_signal_emit(self, signals[PARAMETER_CHANGED], 0);
}

static void
on_remove(LacSweepRow *self)
{
  g_signal_emit(self, signals[REMOVED], 0);
}

/* ---- accessible names ---- */

static void
name_widget(GtkWidget *widget, const char *format, const char *label)
{
  g_autoptr(GString) name = g_string_new(format);
  g_string_replace(name, "%s", label, 1);
  if (GTK_IS_DROP_DOWN(widget))
    lac_accessible_name_drop_down(GTK_DROP_DOWN(widget), name->str);
  else
    lac_accessible_name(widget, name->str);
}

static void
name_all(LacSweepRow *self)
{
  const char      *label = get_label(self);
  g_autofree char *parameter = g_strdup_printf(_("Parameter %u"), self->number);
  lac_accessible_name_drop_down(self->parameter, parameter);
  name_widget(GTK_WIDGET(self->spacing), _("Form of the values, %s"), label);
  name_widget(GTK_WIDGET(self->list), _("Values, %s"), label);
  name_widget(GTK_WIDGET(self->ticks), _("Values, %s"), label);
  name_widget(GTK_WIDGET(self->from), _("From, %s"), label);
  name_widget(GTK_WIDGET(self->to), _("To, %s"), label);
  name_widget(GTK_WIDGET(self->n), _("Number of values, %s"), label);
  name_widget(self->remove, _("Do not sweep %s"), label);
}

/* ---- choices ---- */

/* Keeps the model if it contains the key, since its list may be open. */
static gboolean
select_parameter(LacSweepRow *self)
{
  for (guint i = 0; i < self->keys->len; i++)
    if (strcmp(g_ptr_array_index(self->keys, i), self->key) == 0) {
      gtk_drop_down_set_selected(self->parameter, i);
      return TRUE;
    }
  return FALSE;
}

static void
show_parameters(LacSweepRow *self)
{
  const LacParamTable     *table = lac_draft_get_table(self->draft);
  g_autoptr(GtkStringList) words = gtk_string_list_new(NULL);
  guint                    selected = GTK_INVALID_LIST_POSITION;
  if (select_parameter(self))
    return;
  g_ptr_array_set_size(self->keys, 0);
  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam *param = &table->rows[i];
    const gboolean  is_shown = g_str_equal(param->key, self->key);
    if (!is_shown && (!lac_sweep_can_vary(param) || !lac_draft_is_in_use(self->draft, param)))
      continue;
    if (is_shown)
      selected = self->keys->len;
    g_ptr_array_add(self->keys, (gpointer) param->key);
    gtk_string_list_append(words, g_dgettext(GETTEXT_PACKAGE, param->label));
  }
  if (lac_param_find(table, LAC_SWEEP_SEED) == NULL) {
    if (g_str_equal(self->key, LAC_SWEEP_SEED))
      selected = self->keys->len;
    g_ptr_array_add(self->keys, (gpointer) LAC_SWEEP_SEED);
    gtk_string_list_append(
      words, g_dgettext(GETTEXT_PACKAGE, lac_sweep_find_row(table, LAC_SWEEP_SEED)->label));
  }
  g_free(self->stranger);
  self->stranger = selected == GTK_INVALID_LIST_POSITION ? g_strdup(self->key) : NULL;
  if (self->stranger != NULL) {
    selected = self->keys->len;
    g_ptr_array_add(self->keys, self->stranger);
    gtk_string_list_append(words, self->stranger);
  }
  gtk_drop_down_set_model(self->parameter, G_LIST_MODEL(words));
  gtk_drop_down_set_selected(self->parameter, selected);
}

/* Offers drawn ranges for random sampling, or if one is set already. */
static void
show_spacings(LacSweepRow *self, LacSweepSpacing spacing, LacSweepKind kind)
{
  const gboolean all = kind == LAC_SWEEP_RANDOM || lac_sweep_spacing_is_drawn(spacing);
  const guint    n_spacings = all ? LAC_N_SWEEP_SPACINGS : LAC_SWEEP_RANGE;
  if (self->n_spacings != n_spacings) {
    g_autoptr(GtkStringList) words = gtk_string_list_new(NULL);
    for (guint i = 0; i < n_spacings; i++)
      gtk_string_list_append(words, get_spacing_words(i));
    gtk_drop_down_set_model(self->spacing, G_LIST_MODEL(words));
    self->n_spacings = n_spacings;
  }
  gtk_drop_down_set_selected(self->spacing, spacing);
  gtk_widget_set_visible(GTK_WIDGET(self->spacing), is_number(self) || spacing != LAC_SWEEP_VALUES);
}

static void
show_ticks(LacSweepRow *self, const char *list)
{
  const char *const *choices = get_choices(self);
  g_auto(GStrv)      values = g_strsplit(list, ",", -1);
  GtkWidget         *child;
  for (guint i = 0; values[i] != NULL; i++)
    g_strstrip(values[i]);
  while ((child = gtk_widget_get_first_child(GTK_WIDGET(self->ticks))) != NULL)
    gtk_flow_box_remove(self->ticks, child);
  for (guint i = 0; choices != NULL && choices[i] != NULL; i++) {
    g_autofree char *name = lac_param_dup_shown(get_param(self), choices[i]);
    GtkWidget       *check = gtk_check_button_new_with_label(name);
    g_object_set_data(G_OBJECT(check), "value", (gpointer) choices[i]);
    gtk_check_button_set_active(GTK_CHECK_BUTTON(check),
                                g_strv_contains((const char *const *) values, choices[i]));
    gtk_flow_box_insert(self->ticks, check, -1);
    gtk_widget_set_focusable(gtk_widget_get_parent(check), FALSE);
    g_signal_connect_object(check, "toggled", G_CALLBACK(announce), self, G_CONNECT_SWAPPED);
  }
}

/* A list with a value that is not among the choices is shown as text. */
static gboolean
can_tick(LacSweepRow *self, const char *list)
{
  const char *const *choices = get_choices(self);
  g_auto(GStrv)      values = g_strsplit(list, ",", -1);
  for (guint i = 0; choices != NULL && values[i] != NULL; i++)
    if (*g_strstrip(values[i]) != '\0' && !g_strv_contains(choices, values[i]))
      return FALSE;
  return choices != NULL;
}

static char *
dup_ticked(LacSweepRow *self)
{
  GString *text = g_string_new(NULL);
  for (GtkWidget *child = gtk_widget_get_first_child(GTK_WIDGET(self->ticks)); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    GtkCheckButton *check =
      GTK_CHECK_BUTTON(gtk_flow_box_child_get_child(GTK_FLOW_BOX_CHILD(child)));
    if (gtk_check_button_get_active(check))
      g_string_append_printf(text, "%s%s", text->len > 0 ? ", " : "",
                             (const char *) g_object_get_data(G_OBJECT(check), "value"));
  }
  return g_string_free(text, FALSE);
}

/* ---- axis to row and back ---- */

static void
show_editor(LacSweepRow *self, LacSweepSpacing spacing, const char *list)
{
  const LacParam *param = get_param(self);
  const char     *unit = param == NULL || g_str_equal(param->unit, "1") ? "" : param->unit;
  gtk_stack_set_visible_child_name(self->editors, spacing != LAC_SWEEP_VALUES ? "range"
                                                  : can_tick(self, list)      ? "ticks"
                                                                              : "list");
  gtk_widget_set_visible(self->n_box, lac_sweep_spacing_has_steps(spacing));
  gtk_label_set_text(self->unit, unit);
  gtk_widget_set_visible(GTK_WIDGET(self->unit), *unit != '\0');
}

static void
show_text(GtkEntry *entry, const char *text)
{
  if (strcmp(gtk_editable_get_text(GTK_EDITABLE(entry)), text) != 0)
    gtk_editable_set_text(GTK_EDITABLE(entry), text);
}

void
lac_sweep_row_show(LacSweepRow *self, const LacSweepAxis *axis, LacSweepKind kind)
{
  g_return_if_fail(LAC_IS_SWEEP_ROW(self));
  self->showing = TRUE;
  g_free(self->key);
  self->key = g_strdup(axis->key);
  show_parameters(self);
  show_spacings(self, axis->spacing, kind);
  show_ticks(self, axis->list);
  show_text(self->list, axis->list);
  show_text(self->from, axis->from);
  show_text(self->to, axis->to);
  gtk_spin_button_set_value(self->n, axis->n);
  show_editor(self, axis->spacing, axis->list);
  name_all(self);
  self->showing = FALSE;
}

static void
take_text(char **text, char *taken)
{
  g_free(*text);
  *text = g_strstrip(taken);
}

void
lac_sweep_row_fill(LacSweepRow *self, LacSweepAxis *axis)
{
  g_return_if_fail(LAC_IS_SWEEP_ROW(self));
  const gboolean ticked = g_strcmp0(gtk_stack_get_visible_child_name(self->editors), "ticks") == 0;
  take_text(&axis->key, g_strdup(self->key));
  take_text(&axis->list,
            ticked ? dup_ticked(self) : g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->list))));
  take_text(&axis->from, g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->from))));
  take_text(&axis->to, g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->to))));
  axis->n = (guint) gtk_spin_button_get_value_as_int(self->n);
  axis->spacing = MIN(gtk_drop_down_get_selected(self->spacing), LAC_SWEEP_LOG_RANGE);
}

/* Returns "3 values: 4, 8, 12"; names of choices are separated by semicolons, because they may contain commas. */
static char *
dup_values_text(LacSweepRow *self, const char *const *values)
{
  const guint     n = g_strv_length((GStrv) values);
  const LacParam *param = get_param(self);
  const char     *separator = param != NULL && param->choices != NULL ? "; " : ", ";
  GString        *text = g_string_new(NULL);
  g_string_append_printf(text, ngettext("%u value: ", "%u values: ", n), n);
  for (guint i = 0; i < n; i++) {
    if (n > MOST_SHOWN && i == MOST_SHOWN - 1)
      g_string_append_printf(text, "%s…", separator);
    if (n > MOST_SHOWN && i >= MOST_SHOWN - 1 && i + 1 < n)
      continue;
    g_autofree char *value =
      param != NULL ? lac_param_dup_shown(param, values[i]) : g_strdup(values[i]);
    g_string_append_printf(text, "%s%s", i > 0 ? separator : "", value);
  }
  return g_string_free(text, FALSE);
}

void
lac_sweep_row_show_values(LacSweepRow *self, const char *const *values, const char *error)
{
  g_return_if_fail(LAC_IS_SWEEP_ROW(self) && (values != NULL || error != NULL));
  GtkWidget *editors[] = {GTK_WIDGET(self->list), GTK_WIDGET(self->from), GTK_WIDGET(self->to)};
  g_autofree char *text = values != NULL ? dup_values_text(self, values) : g_strdup(error);
  gtk_label_set_text(self->caption, text);
  if (values == NULL)
    gtk_widget_add_css_class(GTK_WIDGET(self->caption), "error");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self->caption), "error");
  for (guint i = 0; i < G_N_ELEMENTS(editors); i++) {
    gtk_accessible_update_property(GTK_ACCESSIBLE(editors[i]), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                   text, -1);
    gtk_accessible_update_state(
      GTK_ACCESSIBLE(editors[i]), GTK_ACCESSIBLE_STATE_INVALID,
      values == NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  }
}

void
lac_sweep_row_focus(LacSweepRow *self)
{
  g_return_if_fail(LAC_IS_SWEEP_ROW(self));
  gtk_widget_grab_focus(gtk_widget_get_first_child(GTK_WIDGET(self->parameter)));
}

/* ---- object ---- */

static void
lac_sweep_row_finalize(GObject *object)
{
  LacSweepRow *self = LAC_SWEEP_ROW(object);
  g_clear_pointer(&self->keys, g_ptr_array_unref);
  g_clear_pointer(&self->key, g_free);
  g_clear_pointer(&self->stranger, g_free);
  G_OBJECT_CLASS(lac_sweep_row_parent_class)->finalize(object);
}

static void
lac_sweep_row_dispose(GObject *object)
{
  LAC_SWEEP_ROW(object)->showing = TRUE; /* ignores signals of its parts during disposal */
  gtk_widget_dispose_template(GTK_WIDGET(object), LAC_TYPE_SWEEP_ROW);
  G_OBJECT_CLASS(lac_sweep_row_parent_class)->dispose(object);
}

static void
lac_sweep_row_class_init(LacSweepRowClass *class)
{
  GtkWidgetClass *widget_class = GTK_WIDGET_CLASS(class);
  G_OBJECT_CLASS(class)->dispose = lac_sweep_row_dispose;
  G_OBJECT_CLASS(class)->finalize = lac_sweep_row_finalize;
  gtk_widget_class_set_template_from_resource(widget_class,
                                              "/io/github/lacuna/Lacuna/ui/setup/sweep-row.ui");
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, parameter);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, spacing);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, editors);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, list);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, ticks);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, from);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, to);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, n);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, n_box);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, unit);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, remove);
  gtk_widget_class_bind_template_child(widget_class, LacSweepRow, caption);
  gtk_widget_class_bind_template_callback(widget_class, on_parameter);
  gtk_widget_class_bind_template_callback(widget_class, announce);
  gtk_widget_class_bind_template_callback(widget_class, on_remove);
  signals[PARAMETER_CHANGED] = g_signal_new("parameter-changed", LAC_TYPE_SWEEP_ROW,
                                            G_SIGNAL_RUN_LAST, 0, NULL, NULL, NULL, G_TYPE_NONE, 0);
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_SWEEP_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
  signals[REMOVED] = g_signal_new("removed", LAC_TYPE_SWEEP_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_sweep_row_init(LacSweepRow *self)
{
  self->showing = TRUE;
  self->keys = g_ptr_array_new();
  gtk_widget_init_template(GTK_WIDGET(self));
  g_autoptr(GtkExpression) words =
    gtk_property_expression_new(GTK_TYPE_STRING_OBJECT, NULL, "string");
  gtk_drop_down_set_expression(self->parameter, words); /* makes the list searchable */
  gtk_spin_button_set_range(self->n, 2, LAC_SWEEP_MOST_STEPS);
  gtk_spin_button_set_increments(self->n, 1, 10);
  self->showing = FALSE;
}

GtkWidget *
lac_sweep_row_new(const LacDraft *draft, guint number)
{
  LacSweepRow *self = g_object_new(LAC_TYPE_SWEEP_ROW, NULL);
  self->draft = draft;
  self->number = number;
  return GTK_WIDGET(self);
}
