/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsed and validated options of `lacuna run`; written as a plan if requested. */
#pragma once

#include "run/core/run.h"
#include "run/plan/launch-options.h"
#include "run/plan/sweep.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacSweep            *sweep;  /* one combination if nothing is swept */
  LacLaunch            launch; /* from options and plan */
  char                *out, *resume, *again;
  char                *part_of; /* (nullable): the sweep of its runs */
  guint                n_seeds; /* 0: --seeds was not given */
  GStrv                devices; /* (nullable): those on which the runs compute at the same time */
  guint                batches; /* of each epoch that have a line (cli/batch-log.h) */
  gboolean             json, quiet,
    announces;            /* announces: print the path of the run's folder as soon as it exists */
  char *plan;             /* (nullable): path of the YAML plan that was read */
  char *write, *keep;     /* (nullable): plan file and preset name to write instead of running */
  LacContentCache *cache; /* NULL with --no-cache */
} LacRunRequest;

/* Parses the command line. Returns: (transfer full): %NULL with a usage error. @json is set as soon as its option has
 * been parsed, even if an error follows. */
LacRunRequest *lac_run_request_parse(int argc, char **argv, gboolean *json, GError **error);
void           lac_run_request_free(LacRunRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunRequest, lac_run_request_free)

/* Returns: the settings of a run with the values of @draft; they borrow from @request and @draft. */
LacRunSettings lac_run_request_settings(const LacRunRequest *request, LacDraft *draft);

/* Writes a run plan to the file and preset of @request. Comments and order are those of an existing file, else those
 * of the plan that @request was read from. Returns: FALSE with an error for the user. */
gboolean lac_run_request_write(const LacRunRequest *request, GError **error);

G_END_DECLS
