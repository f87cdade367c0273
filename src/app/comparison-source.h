/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Fields of two runs as one frame of two channels, so that the field view shows them as it shows truth and reconstruction. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef enum {
  LAC_LINK_STEP, /* the kept frame of the second run nearest in steps */
  LAC_LINK_TIME, /* nearest in compute time */
} LacLink;

typedef struct _LacComparisonSource LacComparisonSource;

/* Takes references. */
LacComparisonSource *lac_comparison_source_new(LacRunFile *first, LacRunFile *second);
void                 lac_comparison_source_free(LacComparisonSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacComparisonSource, lac_comparison_source_free)

/* Fields that both runs have. */
gsize lac_comparison_source_get_n_fields(const LacComparisonSource *source);
/* Returns: (transfer full): "vorticity · Ensemble Kalman filter", translated. */
char *lac_comparison_source_dup_label(const LacComparisonSource *source, gsize field);
/* The one that says most: the first reconstruction. */
gsize lac_comparison_source_get_default(const LacComparisonSource *source);
/* (transfer none): two of them, for the life of the source, until the next call: the first run's, then the second's. */
const LacChannel *lac_comparison_source_use(LacComparisonSource *source, gsize field);

gsize lac_comparison_source_get_n_frames(const LacComparisonSource *source); /* of the first run */
/* Returns: (transfer full): frame @i of the first run with its counterpart; @frames: (out): which of either run they are.
 * %NULL with an error. */
LacFrame *lac_comparison_source_load(const LacComparisonSource *source,
                                     gsize                      i,
                                     LacLink                    link,
                                     gsize                      frames[2],
                                     GError                   **error);

G_END_DECLS
