/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Suggestions after a run has diverged: one table for all laboratories and methods. */
#pragma once

#include "experiment/experiment.h"

G_BEGIN_DECLS

typedef struct {
  const char     *cause; /* translatable: the likely cause, a sentence */
  const LacParam *row;   /* (nullable): parameter to change; NULL: no suggestion */
  char           *text;  /* suggested value, in the format of lac_draft_set() */
} LacAdvice;

/**
 * lac_advice_find:
 * @who: the method that diverged, from LacStepReport; "" if unknown
 *
 * Finds the first applicable row of the table, preferring parameters that exceed their defaults. The suggested value
 * is within its range, differs from the current one, and satisfies the conditions between parameters. @advice is
 * cleared with lac_advice_clear().
 */
void lac_advice_find(const LacExperiment *experiment,
                     const LacDraft      *draft,
                     const char          *who,
                     LacAdvice           *advice);
void lac_advice_clear(LacAdvice *advice);
G_DEFINE_AUTO_CLEANUP_CLEAR_FUNC(LacAdvice, lac_advice_clear)

G_END_DECLS
