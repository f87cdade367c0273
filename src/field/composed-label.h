/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels that contain a name: English in files, translated when displayed. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_LABEL_LOSS_OF,
  LAC_LABEL_FOUND,
  LAC_LABEL_WIDTH_OF,
  LAC_N_COMPOSED_LABELS
} LacComposedLabel;

/* Returns: (transfer none): the English label, interned. */
const char *lac_composed_label(LacComposedLabel kind, const char *name);

/* Returns: (transfer none): any label, composed or not, in the user's language if the catalogue has it. */
const char *lac_label_translate(const char *label);

G_END_DECLS
