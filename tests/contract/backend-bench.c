/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Buffers with sentinels, random numbers, comparisons. */
#include "backend-bench.h"

#include <math.h>
#include <string.h>

#define N_SENTINELS 32
#define SENTINEL    -7.25 /* exact in either type; no result is ever this in a row */
#define GUARD_BYTES 256   /* behind a piece */
#define GUARD       0x5a

double
bench_random(Bench *bench)
{
  bench->state = bench->state * 6364136223846793005u + 1442695040888963407u;
  return (double) (bench->state >> 11) / 4503599627370496.0 - 1;
}

static void
to_type(LacType type, const double *from, gsize n, void *to)
{
  for (gsize i = 0; i < n; i++)
    if (type == LAC_F32)
      ((float *) to)[i] = (float) from[i];
    else
      ((double *) to)[i] = from[i];
}

static void
from_type(LacType type, const void *from, gsize n, double *to)
{
  for (gsize i = 0; i < n; i++)
    to[i] = type == LAC_F32 ? (double) ((const float *) from)[i] : ((const double *) from)[i];
}

void
bench_ok(LacStatus status)
{
  g_assert_cmpstr(lac_status_text(status), ==, lac_status_text(LAC_STATUS_OK));
}

static void
hash(Bench *bench, const guint8 *bytes, gsize n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    bench->bits = (bench->bits ^ bytes[i]) * 1099511628211u;
}

void
bench_upload(Bench *bench, Buffer *buffer)
{
  const gsize        n = buffer->n + N_SENTINELS, n_bytes = n * lac_type_size(bench->type);
  g_autofree double *values = g_new(double, n);
  g_autofree guint8 *bytes = g_malloc(n_bytes);

  memcpy(values, buffer->host, buffer->n * sizeof(double));
  for (gsize i = 0; i < N_SENTINELS; i++)
    values[buffer->n + i] = SENTINEL;
  to_type(bench->type, values, n, bytes);
  from_type(bench->type, bytes, buffer->n, buffer->host);
  bench_ok(bench->device.table->upload(bench->device.self, buffer->device, bytes, n_bytes));
}

void
bench_fetch(Bench *bench, Buffer *buffer)
{
  const gsize        n = buffer->n + N_SENTINELS, n_bytes = n * lac_type_size(bench->type);
  g_autofree double *values = g_new(double, n);
  g_autofree guint8 *bytes = g_malloc(n_bytes);

  bench_ok(bench->device.table->synchronise(bench->device.self));
  bench_ok(bench->device.table->download(bench->device.self, bytes, buffer->device, n_bytes));
  from_type(bench->type, bytes, n, values);
  for (gsize i = 0; i < N_SENTINELS; i++)
    g_assert_cmpfloat(values[buffer->n + i], ==, SENTINEL);
  memcpy(buffer->host, values, buffer->n * sizeof(double));
  hash(bench, bytes, n_bytes);
}

static Buffer *
new_buffer(Bench *bench, gsize n)
{
  Buffer *buffer = &bench->buffers[bench->n_buffers++];

  g_assert_cmpuint(bench->n_buffers, <=, BENCH_MAX_BUFFERS);
  buffer->n = n;
  buffer->host = g_new(double, MAX(n, 1));
  bench_ok(bench->device.table->alloc(
    bench->device.self, (n + N_SENTINELS) * lac_type_size(bench->type), &buffer->device));
  return buffer;
}

Buffer *
bench_random_buffer(Bench *bench, gsize n, double scale)
{
  Buffer *buffer = new_buffer(bench, n);

  for (gsize i = 0; i < n; i++)
    buffer->host[i] = scale * bench_random(bench);
  bench_upload(bench, buffer);
  return buffer;
}

Buffer *
bench_constant_buffer(Bench *bench, gsize n, double value)
{
  Buffer *buffer = new_buffer(bench, n);

  for (gsize i = 0; i < n; i++)
    buffer->host[i] = value;
  bench_upload(bench, buffer);
  return buffer;
}

void *
bench_piece(Bench *bench, gsize n_bytes, gconstpointer host)
{
  g_autofree guint8 *bytes = g_malloc(n_bytes + GUARD_BYTES);
  void              *memory = NULL;

  g_assert_cmpuint(bench->n_pieces, <, BENCH_MAX_PIECES);
  memcpy(bytes, host, n_bytes);
  memset(bytes + n_bytes, GUARD, GUARD_BYTES);
  bench_ok(bench->device.table->alloc(bench->device.self, n_bytes + GUARD_BYTES, &memory));
  bench_ok(bench->device.table->upload(bench->device.self, memory, bytes, n_bytes + GUARD_BYTES));
  return bench->pieces[bench->n_pieces++] = memory;
}

double *
bench_doubles(Bench *bench, gsize n)
{
  g_autofree double *zeros = g_new0(double, MAX(n, 1));

  return bench_piece(bench, MAX(n, 1) * sizeof(double), zeros);
}

void
bench_fetch_piece(Bench *bench, const void *piece, gsize n_bytes, gpointer host)
{
  g_autofree guint8 *bytes = g_malloc(n_bytes + GUARD_BYTES);

  bench_ok(bench->device.table->synchronise(bench->device.self));
  bench_ok(bench->device.table->download(bench->device.self, bytes, piece, n_bytes + GUARD_BYTES));
  for (gsize i = 0; i < GUARD_BYTES; i++)
    g_assert_cmpuint(bytes[n_bytes + i], ==, GUARD);
  memcpy(host, bytes, n_bytes);
  hash(bench, bytes, n_bytes);
}

void
bench_clear(Bench *bench)
{
  for (guint i = 0; i < bench->n_pieces; i++)
    bench->device.table->release(bench->device.self, bench->pieces[i]);
  bench->n_pieces = 0;
  for (guint i = 0; i < bench->n_buffers; i++) {
    bench->device.table->release(bench->device.self, bench->buffers[i].device);
    g_free(bench->buffers[i].host);
  }
  bench->n_buffers = 0;
}

void
bench_close(const Bench *bench, double got, double expected, double scale, double steps)
{
  const double allowed = bench->epsilon * steps * MAX(scale, fabs(expected));

  if (!(fabs(got - expected) <= allowed))
    g_test_message("%.17g instead of %.17g, allowed %g", got, expected, allowed);
  g_assert_true(fabs(got - expected) <= allowed);
}
