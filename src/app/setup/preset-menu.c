/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The menu of presets. The list is read when it opens, since files may have changed. */
#include "app/setup/preset-menu.h"

#include "app/toolkit/accessible.h"
#include "run/plan/preset.h"

#include <glib/gi18n-lib.h>

struct _LacPresetMenu {
  GtkWidget            parent_instance;
  GtkWidget           *button, *popover, *list, *nothing, *entry, *save;
  const LacExperiment *experiment;
  char                *renamed; /* (nullable): preset whose new name is being entered */
};

G_DEFINE_FINAL_TYPE(LacPresetMenu, lac_preset_menu, GTK_TYPE_WIDGET)

static const char *
words_of(const LacPreset *preset)
{
  return preset->is_own ? preset->name : g_dgettext(GETTEXT_PACKAGE, preset->name);
}

static const char *
name_of(GtkWidget *row)
{
  return g_object_get_data(G_OBJECT(row), "name");
}

static void
show_entry(LacPresetMenu *self)
{
  g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->entry))));
  const char      *words = self->renamed != NULL ? _("Rename") : _("Save");
  gtk_button_set_label(GTK_BUTTON(self->save), words);
  lac_accessible_name(self->save, words);
  gtk_widget_set_sensitive(self->save, *text != '\0');
}

static void refill(LacPresetMenu *self);

static void
on_apply(GtkListBox *list, GtkListBoxRow *row, LacPresetMenu *self)
{
  gtk_popover_popdown(GTK_POPOVER(self->popover));
  gtk_widget_activate_action(GTK_WIDGET(self), "win.preset-apply", "s", name_of(GTK_WIDGET(row)));
}

static void
on_rename(GtkButton *button, LacPresetMenu *self)
{
  const char *name = name_of(GTK_WIDGET(button));
  g_free(self->renamed);
  self->renamed = g_strdup(name);
  gtk_editable_set_text(GTK_EDITABLE(self->entry), name);
  gtk_widget_grab_focus(self->entry);
  show_entry(self);
}

static void
on_delete(GtkButton *button, LacPresetMenu *self)
{
  g_autofree char *name = g_strdup(name_of(GTK_WIDGET(button)));
  gtk_widget_activate_action(GTK_WIDGET(self), "win.preset-delete", "s", name);
  refill(self);
}

static void
on_save(LacPresetMenu *self)
{
  g_autofree char *text = g_strstrip(g_strdup(gtk_editable_get_text(GTK_EDITABLE(self->entry))));
  if (*text == '\0')
    return;
  if (self->renamed != NULL)
    gtk_widget_activate_action(GTK_WIDGET(self), "win.preset-rename", "(ss)", self->renamed, text);
  else
    gtk_widget_activate_action(GTK_WIDGET(self), "win.preset-save", "s", text);
  g_clear_pointer(&self->renamed, g_free);
  gtk_editable_set_text(GTK_EDITABLE(self->entry), "");
  refill(self);
}

static void
add_button(LacPresetMenu   *self,
           GtkWidget       *line,
           const char      *icon,
           const char      *words,
           const LacPreset *preset,
           GCallback        act)
{
  GtkWidget *button = gtk_button_new_from_icon_name(icon);
  gtk_widget_add_css_class(button, "flat");
  gtk_widget_set_tooltip_text(button, words);
  lac_accessible_name(button, words);
  g_object_set_data_full(G_OBJECT(button), "name", g_strdup(preset->name), g_free);
  g_signal_connect(button, "clicked", act, self);
  gtk_box_append(GTK_BOX(line), button);
}

static GtkWidget *
make_row(LacPresetMenu *self, const LacPreset *preset)
{
  GtkWidget *row = gtk_list_box_row_new(), *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  GtkWidget *label = gtk_label_new(words_of(preset));
  gtk_label_set_xalign(GTK_LABEL(label), 0);
  gtk_label_set_ellipsize(GTK_LABEL(label), PANGO_ELLIPSIZE_END);
  gtk_widget_set_hexpand(label, TRUE);
  gtk_widget_set_margin_start(label, 6);
  gtk_widget_set_margin_end(label, 6);
  gtk_widget_set_size_request(line, -1, 36);
  gtk_box_append(GTK_BOX(line), label);
  if (preset->is_own) {
    add_button(self, line, "document-edit-symbolic", _("Rename"), preset, G_CALLBACK(on_rename));
    add_button(self, line, "user-trash-symbolic", _("Delete"), preset, G_CALLBACK(on_delete));
  } else {
    GtkWidget *origin = gtk_label_new(_("built-in"));
    gtk_widget_add_css_class(origin, "dim-label");
    gtk_widget_add_css_class(origin, "caption");
    gtk_widget_set_margin_end(origin, 6);
    gtk_box_append(GTK_BOX(line), origin);
  }
  gtk_list_box_row_set_child(GTK_LIST_BOX_ROW(row), line);
  lac_accessible_name(row, words_of(preset));
  g_object_set_data_full(G_OBJECT(row), "name", g_strdup(preset->name), g_free);
  return row;
}

static void
refill(LacPresetMenu *self)
{
  GtkWidget *child;
  if (self->experiment == NULL)
    return;
  g_autoptr(GPtrArray) presets = lac_presets_list(self->experiment->name);
  while ((child = gtk_widget_get_first_child(self->list)) != NULL)
    gtk_list_box_remove(GTK_LIST_BOX(self->list), child);
  for (guint i = 0; i < presets->len; i++)
    gtk_list_box_append(GTK_LIST_BOX(self->list), make_row(self, presets->pdata[i]));
  gtk_widget_set_visible(self->list, presets->len > 0);
  gtk_widget_set_visible(self->nothing, presets->len == 0);
  show_entry(self);
}

static void
on_shown(LacPresetMenu *self)
{
  g_clear_pointer(&self->renamed, g_free);
  gtk_editable_set_text(GTK_EDITABLE(self->entry), "");
  refill(self);
}

static GtkWidget *
make_keeping(LacPresetMenu *self)
{
  GtkWidget *line = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->entry = gtk_entry_new();
  self->save = gtk_button_new();
  gtk_entry_set_placeholder_text(GTK_ENTRY(self->entry), _("Name of a new preset"));
  gtk_entry_set_max_length(GTK_ENTRY(self->entry), LAC_PRESET_NAME_MOST);
  lac_accessible_name(self->entry, _("Name of the preset"));
  gtk_widget_set_hexpand(self->entry, TRUE);
  g_signal_connect_swapped(self->entry, "changed", G_CALLBACK(show_entry), self);
  g_signal_connect_swapped(self->entry, "activate", G_CALLBACK(on_save), self);
  g_signal_connect_swapped(self->save, "clicked", G_CALLBACK(on_save), self);
  gtk_box_append(GTK_BOX(line), self->entry);
  gtk_box_append(GTK_BOX(line), self->save);
  return line;
}

static GtkWidget *
make_content(LacPresetMenu *self)
{
  GtkWidget *box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 6);
  GtkWidget *scroller = gtk_scrolled_window_new();
  GtkWidget *rows = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0);
  self->list = gtk_list_box_new();
  self->nothing = gtk_label_new(_("No presets yet. Enter a name to save the current settings."));
  gtk_label_set_wrap(GTK_LABEL(self->nothing), TRUE);
  gtk_label_set_max_width_chars(GTK_LABEL(self->nothing), 36);
  gtk_widget_add_css_class(self->nothing, "dim-label");
  gtk_list_box_set_selection_mode(GTK_LIST_BOX(self->list), GTK_SELECTION_NONE);
  lac_accessible_name(self->list, _("Presets"));
  g_signal_connect(self->list, "row-activated", G_CALLBACK(on_apply), self);
  gtk_box_append(GTK_BOX(rows), self->list);
  gtk_box_append(GTK_BOX(rows), self->nothing);
  gtk_scrolled_window_set_policy(GTK_SCROLLED_WINDOW(scroller), GTK_POLICY_NEVER,
                                 GTK_POLICY_AUTOMATIC);
  gtk_scrolled_window_set_propagate_natural_height(GTK_SCROLLED_WINDOW(scroller), TRUE);
  gtk_scrolled_window_set_max_content_height(GTK_SCROLLED_WINDOW(scroller), 280);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), rows);
  gtk_widget_set_size_request(box, 340, -1);
  gtk_box_append(GTK_BOX(box), scroller);
  gtk_box_append(GTK_BOX(box), gtk_separator_new(GTK_ORIENTATION_HORIZONTAL));
  gtk_box_append(GTK_BOX(box), make_keeping(self));
  return box;
}

static void
lac_preset_menu_dispose(GObject *object)
{
  LacPresetMenu *self = LAC_PRESET_MENU(object);
  g_clear_pointer(&self->button, gtk_widget_unparent);
  g_clear_pointer(&self->renamed, g_free);
  G_OBJECT_CLASS(lac_preset_menu_parent_class)->dispose(object);
}

static void
lac_preset_menu_class_init(LacPresetMenuClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_preset_menu_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static void
lac_preset_menu_init(LacPresetMenu *self)
{
  self->button = gtk_menu_button_new();
  self->popover = gtk_popover_new();
  gtk_menu_button_set_label(GTK_MENU_BUTTON(self->button), _("Presets"));
  lac_accessible_name(self->button, _("Presets"));
  gtk_popover_set_child(GTK_POPOVER(self->popover), make_content(self));
  gtk_menu_button_set_popover(GTK_MENU_BUTTON(self->button), self->popover);
  g_signal_connect_swapped(self->popover, "show", G_CALLBACK(on_shown), self);
  gtk_widget_set_parent(self->button, GTK_WIDGET(self));
}

void
lac_preset_menu_set_experiment(LacPresetMenu *self, const LacExperiment *experiment)
{
  g_return_if_fail(LAC_IS_PRESET_MENU(self));
  self->experiment = experiment;
}

void
lac_preset_menu_popup(LacPresetMenu *self)
{
  g_return_if_fail(LAC_IS_PRESET_MENU(self));
  gtk_menu_button_popup(GTK_MENU_BUTTON(self->button));
}
