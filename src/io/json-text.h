/* SPDX-License-Identifier: GPL-3.0-or-later */
/* JSON as text that every reader takes. */
#pragma once

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): @root as text. json-glib 1.6 writes 4e-06 as 4e-06.0, which is no JSON; here it is. */
char *lac_json_dup_text(JsonNode *root, gboolean pretty);

G_END_DECLS
