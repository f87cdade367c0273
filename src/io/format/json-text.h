/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON text that any parser can read. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): @root as text. Works around json-glib 1.6, which writes 4e-06 as 4e-06.0, invalid JSON. */
char *lac_json_dup_text(JsonNode *root, gboolean pretty);

/* Add members to the current object of @builder; a non-finite value becomes null, as JSON has no NaN. */
void lac_json_add_text(JsonBuilder *builder, const char *name, const char *value);
void lac_json_add_integer(JsonBuilder *builder, const char *name, gint64 value);
void lac_json_add_number(JsonBuilder *builder, const char *name, double value);

G_END_DECLS
