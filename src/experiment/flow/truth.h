/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The truth: the fields of a scene on a uniform grid over time. The first snapshots train modes and sensor placement;
 * the rest is observed and never used for training. Immutable once made. */
#pragma once

#include "base/memory-part.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_TRUTH_MAX_FIELDS 6

/* Training snapshots that stay in their file because they do not fit into memory. */
typedef struct {
  gpointer self;
  /* See LacPodRead: from any thread, one at a time; fast if points are read in order. */
  gboolean (*read)(gsize first, gsize n_points, double *slab, gpointer self, GError **error);
  void (*free)(gpointer self);
  char   *name;     /* unique name */
  double *mean;     /* [n_fields][ny][nx] */
  double *variance; /* [n_fields][ny][nx]: mean square deviation from the mean */
  double *last;     /* [n_fields][ny][nx]: the last of them */
} LacTrainingFile;

typedef struct {
  guint       n_fields;
  const char *fields
    [LAC_TRUTH_MAX_FIELDS]; /* "u", "v", "p": the fields of the equation, or only the first ones */
  gsize    nx, ny;          /* ny = 1 in one space dimension */
  double   lower[2], upper[2]; /* centres of the first and last columns and rows */
  gboolean periodic[2];  /* the period is n cells, so upper is one cell short of lower + period */
  guint8  *mask;         /* [ny][nx]: 1 inside the domain; NULL: everywhere */
  gsize    n_training;   /* training snapshots; 0: none */
  gsize    training_run; /* snapshots per contiguous series; 0: all */
  double   training_interval; /* interval within a series; 0: that of the first two observations */
  gsize    n_times;           /* observed times; 1 if steady */
  double  *times;             /* [n_times] */
  double  *training;          /* [n_training][n_fields][ny][nx]; NULL if n_training is 0 */
  LacTrainingFile       *
    file; /* file with the training snapshots, if they do not fit into memory; then `training` is NULL */
  double *observed; /* [n_times][n_fields][ny][nx]; NULL: unknown (user measurements) */
  double  error;    /* upper estimate of its own error, relative to its fluctuation; 0: none made */
  LacMemoryClaim claim;
} LacTruth;

/* Makes a truth of these sizes with all values zero; the caller sets the coordinates. */
LacTruth *lac_truth_new(guint              n_fields,
                        const char *const *fields,
                        gsize              nx,
                        gsize              ny,
                        gsize              n_training,
                        gsize              n_times);
void      lac_truth_free(LacTruth *truth);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTruth, lac_truth_free)

gsize         lac_truth_get_length(const LacTruth *truth);  /* values per snapshot */
const double *lac_truth_at(const LacTruth *truth, gsize k); /* [n_fields][ny][nx]; (nullable) */
/* Returns the destination of snapshot @i of a series: training snapshots first, then observed ones; NULL: beyond the
 * end. */
double *lac_truth_get_slot(LacTruth *truth, gsize i);
double  lac_truth_get_x(const LacTruth *truth, gsize column);
double  lac_truth_get_y(const LacTruth *truth, gsize row);

G_END_DECLS
