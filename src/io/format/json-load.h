/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON of our own files as a tree, whoever wrote them. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* A file of ours is smaller; traces, which are not, are read as they stream. */
#define LAC_JSON_MOST_BYTES ((gsize) 64 << 20)

/* Arrays and objects in one another. The parser calls itself for each: what nests deeper would end the program. */
#define LAC_JSON_MOST_DEPTH 200

/**
 * lac_json_load:
 * @length: bytes of @text; -1: up to its zero
 *
 * Returns: whether @parser holds what @text says. %LAC_ERROR_BAD_FILE: no JSON, or deeper than %LAC_JSON_MOST_DEPTH.
 */
gboolean lac_json_load(JsonParser *parser, const char *text, gssize length, GError **error);

/* Likewise of a file. %LAC_ERROR_BAD_FILE also: missing, no regular file, larger than %LAC_JSON_MOST_BYTES. */
gboolean lac_json_load_file(JsonParser *parser, const char *path, GError **error);

G_END_DECLS
