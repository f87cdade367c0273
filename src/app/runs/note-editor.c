/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The state of an editor is data of its text view. */
#include "app/runs/note-editor.h"

#include "app/toolkit/accessible.h"

#include <glib/gi18n-lib.h>

#define SAVE_MS 600 /* delay after the last key press */
#define NOTE    "note"

typedef struct {
  GtkTextView *view; /* borrowed */
  LacRunItem  *item; /* (nullable) */
  gulong       updated;
  guint        save; /* source */
  gboolean     filling;
} Note;

static Note *
note_of(GtkTextView *view)
{
  return g_object_get_data(G_OBJECT(view), NOTE);
}

static void
save(Note *note)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(note->view);
  GtkTextIter    begin, end;
  g_clear_handle_id(&note->save, g_source_remove);
  gtk_text_buffer_get_bounds(buffer, &begin, &end);
  g_autofree char *text = gtk_text_buffer_get_text(buffer, &begin, &end, FALSE);
  if (!g_str_equal(lac_run_item_get(note->item)->note, text))
    gtk_widget_activate_action(GTK_WIDGET(note->view), "win.runs-note", "(ss)",
                               lac_run_item_get(note->item)->path, text);
}

static gboolean
on_save(gpointer note)
{
  ((Note *) note)->save = 0;
  save(note);
  return G_SOURCE_REMOVE;
}

static void
on_changed(Note *note)
{
  if (note->filling || note->item == NULL)
    return;
  g_clear_handle_id(&note->save, g_source_remove);
  note->save = g_timeout_add(SAVE_MS, on_save, note);
}

static void
fill(Note *note)
{
  GtkTextBuffer *buffer = gtk_text_view_get_buffer(note->view);
  const char    *text = note->item != NULL ? lac_run_item_get(note->item)->note : "";
  note->filling = TRUE;
  gtk_text_buffer_set_text(buffer, text, -1);
  note->filling = FALSE;
}

static void
on_updated(Note *note)
{
  if (!gtk_widget_has_focus(GTK_WIDGET(note->view)) && note->save == 0)
    fill(note);
}

static void
leave(Note *note)
{
  if (note->item == NULL)
    return;
  g_signal_handler_disconnect(note->item, note->updated);
  g_clear_object(&note->item);
}

static void
note_free(gpointer data)
{
  Note *note = data;
  g_clear_handle_id(&note->save, g_source_remove);
  leave(note);
  g_free(note);
}

void
lac_note_editor_attach(GtkTextView *view)
{
  g_return_if_fail(GTK_IS_TEXT_VIEW(view));
  Note *note = g_new0(Note, 1);
  note->view = view;
  g_object_set_data_full(G_OBJECT(view), NOTE, note, note_free);
  g_signal_connect_data(gtk_text_view_get_buffer(view), "changed", G_CALLBACK(on_changed), note,
                        NULL, G_CONNECT_SWAPPED);
  lac_accessible_name(view, _("Note"));
}

void
lac_note_editor_set_item(GtkTextView *view, LacRunItem *item)
{
  g_return_if_fail(GTK_IS_TEXT_VIEW(view) && note_of(view) != NULL);
  Note *note = note_of(view);
  if (item == note->item)
    return;
  if (note->save != 0)
    save(note);
  leave(note);
  if (item != NULL) {
    note->item = g_object_ref(item);
    note->updated = g_signal_connect_swapped(item, "updated", G_CALLBACK(on_updated), note);
  }
  fill(note);
}
