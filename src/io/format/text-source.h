/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Streaming reader of long texts, decompressed if gzipped, through a moving window. */
#pragma once

#include <gio/gio.h>

G_BEGIN_DECLS

typedef struct _LacTextSource LacTextSource;

/* The window: bytes from @at to @end, followed by a zero. */
struct _LacTextSource {
  const char *at, *end;
  /*< private >*/
  char         *window;
  gsize         capacity;
  guint64       offset; /* offset of the window's first byte in the text */
  GInputStream *stream;
  gboolean      is_done, is_broken;
};

/* Returns: %NULL with %LAC_ERROR_BAD_FILE: missing, a folder, empty. */
LacTextSource *lac_text_source_open(const char *path, GError **error);
void           lac_text_source_free(LacTextSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTextSource, lac_text_source_free)

/* Reads more text into the window, which grows if needed. Bytes from @keep on are retained; when @keep is %NULL,
 * bytes from @at on. @keep, @at and @end move with the window. Returns: %FALSE at the end of the text. */
gboolean lac_text_source_more(LacTextSource *source, const char **keep);

/* Returns the offset of @at in the decompressed text, from 0. */
guint64 lac_text_source_tell(const LacTextSource *source);

/* Returns TRUE when the text ended because of a read or decompression error. */
gboolean lac_text_source_is_broken(const LacTextSource *source);

G_END_DECLS
