/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run plan written as the YAML that run/plan/yaml.h reads; where there was a text already, its comments and its order stay. */
#pragma once

#include "run/plan/yaml.h"

G_BEGIN_DECLS

/**
 * lac_yaml_write:
 * @model: (nullable): a text that describes a run of the same experiment: only values that differ are changed in it, what it
 *   leaves out and is not as usual comes behind what it has; NULL: a new text, each setting with its unit and label
 *
 * Returns: (transfer full): a text that lac_yaml_read_text() reads back as @plan, which is checked; %NULL with
 * %LAC_ERROR_NOT_IN_VERSION where there is no such text: of an equation of one's own without a @model.
 */
char *lac_yaml_write(const LacRunPlan *plan, const char *model, GError **error);

/* Writes @text to @path, whole or not at all. Returns: FALSE with %LAC_ERROR_UNWRITABLE. */
gboolean lac_yaml_save(const char *text, const char *path, GError **error);

G_END_DECLS
