/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Labels with a name in them: English in files, in the person's language where they are shown. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_LABEL_LOSS_OF,
  LAC_LABEL_FOUND,
  LAC_LABEL_WIDTH_OF,
  LAC_N_COMPOSED_LABELS
} LacComposedLabel;

/* Returns: (transfer none): in English, interned. */
const char *lac_composed_label(LacComposedLabel kind, const char *name);

/* Returns: (transfer none): any label, composed or not, in the language of the person, where the catalogue has it. */
const char *lac_label_translate(const char *label);

G_END_DECLS
