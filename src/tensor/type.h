/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Element types and jets, the layout of streams. Plain C, also compiled by nvcc. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef enum { LAC_F32, LAC_F64 } LacType;

static inline size_t
lac_type_size(LacType type)
{
  return type == LAC_F32 ? 4 : 8;
}

#define LAC_JET_MAX_DIRECTIONS 48

/* The derivatives carried with a per-point quantity. Directions are vectors in input space, chosen where the jet is
 * seeded; mixed derivatives come from oblique directions (polarisation). Streams of a point, in order: value; for
 * each direction d its derivatives of order 1 ... order[d]; the collapsed sum, if any. Memory: row-major
 * [point][stream][column]; a plain value is a jet with one stream. */
typedef struct {
  uint8_t n_directions;
  uint8_t n_streams;
  uint8_t sum; /* stream of sum_d weight[d] * second derivative along d; 0: none */
  uint8_t order[LAC_JET_MAX_DIRECTIONS];  /* 1 ... 4 */
  uint8_t first[LAC_JET_MAX_DIRECTIONS];  /* stream of the first derivative along d */
  double  weight[LAC_JET_MAX_DIRECTIONS]; /* in the collapsed sum; 0: d is not included */
} LacJet;

/* Returns a jet of the given orders; weights may be NULL (no collapsed sum). */
LacJet lac_jet(unsigned n_directions, const unsigned *orders, const double *weights);

/* Returns the jet with the value only. */
LacJet lac_jet_value(void);

int lac_jet_equal(const LacJet *a, const LacJet *b);

#ifdef __cplusplus
}
#endif
