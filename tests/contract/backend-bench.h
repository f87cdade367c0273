/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the contract of the backends is tested with: an opened device, buffers that notice when something is written
 * beyond them, and f64 copies of everything on the host for the reference. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

#define BENCH_MAX_BUFFERS 32
#define BENCH_MAX_PIECES  32

/* A vector on the device and what it holds, as doubles rounded to the element type. */
typedef struct {
  gsize   n;
  double *host;
  void   *device;
} Buffer;

typedef struct {
  LacDevice device;
  LacType   type;
  double    epsilon;
  guint64   state; /* of the random numbers */
  guint64 bits; /* a hash of all bytes that were fetched: equal for devices that agree to the bit */
  guint   n_buffers;
  Buffer  buffers[BENCH_MAX_BUFFERS];
  guint   n_pieces;
  void   *pieces[BENCH_MAX_PIECES];
} Bench;

/* One kernel, or a family of them, on whatever device and type the bench has. */
typedef void (*BenchCase)(Bench *bench);

double bench_random(Bench *bench); /* in [-1, 1) */

/* Owned by the bench until bench_clear(). */
Buffer *bench_random_buffer(Bench *bench, gsize n, double scale);
Buffer *bench_constant_buffer(Bench *bench, gsize n, double value);
void    bench_upload(Bench *bench, Buffer *buffer); /* after a change of host */
/* Fills host with what the device holds; fails the test if anything was written beyond the buffer. */
void bench_fetch(Bench *bench, Buffer *buffer);
void bench_clear(Bench *bench);

/* Device memory of other types, likewise owned: with what @host holds in it, as zeros. */
void   *bench_piece(Bench *bench, gsize n_bytes, gconstpointer host);
double *bench_doubles(Bench *bench, gsize n);
/* What is there now; fails the test if anything was written beyond the piece. */
void bench_fetch_piece(Bench *bench, const void *piece, gsize n_bytes, gpointer host);

/* Fails the test if a kernel's status is not ok. */
void bench_ok(LacStatus status);

/* |got - expected| within @steps roundings of a quantity of size @scale. */
void bench_close(const Bench *bench, double got, double expected, double scale, double steps);

/* f, f', ... f''''' at x from backend/scalar-ops.def in double. */
void bench_scalar(LacScalar scalar, double x, double f[6]);
/* Whether the formula is for positive x alone. */
gboolean bench_scalar_is_positive(LacScalar scalar);

void case_fill(Bench *bench);
void case_strided(Bench *bench);
void case_dot(Bench *bench);
void case_matvec(Bench *bench);
void case_rank_update(Bench *bench);
void case_adam(Bench *bench);
void case_map_jet(Bench *bench);
void case_map_jet_reverse(Bench *bench);
void case_saturated(Bench *bench);
void case_map_jet_position(Bench *bench);
void case_mul_jet(Bench *bench);
void case_mul_jet_reverse(Bench *bench);
void case_linear(Bench *bench);
void case_linear_reverse(Bench *bench);
void case_layer(Bench *bench);
void case_layer_reverse(Bench *bench);
void case_layer_fused(Bench *bench);
void case_threads(Bench *bench);
void case_fft(Bench *bench);
void case_fft_batch(Bench *bench);
void case_vorticity(Bench *bench);
void case_rk4_stage(Bench *bench);
void case_planes_convolve(Bench *bench);
void case_planes_adjoints(Bench *bench);
void case_planes_normalise(Bench *bench);
void case_planes_latent(Bench *bench);
void case_planes_step(Bench *bench);
void case_planes_picture(Bench *bench);
void case_waves_object(Bench *bench);
void case_waves_stops(Bench *bench);
void case_waves_compare(Bench *bench);
void case_waves_compare_differences(Bench *bench);
void case_waves_gather(Bench *bench);
void case_waves_bars(Bench *bench);
void case_waves_transform(Bench *bench);
