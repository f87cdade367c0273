/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A sitting as text: one command a line, when it was given, and what with. A person can read it, shorten it and write one.
 *
 *   0.000 win.configure::kolmogorov
 *   2.310 win.set-parameter(('reynolds', '80'))
 *   9.120 win.smooth = true
 *
 * Seconds since the beginning, the detailed name of the action; after = the state that it was given. Lines that begin with #
 * are words for the reader. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct {
  double    seconds;
  char     *action;   /* "win.smooth" */
  GVariant *value;    /* (nullable): the parameter, or the state */
  gboolean  is_state; /* the state is changed; else the action is activated */
  guint     line;     /* of the file, from 1 */
} LacSittingEntry;

void lac_sitting_entry_free(LacSittingEntry *entry);

/* Returns: (transfer full): without its end. */
char *lac_sitting_dup_line(const LacSittingEntry *entry);

/* Returns: (transfer full) (element-type LacSittingEntry): NULL with an error that says which line cannot be read. */
GPtrArray *lac_sitting_load(const char *path, GError **error);

G_END_DECLS
