/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as text that every reader takes. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): @root as text. json-glib 1.6 writes 4e-06 as 4e-06.0, which is no JSON; here it is. */
char *lac_json_dup_text(JsonNode *root, gboolean pretty);

/* Members of the object that @builder is in; what is not finite becomes null, as JSON has no other numbers. */
void lac_json_add_text(JsonBuilder *builder, const char *name, const char *value);
void lac_json_add_integer(JsonBuilder *builder, const char *name, gint64 value);
void lac_json_add_number(JsonBuilder *builder, const char *name, double value);

G_END_DECLS
