/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A text view that edits the note of a run. It saves a moment after the last key press, by the action win.runs-note. */
#pragma once

#include "app/session/run-item.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* Makes a text view the editor of a note; called once, before the other functions. */
void lac_note_editor_attach(GtkTextView *view);
/* Shows the note of a run and follows it, except while the user edits it; saves what was typed for the run before.
 * @item: (nullable): none */
void lac_note_editor_set_item(GtkTextView *view, LacRunItem *item);

G_END_DECLS
