/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory of an estimate for the backend, shared by the files that enqueue its waves. */
#pragma once

#include "experiment/imaging/methods/exposure-memory.h"
#include "experiment/imaging/methods/k-space.h"

G_BEGIN_DECLS

/* Recorded once where the device can: the sweep, of a field with the way back to the object; the way to k-space with the
 * survey; the survey alone; the parts of an iteration over exit waves; those of a descent; normal equations. */
typedef enum {
  LAC_K_SPACE_SWEEP,
  LAC_K_SPACE_SURVEY,
  LAC_K_SPACE_TRY,
  LAC_K_SPACE_COLLECT,
  LAC_K_SPACE_AVERAGE,
  LAC_K_SPACE_RELAX,
  LAC_K_SPACE_GRADIENT,
  LAC_K_SPACE_DESCENT,
  LAC_K_SPACE_OBJECT,
  LAC_K_SPACE_SCORE,
  LAC_K_SPACE_NORMALS,
  LAC_K_SPACE_N_PARTS,
} LacKSpacePart;

/* Enqueues a part; its errors are noted. */
typedef void (*LacKSpaceEnqueuing)(LacKSpace *k);

typedef struct {
  LacKSpace         *k;
  LacKSpaceEnqueuing enqueue;   /* NULL: has not run yet */
  LacDeviceOperation operation; /* in the times of the device */
  LacRecordedStep   *step;
} LacKSpaceRun;

struct _LacKSpace {
  LacImagingEstimate *h;
  LacDevice           device;
  gboolean            owns_device;
  LacExposureMemory   memory;
  LacMemoryClaim      claim;
  LacWaveSweep        waves;
  LacWaveTransform    grid;       /* forward */
  gboolean            has_object; /* values on the device, which a prior may constrain */
  LacKSpaceKind       kind;
  LacKSpaceRun        runs[LAC_K_SPACE_N_PARTS];
  double *device_lengths, *device_pupil_length; /* places of waves.lengths and .pupil_length */
  double *values, *mask;                        /* of the object, on the device */
  double *derivatives;                          /* of the pupil, on the device */
  /* conjugate gradients, on the device */
  LacWaveConjugate conjugate;
  LacWaveNewton    newton;
  gpointer         steps;
  double          *conditioning; /* [N][N] */
  double          *before;       /* the last gradient */
  double          *numbers;      /* of conjugate */
  /* a likelihood, on the device */
  LacWaveVariables variables;
  gsize            n_variables;
  double          *theta, *trial; /* the variables of the object; those that variables reads */
  /* host copies */
  gpointer   pairs;     /* [N*N]; NULL with values */
  double    *apertures; /* [N*N], of conjugate gradients */
  double    *losses;    /* [n_positions], then the penalties of the object's rows */
  double    *lengths;   /* [n_positions]: here and below, in the order of the slots */
  LacMisfit *misfits;
};

/* Runs a part, always with the same @enqueue; from its recording if there is one. */
void lac_k_space_run(LacKSpace *k, LacKSpacePart part, LacKSpaceEnqueuing enqueue);

void lac_k_space_note(LacKSpace *k, LacStatus status);
/* Returns the pixels of all exit waves. */
gsize lac_k_space_count_waves(const LacKSpace *k);
/* Gives @object to the device: its values, or the field that is then transformed. */
void lac_k_space_put_object(LacKSpace *k, const double complex *object);
/* Takes the object from where the device has left it. */
void lac_k_space_take_object(LacKSpace *k, double complex *object);
/* Finds the field of the object that was put. */
void lac_k_space_find_field(LacKSpace *k);
/* Gives the object of the estimate to the device. A comparison has left its field there, except after a checkpoint; the
 * sweep of an object finds its own. */
void lac_k_space_begin_pass(LacKSpace *k);
/* Takes the object of the estimate from the device. */
void lac_k_space_end_pass(LacKSpace *k);
/* Between sweeps, a position search may have moved apertures. */
void lac_k_space_refresh(LacKSpace *k);
/* y = x, or y += factor x with a factor on the device, over @n numbers of the device. */
void lac_k_space_add(LacKSpace *k, gsize n, const double *factor, const double *x, double *y);
/* Makes slot @v the exposure v. */
void lac_k_space_order_slots(LacKSpace *k);

G_END_DECLS
