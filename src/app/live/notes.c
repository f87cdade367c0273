/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "app/live/notes.h"

#include "app/toolkit/accessible.h"
#include "io/runfile/notes.h"

#include <glib/gi18n-lib.h>

struct _LacLiveNotes {
  GtkWidget    parent_instance;
  GtkWidget   *box;
  GtkEntry    *tags;
  GtkTextView *note;
  char        *folder; /* (nullable) */
};

G_DEFINE_FINAL_TYPE(LacLiveNotes, lac_live_notes, GTK_TYPE_WIDGET)

static void
save_tags(LacLiveNotes *self)
{
  g_auto(LacRunNotes) saved = {0};
  const char         *text = gtk_editable_get_text(GTK_EDITABLE(self->tags));
  if (self->folder == NULL)
    return;
  lac_run_notes_read(self->folder, &saved);
  g_autofree char *before = g_strjoinv(", ", saved.tags);
  if (!g_str_equal(before, text))
    gtk_widget_activate_action(GTK_WIDGET(self), "win.runs-tag", "(ss)", self->folder, text);
}

static void
save_note(LacLiveNotes *self)
{
  GtkTextBuffer      *buffer = gtk_text_view_get_buffer(self->note);
  g_auto(LacRunNotes) saved = {0};
  GtkTextIter         begin, end;
  if (self->folder == NULL)
    return;
  gtk_text_buffer_get_bounds(buffer, &begin, &end);
  g_autofree char *text = gtk_text_buffer_get_text(buffer, &begin, &end, FALSE);
  lac_run_notes_read(self->folder, &saved);
  if (!g_str_equal(saved.text, text))
    gtk_widget_activate_action(GTK_WIDGET(self), "win.runs-note", "(ss)", self->folder, text);
}

void
lac_live_notes_set_session(LacLiveNotes *self, LacSession *session)
{
  g_return_if_fail(LAC_IS_LIVE_NOTES(self));
  g_auto(LacRunNotes) saved = {0};
  save_tags(self);
  g_free(self->folder);
  self->folder = session != NULL ? g_strdup(lac_session_get_folder(session)) : NULL;
  gtk_widget_set_sensitive(GTK_WIDGET(self), self->folder != NULL);
  if (self->folder != NULL)
    lac_run_notes_read(self->folder, &saved);
  g_autofree char *tags = saved.tags != NULL ? g_strjoinv(", ", saved.tags) : g_strdup("");
  gtk_editable_set_text(GTK_EDITABLE(self->tags), tags);
  gtk_text_buffer_set_text(gtk_text_view_get_buffer(self->note),
                           saved.text != NULL ? saved.text : "", -1);
}

static void
lac_live_notes_dispose(GObject *object)
{
  LacLiveNotes *self = LAC_LIVE_NOTES(object);
  g_clear_pointer(&self->folder, g_free);
  g_clear_pointer(&self->box, gtk_widget_unparent);
  G_OBJECT_CLASS(lac_live_notes_parent_class)->dispose(object);
}

static void
lac_live_notes_class_init(LacLiveNotesClass *class)
{
  G_OBJECT_CLASS(class)->dispose = lac_live_notes_dispose;
  gtk_widget_class_set_layout_manager_type(GTK_WIDGET_CLASS(class), GTK_TYPE_BIN_LAYOUT);
}

static GtkWidget *
make_note(LacLiveNotes *self)
{
  GtkWidget *button = gtk_menu_button_new(), *popover = gtk_popover_new();
  GtkWidget *scroller = gtk_scrolled_window_new();
  self->note = GTK_TEXT_VIEW(gtk_text_view_new());
  gtk_text_view_set_wrap_mode(self->note, GTK_WRAP_WORD_CHAR);
  gtk_text_view_set_accepts_tab(self->note, FALSE);
  lac_accessible_name(self->note, _("Note"));
  gtk_widget_set_size_request(scroller, 280, 160);
  gtk_scrolled_window_set_child(GTK_SCROLLED_WINDOW(scroller), GTK_WIDGET(self->note));
  gtk_popover_set_child(GTK_POPOVER(popover), scroller);
  g_signal_connect_swapped(popover, "closed", G_CALLBACK(save_note), self);
  gtk_menu_button_set_popover(GTK_MENU_BUTTON(button), popover);
  gtk_menu_button_set_label(GTK_MENU_BUTTON(button), _("Note"));
  gtk_menu_button_set_direction(GTK_MENU_BUTTON(button), GTK_ARROW_UP);
  lac_accessible_name(button, _("Note"));
  return button;
}

static void
lac_live_notes_init(LacLiveNotes *self)
{
  GtkEventController *focus = gtk_event_controller_focus_new();
  self->box = gtk_box_new(GTK_ORIENTATION_HORIZONTAL, 6);
  self->tags = GTK_ENTRY(gtk_entry_new());
  gtk_entry_set_placeholder_text(self->tags, _("Tags"));
  gtk_editable_set_width_chars(GTK_EDITABLE(self->tags), 6);
  gtk_widget_set_hexpand(GTK_WIDGET(self->tags), TRUE);
  lac_accessible_name(self->tags, _("Tags"));
  g_signal_connect_swapped(self->tags, "activate", G_CALLBACK(save_tags), self);
  g_signal_connect_swapped(focus, "leave", G_CALLBACK(save_tags), self);
  gtk_widget_add_controller(GTK_WIDGET(self->tags), focus);
  gtk_box_append(GTK_BOX(self->box), GTK_WIDGET(self->tags));
  gtk_box_append(GTK_BOX(self->box), make_note(self));
  gtk_widget_set_parent(self->box, GTK_WIDGET(self));
}
