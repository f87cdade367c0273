/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A long text read piece by piece, unpacked where gzip packed it: what a scanner looks at is a window that it moves. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LacTextSource LacTextSource;

/* The window: bytes from @at to @end, and a zero behind them. */
struct _LacTextSource {
  const char *at, *end;
  /*< private >*/
  char         *window;
  gsize         capacity;
  guint64       offset; /* of the window's first byte in the text */
  GInputStream *stream;
  gboolean      is_done, is_broken;
};

/* Returns: %NULL with %LAC_ERROR_BAD_FILE: missing, a folder, empty. */
LacTextSource *lac_text_source_open(const char *path, GError **error);
void           lac_text_source_free(LacTextSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTextSource, lac_text_source_free)

/* Reads on. Bytes from @keep on stay in the window, which grows where it must; @keep, or @at where that is %NULL, is the first
 * byte that stays. Both pointers and @at move with it. Returns: %FALSE at the end of the text. */
gboolean lac_text_source_more(LacTextSource *source, const char **keep);

/* Of the byte at @at, counted from 0 in the unpacked text. */
guint64 lac_text_source_tell(const LacTextSource *source);

/* Whether the text ended because the file could not be read or unpacked any further. */
gboolean lac_text_source_is_broken(const LacTextSource *source);

G_END_DECLS
