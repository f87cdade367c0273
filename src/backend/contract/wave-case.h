/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Cases of the waves of scan positions, and what their kernels must answer by definitions that are sums in double precision:
 * no fast transform, no folded lines. */
#pragma once

#include "backend/band-transform.h"
#include "backend/contract/private.h"
#include "backend/waves.h"

#include <complex.h>

/* Roundings of single pixels of sums over the box and the detector. */
#define ROUNDINGS 400

enum { GRID = 14, DETECTOR = 8, BOX = 5, N_ALONG = 2, N_VISITS = 4, N_SLOTS = 5, N_ROOM = 2 };
enum { N_FIELD = GRID * GRID, N_PIXELS = DETECTOR * DETECTOR, N_BOX = BOX * BOX };
enum { N_STOPS = N_VISITS * N_ALONG, SUPPORT = 10, N_OBJECT = SUPPORT * SUPPORT, N_TERMS = 3 };

/* A scan position may come again; one is empty, one rests. */
extern const LacWaveSlot lac_wave_case_slots[N_SLOTS];

typedef struct {
  LacWaveSweep       args;
  LacContractBuffer *field; /* pairs */
  double             pupil[2 * N_BOX], lengths[N_SLOTS], pupil_length;
  double             amplitudes[N_VISITS * N_PIXELS], sigma[N_VISITS * N_PIXELS];
  double             noise[LAC_WAVE_NOISE];
  double             derivatives[N_TERMS * 2 * N_BOX]; /* of the pupil */
  gint32             corners[2 * N_STOPS];
  guint8             passes[N_STOPS * N_BOX];
  /* of a constrained object */
  double             values[2 * N_OBJECT], mask[N_OBJECT];
  LacBandTransform  *transform;
  LacContractBuffer *change, *waves; /* pairs; waves: of exit waves */
} LacWaveCase;

/* The expected result. */
typedef struct {
  double complex  object[N_FIELD], pupil[N_BOX]; /* the field over the side of the grid */
  double complex  values[N_OBJECT];              /* of a constrained object */
  double complex  waves[N_STOPS][N_PIXELS], change[N_FIELD];
  double          weights[N_FIELD];
  LacWaveDistance distances[N_SLOTS];
} LacWaveAnswer;

gsize        lac_wave_case_choose(LacContract *contract, gsize n);
LacWaveCase *lac_wave_case_new(LacContract *contract);
void         lac_wave_case_free(LacContract *contract, LacWaveCase *it);
/* Lets the sweep be of an object that a prior constrains: real or not, bounded or not, within a mask or not. */
void  lac_wave_case_constrain(LacContract *contract, LacWaveCase *it, int kind);
void  lac_wave_case_begin(const LacWaveCase *it, LacWaveAnswer *right);
gsize lac_wave_case_in_grid(const LacWaveCase *it, gsize stop, gsize i);
/* Finds the fields of a slot, orthonormal: u = sum of P O e^(...) / d. */
void lac_wave_case_find_fields(const LacWaveCase   *it,
                               const LacWaveAnswer *right,
                               gsize                slot,
                               double               complex (*fields)[N_PIXELS]);
/* Adds the distance at one pixel, and returns the factor of its fields. */
double
lac_wave_case_look(const LacWaveCase *it, gsize slot, gsize j, double a, LacWaveDistance *sum);
/* Returns: A F of a field, at pixel @i of the box */
double complex lac_wave_case_get_back(const LacWaveCase    *it,
                                      gsize                 stop,
                                      gsize                 i,
                                      const double complex *field);
void           lac_wave_case_transform_object(LacWaveAnswer *right);
void           lac_wave_case_change_object(const LacWaveCase    *it,
                                           LacWaveAnswer        *right,
                                           const double complex *change);
void           lac_wave_case_check_object(LacContract         *contract,
                                          const LacWaveCase   *it,
                                          const LacWaveAnswer *right);
/* Every unit and noise; with and without a pupil. */
void lac_wave_case_set_kind(LacContract *contract, LacWaveCase *it, int kind);
void lac_wave_case_add_waves(LacContract *contract, LacWaveCase *it, int kind);
void lac_wave_case_begin_waves(const LacWaveCase *it, LacWaveAnswer *right);
