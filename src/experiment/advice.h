/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person may try when a run diverged: one table for every laboratory and every solver of it. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

typedef struct {
  const char     *cause; /* translatable: the likely one, a sentence */
  const LacParam *row;   /* (nullable): what to change; NULL: there is nothing to suggest */
  char           *text;  /* the value to try, as lac_draft_set() takes it */
} LacAdvice;

/**
 * lac_advice_find:
 * @who: the solver that diverged, as LacStepReport has it; "" where it is not known
 *
 * The first row of the table that the experiment takes, of a parameter that is beyond its default before others: a value within its range, that changes something, and with which the
 * conditions between parameters hold. @advice is cleared with lac_advice_clear().
 */
void lac_advice_find(const LacExperiment *experiment,
                     const LacDraft      *draft,
                     const char          *who,
                     LacAdvice           *advice);
void lac_advice_clear(LacAdvice *advice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacAdvice, lac_advice_clear)

G_END_DECLS
