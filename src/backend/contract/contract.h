/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backend contract: checks of every kernel, on any device and element type, against its definition or the CPU in
 * double precision. Shared by the tests and the device self-test (run/machine/self-test.h). Buffers detect writes
 * beyond their ends, and keep double-precision copies on the host for the reference. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_CONTRACT_MAX_BUFFERS 32
#define LAC_CONTRACT_MAX_PIECES  32

typedef struct _LacContractRun LacContractRun; /* progress and result of a row */

/* A vector on the device with a host copy of its contents, in doubles rounded to the element type. */
typedef struct {
  gsize   n;
  double *host;
  void   *device;
} LacContractBuffer;

typedef struct {
  LacDevice         device;
  LacType           type;
  double            epsilon;
  guint64           state; /* state of the random number generator */
  guint64           bits;  /* hash of all fetched bytes: equal for devices that agree bitwise */
  guint             n_buffers;
  LacContractBuffer buffers[LAC_CONTRACT_MAX_BUFFERS];
  guint             n_pieces;
  void             *pieces[LAC_CONTRACT_MAX_PIECES];
  gconstpointer     data; /* data of the row */
  LacContractRun   *run;
} LacContract;

/* ---- running rows ---- */

typedef struct {
  const char *name; /* "map-jet-reverse" */
  void (*run)(LacContract *contract);
  /* (nullable): TRUE when the backend has the optional kernel; NULL: every backend has it */
  gboolean (*is_known)(const LacBackend *table);
  gconstpointer data;            /* argument of the row, for run() */
  gboolean      in_double_alone; /* the row is meaningless in single precision */
} LacContractRow;

/* NULL-terminated list of arrays of rows for the plain table, planes, waves and iterations. Each array ends with a row without a
 * name. */
extern const LacContractRow *const lac_contract_rows[];

typedef struct {
  gboolean  passed;
  LacStatus status; /* status of a failed kernel, else LAC_STATUS_OK */
  gsize     n_compared;
  double    worst;    /* largest error in units of the tolerance */
  guint64   bits;     /* hash of all fetched bytes, as in LacContract */
  char      why[256]; /* first failure, untranslated: for developers */
} LacContractResult;

/* Runs a row. A wrong value is counted and the row continues; a kernel error ends it. Any thread, one row per device
 * at a time. A row that ends by an error leaks its host memory. */
void lac_contract_run(const LacContractRow *row,
                      const LacDevice      *device,
                      LacType               type,
                      LacContractResult    *result);

/* ---- for rows ---- */

double lac_contract_random(LacContract *contract); /* in [-1, 1) */

/* Returns a buffer of random values, owned by the contract until lac_contract_clear(). */
LacContractBuffer *lac_contract_random_buffer(LacContract *contract, gsize n, double scale);
LacContractBuffer *lac_contract_constant_buffer(LacContract *contract, gsize n, double value);
void               lac_contract_upload(LacContract       *contract,
                                       LacContractBuffer *buffer); /* uploads `host` after a change */
/* Reads the device data back into host; the row fails if anything was written beyond the buffer. */
void lac_contract_fetch(LacContract *contract, LacContractBuffer *buffer);
void lac_contract_clear(LacContract *contract);

/* Returns device memory for data other than a LacContractBuffer, also owned by the contract until
 * lac_contract_clear(): a copy of @host, or zeros if @host is NULL. */
void   *lac_contract_piece(LacContract *contract, gsize n_bytes, gconstpointer host);
double *lac_contract_doubles(LacContract *contract, gsize n);
/* Reads the present content back; the row fails if anything was written beyond the piece. */
void
lac_contract_fetch_piece(LacContract *contract, const void *piece, gsize n_bytes, gpointer host);

/* Ends the row when a kernel's status is not ok. Must be called from the row's own thread. */
#define lac_contract_ok(contract, status) lac_contract_check_status(contract, status, #status)
void lac_contract_check_status(const LacContract *contract, LacStatus status, const char *call);

/* Fails the row unless @condition holds. */
#define lac_contract_require(contract, condition) \
  lac_contract_check(contract, condition, #condition)
void lac_contract_check(const LacContract *contract, gboolean holds, const char *condition);

/* Checks that |got - expected| is within @steps roundings of a quantity of size @scale. */
void lac_contract_close(const LacContract *contract,
                        double             got,
                        double             expected,
                        double             scale,
                        double             steps);
void lac_contract_within(const LacContract *contract, double got, double expected, double allowed);
void lac_contract_same(const LacContract *contract,
                       double             got,
                       double             expected); /* bitwise, except for the sign of zero */

/* Evaluates f, f', ... f''''' at x in double, from backend/scalar-ops.def. */
void lac_contract_scalar(LacScalar scalar, double x, double f[6]);
/* Returns TRUE when the formula requires positive x. */
gboolean lac_contract_scalar_is_positive(LacScalar scalar);

G_END_DECLS
