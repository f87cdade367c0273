/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs contract rows; guarded buffers, random numbers, comparisons. */
#include "backend/contract/contract.h"

#include <float.h>
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <string.h>

#define N_SENTINELS 32
#define SENTINEL    -7.25 /* exact in either type; never the result of a row */
#define GUARD_BYTES 256   /* after each piece */
#define GUARD       0x5a

double
lac_contract_random(LacContract *contract)
{
  contract->state = contract->state * 6364136223846793005u + 1442695040888963407u;
  return (double) (contract->state >> 11) / 4503599627370496.0 - 1;
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

/* ---- running a row ---- */

struct _LacContractRun {
  LacContractResult *result;
  jmp_buf            end; /* exit of a row whose kernel failed */
};

G_GNUC_PRINTF(2, 3)
static void
fail(const LacContract *contract, const char *format, ...)
{
  LacContractResult *result = contract->run->result;
  va_list            values;

  if (result->passed) {
    va_start(values, format);
    g_vsnprintf(result->why, sizeof result->why, format, values);
    va_end(values);
  }
  result->passed = FALSE;
}

void
lac_contract_check_status(const LacContract *contract, LacStatus status, const char *call)
{
  if (status == LAC_STATUS_OK)
    return;
  contract->run->result->status = status;
  fail(contract, "%s: %s", lac_status_text(status), call);
  longjmp(contract->run->end, 1);
}

void
lac_contract_check(const LacContract *contract, gboolean holds, const char *condition)
{
  if (!holds)
    fail(contract, "not so: %s", condition);
}

void
lac_contract_within(const LacContract *contract, double got, double expected, double allowed)
{
  LacContractResult *result = contract->run->result;
  const double       off = fabs(got - expected);

  result->n_compared++;
  if (!(off <= allowed))
    fail(contract, "%.17g instead of %.17g, off by %.3g, allowed %.3g", got, expected, off,
         allowed);
  if (off > 0 && !(off <= result->worst * allowed))
    result->worst = off / allowed;
}

void
lac_contract_close(const LacContract *contract,
                   double             got,
                   double             expected,
                   double             scale,
                   double             steps)
{
  lac_contract_within(contract, got, expected,
                      contract->epsilon * steps * MAX(scale, fabs(expected)));
}

void
lac_contract_same(const LacContract *contract, double got, double expected)
{
  contract->run->result->n_compared++;
  if (!(fabs(got - expected) <= 0))
    fail(contract, "%.17g instead of %.17g", got, expected);
}

void
lac_contract_run(const LacContractRow *row,
                 const LacDevice      *device,
                 LacType               type,
                 LacContractResult    *result)
{
  LacContractRun          run = {.result = result};
  g_autofree LacContract *contract =
    g_new(LacContract, 1); /* on the heap: what a row wrote survives longjmp */

  *contract = (LacContract){.device = *device,
                            .type = type,
                            .epsilon = type == LAC_F32 ? (double) FLT_EPSILON : DBL_EPSILON,
                            .state = 42,
                            .data = row->data,
                            .run = &run};
  *result = (LacContractResult){.passed = TRUE};
  if (setjmp(run.end) == 0)
    row->run(contract);
  result->bits = contract->bits;
  lac_contract_clear(contract);
}

/* ---- buffers ---- */

static void
hash(LacContract *contract, const guint8 *bytes, gsize n_bytes)
{
  for (gsize i = 0; i < n_bytes; i++)
    contract->bits = (contract->bits ^ bytes[i]) * 1099511628211u;
}

void
lac_contract_upload(LacContract *contract, LacContractBuffer *buffer)
{
  const gsize        n = buffer->n + N_SENTINELS, n_bytes = n * lac_type_size(contract->type);
  g_autofree double *values = g_new(double, n);
  g_autofree guint8 *bytes = g_malloc(n_bytes);

  memcpy(values, buffer->host, buffer->n * sizeof(double));
  for (gsize i = 0; i < N_SENTINELS; i++)
    values[buffer->n + i] = SENTINEL;
  to_type(contract->type, values, n, bytes);
  from_type(contract->type, bytes, buffer->n, buffer->host);
  lac_contract_ok(contract, contract->device.table->upload(contract->device.self, buffer->device,
                                                           bytes, n_bytes));
}

void
lac_contract_fetch(LacContract *contract, LacContractBuffer *buffer)
{
  const gsize        n = buffer->n + N_SENTINELS, n_bytes = n * lac_type_size(contract->type);
  const double       sentinel = SENTINEL;
  g_autofree double *values = g_new(double, n);
  g_autofree guint8 *bytes = g_malloc(n_bytes);

  lac_contract_ok(contract, contract->device.table->synchronise(contract->device.self));
  lac_contract_ok(contract, contract->device.table->download(contract->device.self, bytes,
                                                             buffer->device, n_bytes));
  from_type(contract->type, bytes, n, values);
  for (gsize i = 0; i < N_SENTINELS; i++)
    if (memcmp(&values[buffer->n + i], &sentinel, sizeof sentinel) != 0)
      fail(contract,
           "number %" G_GSIZE_FORMAT " beyond a buffer of %" G_GSIZE_FORMAT " was written", i,
           buffer->n);
  memcpy(buffer->host, values, buffer->n * sizeof(double));
  hash(contract, bytes, n_bytes);
}

static LacContractBuffer *
new_buffer(LacContract *contract, gsize n)
{
  LacContractBuffer *buffer = &contract->buffers[contract->n_buffers++];

  buffer->device = NULL;
  g_assert(contract->n_buffers <= LAC_CONTRACT_MAX_BUFFERS);
  buffer->n = n;
  buffer->host = g_new(double, MAX(n, 1));
  lac_contract_ok(contract, contract->device.table->alloc(
                              contract->device.self,
                              (n + N_SENTINELS) * lac_type_size(contract->type), &buffer->device));
  return buffer;
}

LacContractBuffer *
lac_contract_random_buffer(LacContract *contract, gsize n, double scale)
{
  LacContractBuffer *buffer = new_buffer(contract, n);

  for (gsize i = 0; i < n; i++)
    buffer->host[i] = scale * lac_contract_random(contract);
  lac_contract_upload(contract, buffer);
  return buffer;
}

LacContractBuffer *
lac_contract_constant_buffer(LacContract *contract, gsize n, double value)
{
  LacContractBuffer *buffer = new_buffer(contract, n);

  for (gsize i = 0; i < n; i++)
    buffer->host[i] = value;
  lac_contract_upload(contract, buffer);
  return buffer;
}

void *
lac_contract_piece(LacContract *contract, gsize n_bytes, gconstpointer host)
{
  g_autofree guint8 *bytes = g_malloc0(n_bytes + GUARD_BYTES);
  void              *memory = NULL;

  g_assert(contract->n_pieces < LAC_CONTRACT_MAX_PIECES);
  if (host)
    memcpy(bytes, host, n_bytes);
  memset(bytes + n_bytes, GUARD, GUARD_BYTES);
  lac_contract_ok(
    contract, contract->device.table->alloc(contract->device.self, n_bytes + GUARD_BYTES, &memory));
  lac_contract_ok(contract, contract->device.table->upload(contract->device.self, memory, bytes,
                                                           n_bytes + GUARD_BYTES));
  return contract->pieces[contract->n_pieces++] = memory;
}

double *
lac_contract_doubles(LacContract *contract, gsize n)
{
  return lac_contract_piece(contract, MAX(n, 1) * sizeof(double), NULL);
}

void
lac_contract_fetch_piece(LacContract *contract, const void *piece, gsize n_bytes, gpointer host)
{
  g_autofree guint8 *bytes = g_malloc(n_bytes + GUARD_BYTES);

  lac_contract_ok(contract, contract->device.table->synchronise(contract->device.self));
  lac_contract_ok(contract, contract->device.table->download(contract->device.self, bytes, piece,
                                                             n_bytes + GUARD_BYTES));
  for (gsize i = 0; i < GUARD_BYTES; i++)
    if (bytes[n_bytes + i] != GUARD)
      fail(contract, "byte %" G_GSIZE_FORMAT " beyond a piece of %" G_GSIZE_FORMAT " was written",
           i, n_bytes);
  memcpy(host, bytes, n_bytes);
  hash(contract, bytes, n_bytes);
}

void
lac_contract_clear(LacContract *contract)
{
  for (guint i = 0; i < contract->n_pieces; i++)
    contract->device.table->release(contract->device.self, contract->pieces[i]);
  contract->n_pieces = 0;
  for (guint i = 0; i < contract->n_buffers; i++) {
    if (contract->buffers[i].device)
      contract->device.table->release(contract->device.self, contract->buffers[i].device);
    g_free(contract->buffers[i].host);
  }
  contract->n_buffers = 0;
}
