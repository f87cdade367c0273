/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files that parameters name, loaded before a run or a plan begins. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* By what they hold, as LacContext wants them; each table owns what it holds. */
typedef struct {
  GHashTable *fields, *measurements, *exposures, *molecules;
} LacInputs;

void lac_inputs_init(LacInputs *inputs);
void lac_inputs_clear(LacInputs *inputs); /* a zeroed one too */
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacInputs, lac_inputs_clear)

/* Each file is read as its row declares it. Returns: FALSE with %LAC_ERROR_BAD_FILE; the sentence names the file. */
gboolean lac_inputs_load(LacInputs *inputs, const LacDraft *draft, GError **error);

/* @context: reads them as long as they are there. */
void lac_inputs_lend(const LacInputs *inputs, LacContext *context);

G_END_DECLS
