/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of the set-up page. The subtitle is the help, or an error in its place, so that the layout does not jump. */
#include "app/setup/param-row.h"

#include "app/setup/column-button.h"
#include "app/setup/param-row-private.h"
#include "app/setup/stack-layout.h"
#include "app/toolkit/accessible.h"
#include "app/toolkit/choice-list.h"
#include "app/toolkit/tip.h"
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

G_DEFINE_FINAL_TYPE(LacParamRow, lac_param_row, ADW_TYPE_ACTION_ROW)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

const char *
lac_param_row_translate(const char *text)
{
  return text == NULL || *text == '\0' ? "" : g_dgettext(GETTEXT_PACKAGE, text);
}

static void
set_class(GtkWidget *widget, const char *name, gboolean is_set)
{
  if (is_set)
    gtk_widget_add_css_class(widget, name);
  else
    gtk_widget_remove_css_class(widget, name);
}

static void
show_state(LacParamRow *self)
{
  gboolean    is_default = self->error == NULL && lac_draft_is_default(self->draft, self->param);
  const char *words = self->error != NULL   ? self->error
                      : self->swept != NULL ? self->swept
                      : self->note != NULL  ? self->note
                                            : lac_param_row_translate(self->param->help);
  g_autofree char *shown = g_markup_escape_text(words, -1);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(self), shown);
  set_class(GTK_WIDGET(self), "invalid", self->error != NULL);
  set_class(GTK_WIDGET(self), "changed", !is_default);
  if (GTK_IS_ENTRY(self->editor))
    set_class(self->editor, "error", self->error != NULL);
  gtk_accessible_update_state(
    GTK_ACCESSIBLE(self->editor), GTK_ACCESSIBLE_STATE_INVALID,
    self->error != NULL ? GTK_ACCESSIBLE_INVALID_TRUE : GTK_ACCESSIBLE_INVALID_FALSE, -1);
  /* Hidden by opacity when there is nothing to reset: it keeps its space. */
  gtk_widget_set_opacity(self->reset, is_default ? 0 : 1);
  gtk_widget_set_sensitive(self->reset, !is_default);
}

static gboolean
is_words(const LacParam *param)
{
  return param->kind == LAC_PARAM_FILE || param->kind == LAC_PARAM_TEXT;
}

static void
keep_text(LacParamRow *self, const char *text)
{
  char *kept = g_strdup(text);
  g_free(self->text);
  self->text = kept;
}

static void
take(LacParamRow *self, const char *text)
{
  g_autoptr(GError) error = NULL;
  if (self->refreshing)
    return;
  g_clear_pointer(&self->error, g_free);
  keep_text(self, text);
  if (!lac_draft_set(self->draft, self->param->key, text, &error))
    self->error = g_strdup(error->message);
  show_state(self);
  g_signal_emit(self, signals[CHANGED], 0);
}

/* Localises @text, in place, if it is a number. */
static const char *
show_number(LacParamRow *self, char *text)
{
  return text == NULL ? "" : is_words(self->param) ? text : lac_number_localise(text);
}

static void
on_text_changed(GtkEditable *editable, LacParamRow *self)
{
  g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(editable)));
  take(self, is_words(self->param) ? text : lac_number_delocalise(text));
}

static void
on_choice_changed(GtkDropDown *drop, GParamSpec *pspec, LacParamRow *self)
{
  guint selected = gtk_drop_down_get_selected(drop);
  if (selected != GTK_INVALID_LIST_POSITION)
    take(self, self->param->choices[selected]);
}

static void
on_switch_changed(GtkSwitch *toggle, GParamSpec *pspec, LacParamRow *self)
{
  take(self, gtk_switch_get_active(toggle) ? "yes" : "no");
}

static void
on_list_changed(LacChoiceList *choices, LacParamRow *self)
{
  g_autofree char *text = lac_choice_list_dup_text(choices);
  take(self, text);
}

static void
on_reset(GtkButton *button, LacParamRow *self)
{
  g_autoptr(LacDraft) fresh = lac_draft_new(lac_draft_get_table(self->draft));
  g_autofree char    *text = lac_draft_dup_text(fresh, self->param);
  keep_text(self, text);
  lac_draft_set(self->draft, self->param->key, text, NULL);
  lac_param_row_refresh(self);
  gtk_widget_grab_focus(self->editor);
  g_signal_emit(self, signals[CHANGED], 0);
}

static void
on_file_chosen(GtkNativeDialog *dialog, int response, LacParamRow *self)
{
  if (response == GTK_RESPONSE_ACCEPT) {
    g_autoptr(GFile) file = gtk_file_chooser_get_file(GTK_FILE_CHOOSER(dialog));
    g_autofree char *path = file == NULL ? NULL : g_file_get_path(file);
    if (path != NULL)
      gtk_editable_set_text(GTK_EDITABLE(self->editor), path);
  }
  g_clear_object(&self->chooser);
  GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(self));
  if (GTK_IS_WINDOW(root))
    gtk_window_present(GTK_WINDOW(root));
}

static void
on_choose_file(GtkButton *button, LacParamRow *self)
{
  GtkRoot *root = gtk_widget_get_root(GTK_WIDGET(self));
  self->chooser =
    gtk_file_chooser_native_new(lac_param_row_translate(self->param->label), GTK_WINDOW(root),
                                GTK_FILE_CHOOSER_ACTION_OPEN, _("_Choose"), _("_Cancel"));
  gtk_native_dialog_set_modal(GTK_NATIVE_DIALOG(self->chooser), TRUE);
  g_signal_connect(self->chooser, "response", G_CALLBACK(on_file_chosen), self);
  gtk_native_dialog_show(GTK_NATIVE_DIALOG(self->chooser));
}

static GtkWidget *
make_entry(LacParamRow *self)
{
  GtkWidget *entry = gtk_entry_new();
  gboolean   words = is_words(self->param);
  gtk_editable_set_width_chars(GTK_EDITABLE(entry), words ? 16 : 6);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), words ? 28 : 6);
  if (words) {
    gtk_entry_set_placeholder_text(GTK_ENTRY(entry), _("none"));
  } else {
    gtk_editable_set_alignment(GTK_EDITABLE(entry), 1);
    gtk_entry_set_input_purpose(GTK_ENTRY(entry), GTK_INPUT_PURPOSE_NUMBER);
    gtk_widget_add_css_class(entry, "numeric");
  }
  g_signal_connect(entry, "changed", G_CALLBACK(on_text_changed), self);
  return entry;
}

static GtkWidget *
make_drop_down(const LacParam *param)
{
  GtkStringList *names = gtk_string_list_new(NULL);
  for (guint i = 0; param->choices[i] != NULL; i++)
    gtk_string_list_append(names, lac_param_get_title(param, i));
  return gtk_drop_down_new(G_LIST_MODEL(names), NULL);
}

static GtkWidget *
make_editor(LacParamRow *self)
{
  GtkWidget *editor = NULL;
  switch (self->param->kind) {
  case LAC_PARAM_REAL:
  case LAC_PARAM_INTEGER:
  case LAC_PARAM_FILE:
  case LAC_PARAM_TEXT: return make_entry(self);
  case LAC_PARAM_CHOICE:
    editor = make_drop_down(self->param);
    g_signal_connect(editor, "notify::selected", G_CALLBACK(on_choice_changed), self);
    return editor;
  case LAC_PARAM_LIST:
    editor = lac_choice_list_new(self->param);
    g_signal_connect(editor, "changed", G_CALLBACK(on_list_changed), self);
    return editor;
  case LAC_PARAM_SWITCH:
    editor = gtk_switch_new();
    g_signal_connect(editor, "notify::active", G_CALLBACK(on_switch_changed), self);
    return editor;
  }
  return editor;
}

GtkWidget *
lac_param_row_unit_new(const char *unit)
{
  GtkWidget *label = gtk_label_new(unit == NULL || g_str_equal(unit, "1") ? "" : unit);
  gtk_label_set_width_chars(GTK_LABEL(label), 4);
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_widget_add_css_class(label, "dim-label");
  return label;
}

static void
add_unit(LacParamRow *self)
{
  if (self->param->kind != LAC_PARAM_FILE) /* its button takes that position */
    adw_action_row_add_suffix(ADW_ACTION_ROW(self), lac_param_row_unit_new(self->param->unit));
}

static void
add_file_button(LacParamRow *self)
{
  if (self->param->kind != LAC_PARAM_FILE)
    return;
  GtkWidget *button = gtk_button_new_from_icon_name("document-open-symbolic");
  gtk_widget_set_valign(button, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(button, "flat");
  lac_tip_set(button, _("Choose a file"));
  lac_accessible_name(button, _("Choose a file"));
  g_signal_connect(button, "clicked", G_CALLBACK(on_choose_file), self);
  adw_action_row_add_suffix(ADW_ACTION_ROW(self), button);
  if (g_strcmp0(self->param->file_type, "measurements") == 0)
    adw_action_row_add_suffix(
      ADW_ACTION_ROW(self),
      lac_column_button_new(lac_draft_get_table(self->draft), GTK_EDITABLE(self->editor)));
}

static void
add_reset(LacParamRow *self)
{
  g_autofree char *name =
    g_strdup_printf(_("Reset %s"), lac_param_row_translate(self->param->label));
  self->reset = gtk_button_new_from_icon_name("edit-undo-symbolic");
  gtk_widget_set_valign(self->reset, GTK_ALIGN_CENTER);
  gtk_widget_add_css_class(self->reset, "flat");
  lac_tip_set(self->reset, _("Reset to default"));
  lac_accessible_name(self->reset, name);
  g_signal_connect(self->reset, "clicked", G_CALLBACK(on_reset), self);
  adw_action_row_add_suffix(ADW_ACTION_ROW(self), self->reset);
}

static void
describe(LacParamRow *self)
{
  g_autoptr(LacDraft) fresh = lac_draft_new(lac_draft_get_table(self->draft));
  g_autofree char    *allowed = lac_param_dup_allowed_shown(self->param);
  g_autofree char    *usual = lac_draft_dup_text(fresh, self->param);
  g_autofree char    *keys =
    self->param->choices != NULL ? g_strjoinv("|", (GStrv) self->param->choices) : NULL;
  g_autofree char *key = g_strjoin("=", self->param->key, keys, NULL);
  g_autofree char *shown = lac_param_dup_shown(self->param, show_number(self, usual));
  g_autofree char *tip = g_strdup_printf(_("%s\nAllowed: %s\nDefault: %s\nKey: %s"),
                                         lac_param_row_translate(self->param->help), allowed,
                                         *shown == '\0' ? _("none") : shown, key);
  lac_tip_set(GTK_WIDGET(self), tip);
  /* The accessible name is the row's title, through the activatable widget. */
  gtk_accessible_update_property(GTK_ACCESSIBLE(self->editor), GTK_ACCESSIBLE_PROPERTY_DESCRIPTION,
                                 tip, -1);
}

static void
lac_param_row_dispose(GObject *object)
{
  LacParamRow *self = LAC_PARAM_ROW(object);
  g_clear_object(&self->chooser);
  g_clear_pointer(&self->error, g_free);
  g_clear_pointer(&self->text, g_free);
  g_clear_pointer(&self->note, g_free);
  g_clear_pointer(&self->swept, g_free);
  G_OBJECT_CLASS(lac_param_row_parent_class)->dispose(object);
}

static void
lac_param_row_class_init(LacParamRowClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_param_row_dispose;
  signals[CHANGED] = g_signal_new("changed", LAC_TYPE_PARAM_ROW, G_SIGNAL_RUN_LAST, 0, NULL, NULL,
                                  NULL, G_TYPE_NONE, 0);
}

static void
lac_param_row_init(LacParamRow *self)
{
}

GtkWidget *
lac_param_row_new(const LacParam *param, LacDraft *draft)
{
  g_return_val_if_fail(param != NULL && draft != NULL, NULL);
  LacParamRow     *self = g_object_new(LAC_TYPE_PARAM_ROW, NULL);
  g_autofree char *label = g_markup_escape_text(lac_param_row_translate(param->label), -1);
  self->param = param;
  self->draft = draft;
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self), label);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(self), 2);
  lac_stack_layout_take_titles(GTK_WIDGET(self));
  if (param->zero != NULL)
    lac_param_row_add_none(self);
  self->editor = make_editor(self);
  gtk_widget_set_valign(self->editor, GTK_ALIGN_CENTER);
  self->numbers = lac_param_row_is_number(param) ? lac_param_row_make_numbers(self) : NULL;
  adw_action_row_add_suffix(ADW_ACTION_ROW(self),
                            self->numbers != NULL ? self->numbers : self->editor);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(self), self->editor);
  add_unit(self);
  add_file_button(self);
  add_reset(self);
  describe(self);
  if (GTK_IS_DROP_DOWN(self->editor))
    lac_accessible_name_drop_down(GTK_DROP_DOWN(self->editor),
                                  lac_param_row_translate(param->label));
  lac_param_row_refresh(self);
  return GTK_WIDGET(self);
}

const LacParam *
lac_param_row_get_param(LacParamRow *self)
{
  g_return_val_if_fail(LAC_IS_PARAM_ROW(self), NULL);
  return self->param;
}

const char *
lac_param_row_get_text(LacParamRow *self)
{
  g_return_val_if_fail(LAC_IS_PARAM_ROW(self), NULL);
  return self->text != NULL ? self->text : "";
}

const char *
lac_param_row_get_error(LacParamRow *self)
{
  g_return_val_if_fail(LAC_IS_PARAM_ROW(self), NULL);
  return self->error;
}

void
lac_param_row_set_note(LacParamRow *self, const char *note)
{
  g_return_if_fail(LAC_IS_PARAM_ROW(self));
  if (g_strcmp0(self->note, note) == 0)
    return;
  g_free(self->note);
  self->note = g_strdup(note);
  show_state(self);
}

void
lac_param_row_set_swept(LacParamRow *self, const char *values)
{
  g_return_if_fail(LAC_IS_PARAM_ROW(self));
  if (g_strcmp0(self->swept, values) == 0)
    return;
  g_free(self->swept);
  self->swept = g_strdup(values);
  set_class(GTK_WIDGET(self), "swept", values != NULL);
  gtk_widget_set_sensitive(self->numbers != NULL ? self->numbers : self->editor, values == NULL);
  if (values == NULL)
    lac_param_row_show_none(self);
  show_state(self);
}

void
lac_param_row_refresh(LacParamRow *self)
{
  g_return_if_fail(LAC_IS_PARAM_ROW(self));
  g_autofree char *text = lac_draft_dup_text(self->draft, self->param);
  self->refreshing = TRUE;
  if (GTK_IS_ENTRY(self->editor))
    gtk_editable_set_text(GTK_EDITABLE(self->editor), show_number(self, text));
  else if (GTK_IS_SWITCH(self->editor))
    gtk_switch_set_active(GTK_SWITCH(self->editor),
                          lac_draft_get_number(self->draft, self->param) != 0);
  else if (LAC_IS_CHOICE_LIST(self->editor))
    lac_choice_list_set(LAC_CHOICE_LIST(self->editor),
                        (gint64) lac_draft_get_number(self->draft, self->param));
  else
    gtk_drop_down_set_selected(GTK_DROP_DOWN(self->editor),
                               (guint) lac_draft_get_number(self->draft, self->param));
  self->refreshing = FALSE;
  g_clear_pointer(&self->error, g_free);
  lac_param_row_show_none(self);
  show_state(self);
}

/* A list with a single choice has nothing to choose. */
gboolean
lac_param_row_is_in_use(LacParamRow *self)
{
  g_return_val_if_fail(LAC_IS_PARAM_ROW(self), FALSE);
  gboolean has_choice = self->param->kind != LAC_PARAM_LIST ||
                        (self->param->choices[0] != NULL && self->param->choices[1] != NULL);
  return has_choice && lac_draft_is_in_use(self->draft, self->param);
}

void
lac_param_row_enter(LacParamRow *self, const char *text)
{
  g_return_if_fail(LAC_IS_PARAM_ROW(self));
  if (GTK_IS_ENTRY(self->editor)) { /* whose setter first reports an empty text */
    g_autofree char *entered = g_strstrip(g_strdup(text));
    self->refreshing = TRUE;
    gtk_editable_set_text(GTK_EDITABLE(self->editor), entered);
    self->refreshing = FALSE;
    take(self, entered);
    lac_param_row_show_none(self);
    return;
  }
  g_autoptr(GError) error = NULL;
  if (lac_draft_set(self->draft, self->param->key, text, &error)) {
    lac_param_row_refresh(self);
  } else {
    g_free(self->error);
    self->error = g_strdup(error->message);
    show_state(self);
  }
  g_signal_emit(self, signals[CHANGED], 0);
}
