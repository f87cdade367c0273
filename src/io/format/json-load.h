/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading of Lacuna's own JSON files as trees, safe for untrusted input. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Upper limit for Lacuna's own files; traces, which may be larger, are streamed. */
#define LAC_JSON_MOST_BYTES ((gsize) 64 << 20)

/* Maximum nesting of arrays and objects. The parser is recursive: deeper nesting would overflow the stack. */
#define LAC_JSON_MOST_DEPTH 200

/**
 * lac_json_load:
 * @length: bytes of @text; -1: it is zero-terminated
 *
 * Returns: TRUE when @parser holds the tree of @text; FALSE with %LAC_ERROR_BAD_FILE: not JSON, or deeper than
 * %LAC_JSON_MOST_DEPTH.
 */
gboolean lac_json_load(JsonParser *parser, const char *text, gssize length, GError **error);

/* Does the same for a file. Sets %LAC_ERROR_BAD_FILE also if the file is missing, not a regular file or larger than
 * %LAC_JSON_MOST_BYTES. */
gboolean lac_json_load_file(JsonParser *parser, const char *path, GError **error);

G_END_DECLS
