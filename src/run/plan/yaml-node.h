/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Helpers of YAML readers: documents, values, and error messages that begin with file, line and column. */
#pragma once

#include "base/error.h"

#include <glib.h>

#include <libfyaml.h>

G_BEGIN_DECLS

/* Reads the root of a document, which is valid only during the call. @root: (nullable): NULL: empty document. */
typedef gboolean (*LacYamlReader)(struct fy_node *root, gpointer data, GError **error);

/* Returns: the result of @read; %FALSE with LAC_ERROR_BAD_FILE if the file is missing or is not valid YAML. */
gboolean lac_yaml_visit(const char *path, LacYamlReader read, gpointer data, GError **error);
/* The same for @text; @path names it in messages. */
gboolean lac_yaml_visit_text(const char   *text,
                             const char   *path,
                             LacYamlReader read,
                             gpointer      data,
                             GError      **error);

typedef struct {
  const char     *path;
  struct fy_node *node;  /* (nullable): NULL: the whole file */
  int             shift; /* in characters, from the start of the node */
} LacYamlPlace;

/* Sets an error whose message begins with the position. Returns: %FALSE. */
gboolean
lac_yaml_refuse(const LacYamlPlace *place, LacError code, GError **error, const char *format, ...)
  G_GNUC_PRINTF(4, 5);

/* Returns: (transfer full) (nullable): the text of a scalar value. */
char *lac_yaml_dup_scalar(struct fy_node *node);

/* Returns TRUE when a value is on a single line. @first: (out): offset of its first character from the start of the
 * node: 1 if quoted, else 0. */
gboolean lac_yaml_is_on_a_line(struct fy_node *node, int *first);

G_END_DECLS
