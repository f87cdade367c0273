/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs in processes of their own, as the command line waits for them. */
#pragma once

#include "run/plan/run-child.h"

G_BEGIN_DECLS

typedef struct {
  const char *model;    /* (nullable): the file that the settings came from */
  gboolean    is_quiet; /* no progress on standard error */
  gboolean    announces;
  gboolean (*is_stopped)(void); /* asked ten times a second */
} LacApart;

/* Starts the run and waits for its end. Says once why it has a process of its own. Returns: (transfer full): its result; %NULL with an
 * error, or without one where there can be no such process. */
JsonObject *lac_run_apart(const LacRunSettings *settings, const LacApart *apart, GError **error);

G_END_DECLS
