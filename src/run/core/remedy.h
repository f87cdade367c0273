/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run that did not end well: what happened, when, why in all likelihood, and what to try; the same words in window and terminal. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft; /* as the run had it, with what is suggested */
  guint64              seed;
  char                *backend, *precision;
  char                *outcome; /* diverged, failed, interrupted */
  char                *what;    /* a sentence, translated where it was when the run ended */
  gint64               step;
  double               seconds;
  const char          *cause; /* (nullable): translated */
  const LacParam      *row;   /* (nullable): what to change */
  char                *before, *text;
  gint64               checkpoint; /* step of the last good one; -1: there is none */
} LacRemedy;

/* Whether a run of this outcome went wrong: only then are its files read. */
gboolean lac_remedy_is_wanted(const char *outcome);

/* Of a run that has ended. Returns: (transfer full) (nullable): NULL where it went well, or is of an experiment that is not known. */
LacRemedy *lac_remedy_find(const char *folder);
void       lac_remedy_free(LacRemedy *remedy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRemedy, lac_remedy_free)

/* Returns: (transfer full): what and when; the likely cause; what to try; each on its line. */
char *lac_remedy_dup_text(const LacRemedy *remedy);

/* Returns: (transfer full) (nullable): "Rate = 0.0025", for a button and a command line. */
char *lac_remedy_dup_change(const LacRemedy *remedy);

G_END_DECLS
