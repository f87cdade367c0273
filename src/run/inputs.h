/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that parameters name, loaded before a run or a plan begins. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* As LacContext wants them; each owns what it holds. */
GHashTable *lac_inputs_new_fields(void);
GHashTable *lac_inputs_new_measurements(void);

/* Returns: FALSE with %LAC_ERROR_BAD_FILE; the sentence names the file. */
gboolean lac_inputs_load(const LacDraft *draft,
                         GHashTable     *fields,
                         GHashTable     *measurements,
                         GError        **error);

G_END_DECLS
