/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person says of a run: tags, a note, whether it is the baseline. A small file beside the record, which stays as it is. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  GStrv    tags; /* never NULL; sorted, each once */
  char    *text; /* never NULL */
  gboolean is_baseline;
} LacRunNotes;

/* What is not there or cannot be read is empty. */
void lac_run_notes_read(const char *folder, LacRunNotes *notes);
void lac_run_notes_clear(LacRunNotes *notes);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacRunNotes, lac_run_notes_clear)

/* Replaces the file; notes that say nothing remove it. Returns: FALSE with %LAC_ERROR_UNWRITABLE or %LAC_ERROR_DISK_FULL. */
gboolean lac_run_notes_write(const char *folder, const LacRunNotes *notes, GError **error);

/* @text: words separated by commas or spaces. Returns: (transfer full): tags as notes hold them. */
GStrv lac_run_notes_parse_tags(const char *text);

G_END_DECLS
