/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is to be found: the fields of a scene on a uniform grid over time. The first snapshots train modes and places, the
 * rest is observed and never trained on. Immutable once made. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

#define LAC_TRUTH_MAX_FIELDS 6

/* Training snapshots that stay in their file, since there is no room for them. */
typedef struct {
  gpointer self;
  /* As LacPodRead: from any thread, one at a time; quick where points come in their order. */
  gboolean (*read)(gsize first, gsize n_points, double *slab, gpointer self, GError **error);
  void (*free)(gpointer self);
  char   *name;     /* tells them from all others */
  double *mean;     /* [n_fields][ny][nx] */
  double *variance; /* [n_fields][ny][nx]: mean square of what differs from the mean */
} LacTrainingFile;

typedef struct {
  guint n_fields;
  const char
    *fields[LAC_TRUTH_MAX_FIELDS]; /* "u", "v", "p": those of the equation, or the first of them */
  gsize    nx, ny;                 /* ny = 1 in one space dimension */
  double   lower[2], upper[2];     /* centres of the first and the last column and row */
  gboolean periodic[2];       /* then the period is n cells, and upper is one cell short of it */
  guint8  *mask;              /* [ny][nx]: 1 inside the domain; NULL: everywhere */
  gsize    n_training;        /* snapshots that train; 0: there are none */
  gsize    training_run;      /* of them one after the other in time, of one flow; 0: all */
  double   training_interval; /* time from one to the next; 0: as between the first two observed */
  gsize    n_times;           /* observed; 1 when steady */
  double  *times;             /* [n_times] */
  double  *training;          /* [n_training][n_fields][ny][nx]; NULL with n_training 0, */
  LacTrainingFile *file;      /* or where they stay there */
  double *observed; /* [n_times][n_fields][ny][nx]; NULL: nobody knows (own measurements) */
} LacTruth;

/* Everything zero but the shape; coordinates are left to the maker. */
LacTruth *lac_truth_new(guint              n_fields,
                        const char *const *fields,
                        gsize              nx,
                        gsize              ny,
                        gsize              n_training,
                        gsize              n_times);
void      lac_truth_free(LacTruth *truth);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacTruth, lac_truth_free)

gsize         lac_truth_get_length(const LacTruth *truth);  /* numbers a snapshot */
const double *lac_truth_at(const LacTruth *truth, gsize k); /* [n_fields][ny][nx]; (nullable) */
/* Where snapshot @i of a series goes: those that train first, then those that are observed; NULL: beyond. */
double *lac_truth_get_slot(LacTruth *truth, gsize i);
double  lac_truth_get_x(const LacTruth *truth, gsize column);
double  lac_truth_get_y(const LacTruth *truth, gsize row);

G_END_DECLS
