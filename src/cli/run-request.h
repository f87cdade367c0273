/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The options of `lacuna run`, checked; written as a plan where that is asked for. */
#pragma once

#include "run/core/run.h"
#include "run/plan/launch-options.h"
#include "run/plan/sweep.h"

#include <glib.h>

G_BEGIN_DECLS

typedef struct {
  const LacExperiment *experiment;
  LacDraft            *draft;
  LacSweep            *sweep;  /* one combination where nothing is swept */
  LacLaunch            launch; /* of options and plan */
  char                *out, *resume, *again;
  guint                n_seeds;                /* 0: --seeds was not given */
  gboolean             json, quiet, announces; /* announces: prints the folder when there is one */
  char                *plan;                   /* (nullable): the file of YAML that it came from */
  char            *write, *keep; /* (nullable): a file, a preset: written down there and not run */
  LacContentCache *cache;        /* NULL with --no-cache */
} LacRunRequest;

/* Returns: (transfer full): %NULL with an error of the command line. @json is set as soon as it is known. */
LacRunRequest *lac_run_request_parse(int argc, char **argv, gboolean *json, GError **error);
void           lac_run_request_free(LacRunRequest *request);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacRunRequest, lac_run_request_free)

/* Returns: the settings of a run with the values of @draft; they borrow from @request and @draft. */
LacRunSettings lac_run_request_settings(const LacRunRequest *request, LacDraft *draft);

/* Writes a run plan to the file and under the name that @request has. A file that is there keeps its comments and its order, else
 * those of the plan that the request came from are taken over. Returns: FALSE with an error for the person. */
gboolean lac_run_request_write(const LacRunRequest *request, GError **error);

G_END_DECLS
