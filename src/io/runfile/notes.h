/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The user's notes on a run: tags, a note and the baseline mark. They have a small file of their own; the recorded
 * data stay unchanged. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  GStrv    tags; /* never NULL; sorted, without duplicates */
  char    *text; /* never NULL */
  gboolean is_baseline;
} LacRunNotes;

/* Reads the notes of a run; missing or unreadable notes are empty. */
void lac_run_notes_read(const char *folder, LacRunNotes *notes);
void lac_run_notes_clear(LacRunNotes *notes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacRunNotes, lac_run_notes_clear)

/* Replaces the file; empty notes delete it. Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL. */
gboolean lac_run_notes_write(const char *folder, const LacRunNotes *notes, GError **error);

/* @text: words separated by commas or spaces. Returns: (transfer full): the tags, sorted and without duplicates. */
GStrv lac_run_notes_parse_tags(const char *text);

G_END_DECLS
