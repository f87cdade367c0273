/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops over the pixels of waves: one table for each element type and instruction set. */
#pragma once

#include "backend/waves.h"

/* A stop, and the factor between the field's transform and the detector's. */
typedef struct {
  size_t         grid, detector, box;
  void          *field;  /* [N][N] */
  void          *fields; /* [d][d] */
  const int32_t *corner; /* (y, x) */
  const uint8_t *passes; /* [box * box] */
  double        *pupil;  /* (nullable) */
  double         factor;
} LacWaveStop;

/* The update of a stop in a sweep; a pupil_length of 0 leaves the pupil unchanged. */
typedef struct {
  double length, pupil_length, share;
  void  *change; /* [N][N]: what the field is to be changed by is added here; NULL: to the field */
} LacWaveFollow;

/* A box of k-space, in the field or its change, and the numbers of the same pixels in the object's transform. */
typedef struct {
  size_t  grid, height, width;
  size_t  row, column; /* the first, in the field */
  void   *field;       /* [N][N] */
  double *numbers;     /* [height][width] pairs */
} LacWaveBox;

/* The fields of one slot. */
typedef struct {
  LacWaveSlot      slot;
  void            *fields;   /* [n_along][d][d] */
  LacWaveDistance *distance; /* (nullable) */
  int
    follows; /* the fields become (base + share (m / a - 1)) u, and base u where m is not followed */
  double base, share;
} LacWaveLook;

typedef struct {
  /* The part of the field that a stop passes, at its place in the detector's transform, with zeros around it; its adjoint,
   * added to the field; and the update of field and pupil, see sweep in backend/waves.h. */
  void (*spread)(const LacWaveStop *stop);
  void (*gather)(const LacWaveStop *stop);
  void (*follow)(const LacWaveStop *stop, const LacWaveFollow *follow);
  void (*look)(const LacWaveSweep *args, const LacWaveLook *look);
  /* Write a box of the field from the object's transform, and the other way, which leaves zeros in the field. */
  void (*put)(const LacWaveBox *box);
  void (*take)(const LacWaveBox *box);
  /* Adds 1 to the weights, [N][N], of the pixels that a stop passes. */
  void (*count)(const LacWaveStop *stop, double *weights);
  /* Writes what average adds to the object's transform; the box is of object.change. */
  void (*average)(const LacWaveSweep *args, const LacWaveBox *box);
  /* Writes N change / weights in units of the object's transform; the box is of object.change, which stays. */
  void (*divide)(const LacWaveSweep *args, const LacWaveBox *box);
  /* Replaces the fields of a slot by the derivatives of its loss. Returns: the loss */
  double (*score)(const LacWaveSweep *args, LacWaveSlot slot, void *fields);
  LacWaveSlopes (*slopes)(const LacWaveSweep *args, LacWaveSlot slot);
  /* Writes the derivative of the amplitude of @fields when they change by @changes, 0 where nothing is measured; without
   * changes, m - a. [d*d] */
  void (*tangent)(const LacWaveSweep *args,
                  LacWaveSlot         slot,
                  const void         *fields,
                  const void         *changes,
                  double             *tangent);
  /* Products of @n_terms tangents with them and one more, [n_terms][n_terms + 1]. */
  void (*normals)(const double *tangents, size_t n_terms, size_t n, double *normals);
  /* y = a x + b y, pairs */
  void (*combine)(size_t n, double a, const void *x, double b, void *y);
  void (*compare)(const LacWaves *args, size_t slot);
  /* One row of the field, and of the object. */
  void (*object)(const LacWaves *args, size_t row);
  void (*bars)(const LacWaves *args, size_t row);
} LacWaveLoops;

#ifdef __x86_64__
#  define LAC_WAVE_LEVELS(L) L(baseline) L(v3) L(v4)
#else
#  define LAC_WAVE_LEVELS(L) L(baseline)
#endif

#define L(level)                                          \
  extern const LacWaveLoops lac_wave_loops_##level##_f32; \
  extern const LacWaveLoops lac_wave_loops_##level##_f64;
LAC_WAVE_LEVELS(L)
#undef L
