/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Diagnosis of a run that did not end well: event, time, probable cause and a suggestion; the same text in window and
 * terminal. */
#pragma once

#include "run/core/run.h"

G_BEGIN_DECLS

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft; /* the run's settings with the suggested change */
  guint64              seed;
  char                *backend, *precision;
  char                *outcome; /* diverged, failed, interrupted */
  char                *what;    /* message, in the language of the run */
  gint64               step;
  double               seconds;
  const char          *cause; /* (nullable): probable cause, translated */
  const LacParam      *row;   /* (nullable): parameter to change */
  char                *before, *text;
  gint64               checkpoint; /* step of the last good checkpoint; -1: none */
} LacRemedy;

/* Returns TRUE for an outcome that went wrong, so that lac_remedy_find() is worth calling; reads no files. */
gboolean lac_remedy_is_wanted(const char *outcome);

/* Diagnoses a run that has ended. Returns: (transfer full) (nullable): NULL if it went well, or its experiment is not
 * registered. */
LacRemedy *lac_remedy_find(const char *folder);
void       lac_remedy_free(LacRemedy *remedy);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRemedy, lac_remedy_free)

/* Returns: (transfer full): event and time, probable cause, suggestion; one per line. */
char *lac_remedy_dup_text(const LacRemedy *remedy);

/* Returns: (transfer full) (nullable): "Rate = 0.0025", for a button and a command line. */
char *lac_remedy_dup_change(const LacRemedy *remedy);

G_END_DECLS
