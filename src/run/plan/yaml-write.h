/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writer of run plans in the YAML that run/plan/yaml.h reads; preserves comments and order of an existing text. */
#pragma once

#include "run/plan/yaml.h"

G_BEGIN_DECLS

/**
 * lac_yaml_write:
 * @model: (nullable): existing plan of the same experiment: only values that differ are changed in it; values that it
 *   omits and that are not the default are appended; NULL: a new text, each setting with its unit and label
 *
 * Returns: (transfer full): a text that lac_yaml_read_text() reads back as @plan, which is verified; %NULL with
 * %LAC_ERROR_NOT_IN_VERSION if there is none: for a user-defined equation without a @model.
 */
char *lac_yaml_write(const LacRunPlan *plan, const char *model, GError **error);

/* Writes @text to @path atomically. Returns: FALSE with %LAC_ERROR_UNWRITABLE. */
gboolean lac_yaml_save(const char *text, const char *path, GError **error);

G_END_DECLS
