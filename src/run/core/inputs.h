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

/* Reads the files that decide about a run before it begins, where the draft has not been given what they hold since they were
 * named: conditions, estimate and outline of the draft know them then. Returns: FALSE with %LAC_ERROR_BAD_FILE; the sentence
 * names the file. */
gboolean lac_inputs_give(LacDraft *draft, GError **error);
/* All of them again: what is on the disk now. */
gboolean lac_inputs_give_anew(LacDraft *draft, GError **error);

/* Each file is read as its row declares it, but for what the draft has been given. Returns: FALSE with %LAC_ERROR_BAD_FILE; the sentence names the file. */
gboolean lac_inputs_load(LacInputs *inputs, const LacDraft *draft, GError **error);

/* @context: reads them as long as they are there. */
void lac_inputs_borrow(const LacInputs *inputs, LacContext *context);

G_END_DECLS
