/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of run plans in the YAML that run/plan/yaml.h reads; preserves comments and order of an existing text. */
#pragma once

#include "run/plan/yaml.h"

G_BEGIN_DECLS

/**
 * lac_yaml_write:
 * @model: (nullable): existing plan of the same experiment. Only values that differ are changed in its text; values
 *   missing from it are appended unless they are defaults. NULL: a new text, each setting with its unit and label
 *
 * Returns: (transfer full): a text, verified to be read back by lac_yaml_read_text() as @plan; %NULL with
 *   %LAC_ERROR_NOT_IN_VERSION if none can be written, as for a user-defined equation without a @model.
 */
char *lac_yaml_write(const LacRunPlan *plan, const char *model, GError **error);

/* Writes @text to @path atomically. Returns: FALSE with %LAC_ERROR_UNWRITABLE. */
gboolean lac_yaml_save(const char *text, const char *path, GError **error);

G_END_DECLS
