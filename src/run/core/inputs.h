/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Input files named by parameters, loaded before a run or a plan begins. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

/* Contents by kind, as LacContext takes them; each table owns its contents. */
typedef struct {
  GHashTable *fields, *measurements, *exposures, *molecules;
} LacInputs;

void lac_inputs_init(LacInputs *inputs);
void lac_inputs_clear(LacInputs *inputs); /* accepts a zeroed struct */
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacInputs, lac_inputs_clear)

/* Reads the files of parameters that have a nonzero @given and attaches their contents to the draft. Call it before a
 * run begins: conditions, estimate and outline of the draft depend on these contents. Skips a file whose content is
 * already attached. Returns: FALSE with %LAC_ERROR_BAD_FILE; the message names the file. */
gboolean lac_inputs_give(LacDraft *draft, GError **error);
/* Like lac_inputs_give(), but reads every file again from disk. */
gboolean lac_inputs_give_anew(LacDraft *draft, GError **error);

/* Loads every file that @draft names, in the format that its parameter declares; content already attached to the
 * draft is not read again. Returns: FALSE with %LAC_ERROR_BAD_FILE; the message names the file. */
gboolean lac_inputs_load(LacInputs *inputs, const LacDraft *draft, GError **error);

/* Sets the inputs on @context without copying; @inputs must outlive it. */
void lac_inputs_borrow(const LacInputs *inputs, LacContext *context);

G_END_DECLS
