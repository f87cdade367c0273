/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What readers of YAML files share: documents, values, and sentences that begin with file, line and column. */
#pragma once

#include "base/error.h"

#include <glib.h>

#include <libfyaml.h>

G_BEGIN_DECLS

/* Takes the root of a document, which lives no longer than the call. @root: (nullable): of an empty document. */
typedef gboolean (*LacYamlReader)(struct fy_node *root, gpointer data, GError **error);

/* Returns: what @read returns; %FALSE with LAC_ERROR_BAD_FILE where there is no file or it is no YAML. */
gboolean lac_yaml_visit(const char *path, LacYamlReader read, gpointer data, GError **error);
/* The same of @text; @path is what sentences call it. */
gboolean lac_yaml_visit_text(const char   *text,
                             const char   *path,
                             LacYamlReader read,
                             gpointer      data,
                             GError      **error);

typedef struct {
  const char     *path;
  struct fy_node *node;  /* (nullable): the whole file */
  int             shift; /* characters behind the node's beginning */
} LacYamlPlace;

/* A sentence that begins with the place. Returns: %FALSE. */
gboolean
lac_yaml_refuse(const LacYamlPlace *place, LacError code, GError **error, const char *format, ...)
  G_GNUC_PRINTF(4, 5);

/* Returns: (transfer full) (nullable): the text of a plain value. */
char *lac_yaml_dup_scalar(struct fy_node *node);

/* Whether a value stands on one line, with its first character how far behind its beginning: quotes. */
gboolean lac_yaml_is_on_a_line(struct fy_node *node, int *first);

G_END_DECLS
