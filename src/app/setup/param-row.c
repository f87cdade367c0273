/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A row of the set-up page. The subtitle is the help, or an error in its place, so that the layout does not jump. */
#include "app/setup/param-row.h"

#include "app/toolkit/accessible.h"
#include "app/toolkit/choice-list.h"
#include "app/toolkit/tip.h"
#include "base/number-display.h"

#include <glib/gi18n-lib.h>

/* ---- a vertical GtkBox whose requested width does not depend on its height ---- */

/* GtkBox queries a wrapped label for the width at a given height, and the label tries thirty widths each time: this
 * dominated the time to show a page of rows. */
#define LAC_TYPE_STACK_LAYOUT (lac_stack_layout_get_type())
G_DECLARE_FINAL_TYPE(LacStackLayout, lac_stack_layout, LAC, STACK_LAYOUT, GtkLayoutManager)

#define SPACING 3 /* px: between title and subtitle in libadwaita's style */

struct _LacStackLayout {
  GtkLayoutManager parent_instance;
};

G_DEFINE_FINAL_TYPE(LacStackLayout, lac_stack_layout, GTK_TYPE_LAYOUT_MANAGER)

static GtkSizeRequestMode
lac_stack_layout_get_request_mode(GtkLayoutManager *manager, GtkWidget *widget)
{
  return GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH;
}

static void
lac_stack_layout_measure(GtkLayoutManager *manager,
                         GtkWidget        *widget,
                         GtkOrientation    orientation,
                         int               for_size,
                         int              *minimum,
                         int              *natural,
                         int              *minimum_baseline,
                         int              *natural_baseline)
{
  const gboolean across = orientation == GTK_ORIENTATION_HORIZONTAL;
  int            gap = 0;
  *minimum = *natural = 0;
  *minimum_baseline = *natural_baseline = -1;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    int least, usual;
    if (!gtk_widget_should_layout(child))
      continue;
    gtk_widget_measure(child, orientation, across ? -1 : for_size, &least, &usual, NULL, NULL);
    *minimum = across ? MAX(*minimum, least) : *minimum + gap + least;
    *natural = across ? MAX(*natural, usual) : *natural + gap + usual;
    gap = SPACING;
  }
}

static void
lac_stack_layout_allocate(GtkLayoutManager *manager,
                          GtkWidget        *widget,
                          int               width,
                          int               height,
                          int               baseline)
{
  int y = 0, least, usual;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL;
       child = gtk_widget_get_next_sibling(child)) {
    if (!gtk_widget_should_layout(child))
      continue;
    gtk_widget_measure(child, GTK_ORIENTATION_VERTICAL, width, &least, &usual, NULL, NULL);
    int high = MAX(least, MIN(usual, height - y));
    gtk_widget_size_allocate(child, &(GtkAllocation){0, y, width, high}, -1);
    y += high + SPACING;
  }
}

static void
lac_stack_layout_class_init(LacStackLayoutClass *class)
{
  GtkLayoutManagerClass *manager = GTK_LAYOUT_MANAGER_CLASS(class);
  manager->get_request_mode = lac_stack_layout_get_request_mode;
  manager->measure = lac_stack_layout_measure;
  manager->allocate = lac_stack_layout_allocate;
}

static void
lac_stack_layout_init(LacStackLayout *self)
{
}

static GtkWidget *
find_titles(GtkWidget *widget)
{
  if (GTK_IS_BOX(widget) && gtk_widget_has_css_class(widget, "title"))
    return widget;
  GtkWidget *found = NULL;
  for (GtkWidget *child = gtk_widget_get_first_child(widget); child != NULL && found == NULL;
       child = gtk_widget_get_next_sibling(child))
    found = find_titles(child);
  return found;
}

void
lac_stack_layout_take_titles(GtkWidget *action_row)
{
  g_return_if_fail(ADW_IS_ACTION_ROW(action_row));
  GtkWidget *titles = find_titles(action_row);
  if (titles != NULL) /* other libadwaita versions only lose the speed-up */
    gtk_widget_set_layout_manager(titles, g_object_new(LAC_TYPE_STACK_LAYOUT, NULL));
}

/* ---- the row ---- */

struct _LacParamRow {
  AdwActionRow    parent_instance;
  const LacParam *param;
  LacDraft       *draft;
  GtkWidget      *editor; /* GtkEntry, GtkDropDown, GtkSwitch or LacChoiceList */
  GtkWidget *zero; /* (nullable): check button, ticked while the value is 0, where 0 has a name */
  GtkWidget *reset;
  char      *error;
  char      *text; /* (nullable): last input of the user, valid or not */
  char      *note; /* (nullable): resolved value, shown instead of the help */
  gboolean   refreshing;
  GtkFileChooserNative *chooser; /* not a widget: referenced until it is closed */
};

G_DEFINE_FINAL_TYPE(LacParamRow, lac_param_row, ADW_TYPE_ACTION_ROW)

enum { CHANGED, N_SIGNALS };
static guint signals[N_SIGNALS];

static const char *
translate(const char *text)
{
  return text == NULL || *text == '\0' ? "" : g_dgettext(GETTEXT_PACKAGE, text);
}

static void
show_state(LacParamRow *self)
{
  gboolean is_default = self->error == NULL && lac_draft_is_default(self->draft, self->param);
  g_autofree char *shown = g_markup_escape_text(self->error != NULL  ? self->error
                                                : self->note != NULL ? self->note
                                                                     : translate(self->param->help),
                                                -1);
  adw_action_row_set_subtitle(ADW_ACTION_ROW(self), shown);
  if (self->error != NULL)
    gtk_widget_add_css_class(GTK_WIDGET(self), "invalid");
  else
    gtk_widget_remove_css_class(GTK_WIDGET(self), "invalid");
  if (GTK_IS_ENTRY(self->editor)) {
    if (self->error != NULL)
      gtk_widget_add_css_class(self->editor, "error");
    else
      gtk_widget_remove_css_class(self->editor, "error");
  }
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
    gtk_file_chooser_native_new(translate(self->param->label), GTK_WINDOW(root),
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
  gtk_editable_set_width_chars(GTK_EDITABLE(entry), words ? 16 : 9);
  gtk_editable_set_max_width_chars(GTK_EDITABLE(entry), words ? 28 : 9);
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

/* Unticked, the entry waits for a value. */
static void
on_zero_toggled(GtkCheckButton *zero, LacParamRow *self)
{
  if (self->refreshing)
    return;
  lac_param_row_enter(self, gtk_check_button_get_active(zero) ? "0" : "");
  gtk_widget_grab_focus(gtk_check_button_get_active(zero) ? self->zero : self->editor);
}

static void
add_zero(LacParamRow *self)
{
  if (self->param->zero == NULL)
    return;
  self->zero = gtk_check_button_new_with_label(translate(self->param->zero));
  gtk_widget_set_valign(self->zero, GTK_ALIGN_CENTER);
  g_signal_connect(self->zero, "toggled", G_CALLBACK(on_zero_toggled), self);
  adw_action_row_add_suffix(ADW_ACTION_ROW(self), self->zero);
}

/* Ticks the box of a value 0, whose entry is empty. */
static void
show_zero(LacParamRow *self)
{
  if (self->zero == NULL)
    return;
  gboolean is_zero = self->error == NULL && lac_draft_get_number(self->draft, self->param) == 0;
  gboolean was_refreshing = self->refreshing;
  self->refreshing = TRUE;
  gtk_check_button_set_active(GTK_CHECK_BUTTON(self->zero), is_zero);
  gtk_widget_set_sensitive(self->editor, !is_zero);
  if (is_zero)
    gtk_editable_set_text(GTK_EDITABLE(self->editor), "");
  self->refreshing = was_refreshing;
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
}

static void
add_reset(LacParamRow *self)
{
  g_autofree char *name = g_strdup_printf(_("Reset %s"), translate(self->param->label));
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
  g_autofree char *tip =
    g_strdup_printf(_("%s\nAllowed: %s\nDefault: %s\nKey: %s"), translate(self->param->help),
                    allowed, *shown == '\0' ? _("none") : shown, key);
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
  g_autofree char *label = g_markup_escape_text(translate(param->label), -1);
  self->param = param;
  self->draft = draft;
  adw_preferences_row_set_title(ADW_PREFERENCES_ROW(self), label);
  adw_action_row_set_subtitle_lines(ADW_ACTION_ROW(self), 2);
  lac_stack_layout_take_titles(GTK_WIDGET(self));
  self->editor = make_editor(self);
  gtk_widget_set_valign(self->editor, GTK_ALIGN_CENTER);
  add_zero(self);
  adw_action_row_add_suffix(ADW_ACTION_ROW(self), self->editor);
  adw_action_row_set_activatable_widget(ADW_ACTION_ROW(self), self->editor);
  add_unit(self);
  add_file_button(self);
  add_reset(self);
  describe(self);
  if (GTK_IS_DROP_DOWN(self->editor))
    lac_accessible_name_drop_down(GTK_DROP_DOWN(self->editor), translate(param->label));
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
  show_zero(self);
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
    show_zero(self);
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
