/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One field of two runs as a frame of two channels, which the field view shows like truth and reconstruction. */
#pragma once

#include "io/runfile/run-file.h"

G_BEGIN_DECLS

typedef enum {
  LAC_LINK_STEP, /* the second run's stored frame nearest in step */
  LAC_LINK_TIME, /* nearest in compute time */
} LacLink;

typedef struct _LacComparisonSource LacComparisonSource;

/* Takes references. */
LacComparisonSource *lac_comparison_source_new(LacRunFile *first, LacRunFile *second);
void                 lac_comparison_source_free(LacComparisonSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacComparisonSource, lac_comparison_source_free)

gboolean lac_comparison_source_is_of_one_experiment(const LacComparisonSource *source);
/* Returns: the number of fields that both runs have; of different experiments without any, one: the first of each. */
gsize lac_comparison_source_get_n_fields(const LacComparisonSource *source);
/* Returns: (transfer full): the quantity of a field, "vorticity"; "" if it has none. */
char *lac_comparison_source_dup_quantity(const LacComparisonSource *source, gsize field);
/* Returns: (transfer none): the translated name of what a field comes from: "Ensemble Kalman filter", "Truth". */
const char *lac_comparison_source_get_label(const LacComparisonSource *source, gsize field);
/* Returns: the first reconstruction, else the first field. */
gsize lac_comparison_source_get_default(const LacComparisonSource *source);
/* Selects a field. Returns: (transfer none): its channels, the first run's and the second's; valid until the next
 * call. */
const LacChannel *lac_comparison_source_use(LacComparisonSource *source, gsize field);

gsize lac_comparison_source_get_n_frames(const LacComparisonSource *source); /* of the first run */
/* Returns: (transfer full): gsize: the frames of the first run to step through: those whose step the second run has
 * too; all of them if there is none, or by time; the last, beside the last of the second run, of another experiment. */
GArray *lac_comparison_source_list_frames(const LacComparisonSource *source, LacLink link);

/* Replaces values of the second plane that differ from those of the first by at most LAC_COMPARISON_ULPS rounding
 * errors of the largest value, so that their difference is 0 and its scale is not that of noise. Planes of different
 * shapes are left alone. */
#define LAC_COMPARISON_ULPS 4
void lac_comparison_drop_rounding(const LacPlane *first, LacPlane *second);

/* A field of two stored frames, to be read in a worker. */
typedef struct {
  LacRunFile *runs[2]; /* references */
  gsize       field;
  gsize       channels[2], frames[2]; /* of each run */
  gboolean    is_one_experiment;
} LacComparisonPair;

/* Returns: (transfer full): @field of frame @i of the first run, and of its counterpart */
LacComparisonPair *
lac_comparison_source_pair(const LacComparisonSource *source, gsize field, gsize i, LacLink link);
void lac_comparison_pair_free(LacComparisonPair *pair);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacComparisonPair, lac_comparison_pair_free)
/* Reads files. Any thread. Returns: (transfer full): two planes; NULL with an error */
LacFrame *lac_comparison_pair_load(const LacComparisonPair *pair, GError **error);

G_END_DECLS
