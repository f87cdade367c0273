/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contract of the backends: every kernel, on any device and element type, against its definition or the processor in double
 * precision. Tests and the self-test of a device (run/machine/self-test.h) run the same rows. Buffers notice when something is written beyond
 * them, and keep copies in double precision on the host for the reference. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

G_BEGIN_DECLS

#define LAC_CONTRACT_MAX_BUFFERS 32
#define LAC_CONTRACT_MAX_PIECES  32

typedef struct _LacContractRun LacContractRun; /* how a row went so far */

/* A vector on the device and what it holds, as doubles rounded to the element type. */
typedef struct {
  gsize   n;
  double *host;
  void   *device;
} LacContractBuffer;

typedef struct {
  LacDevice device;
  LacType   type;
  double    epsilon;
  guint64   state; /* of the random numbers */
  guint64 bits; /* a hash of all bytes that were fetched: equal for devices that agree to the bit */
  guint   n_buffers;
  LacContractBuffer buffers[LAC_CONTRACT_MAX_BUFFERS];
  guint             n_pieces;
  void             *pieces[LAC_CONTRACT_MAX_PIECES];
  gconstpointer     data; /* of the row */
  LacContractRun   *run;
} LacContract;

/* ---- running rows ---- */

typedef struct {
  const char *name; /* "map-jet-reverse" */
  void (*run)(LacContract *contract);
  /* (nullable): of what not every backend has; NULL: all do */
  gboolean (*is_known)(const LacBackend *table);
  gconstpointer data;            /* the row's own, for run() */
  gboolean      in_double_alone; /* it says nothing in single precision */
} LacContractRow;

/* The rows of the plain table, planes and waves, in parts that each end with a row without a name; then NULL. */
extern const LacContractRow *const lac_contract_rows[];

typedef struct {
  gboolean  passed;
  LacStatus status; /* of a kernel that failed, else LAC_STATUS_OK */
  gsize     n_compared;
  double    worst;    /* the largest difference as a multiple of what is allowed */
  guint64   bits;     /* as LacContract's */
  char      why[256]; /* the first failure, untranslated: for whoever mends the kernel */
} LacContractResult;

/* A number that is off is counted and the row goes on; a kernel that does not do its work ends it. Any thread, one row a device at a
 * time. What a row that ends so had of the host's memory is lost. */
void lac_contract_run(const LacContractRow *row,
                      const LacDevice      *device,
                      LacType               type,
                      LacContractResult    *result);

/* ---- for rows ---- */

double lac_contract_random(LacContract *contract); /* in [-1, 1) */

/* Owned by the contract until lac_contract_clear(). */
LacContractBuffer *lac_contract_random_buffer(LacContract *contract, gsize n, double scale);
LacContractBuffer *lac_contract_constant_buffer(LacContract *contract, gsize n, double value);
void               lac_contract_upload(LacContract       *contract,
                                       LacContractBuffer *buffer); /* after a change of host */
/* Fills host with what the device holds; the row fails if anything was written beyond the buffer. */
void lac_contract_fetch(LacContract *contract, LacContractBuffer *buffer);
void lac_contract_clear(LacContract *contract);

/* Device memory of other types, likewise owned: with what @host holds in it, as zeros. */
void   *lac_contract_piece(LacContract *contract, gsize n_bytes, gconstpointer host);
double *lac_contract_doubles(LacContract *contract, gsize n);
/* What is there now; the row fails if anything was written beyond the piece. */
void
lac_contract_fetch_piece(LacContract *contract, const void *piece, gsize n_bytes, gpointer host);

/* The row ends where a kernel's status is not ok. On the row's own thread. */
#define lac_contract_ok(contract, status) lac_contract_check_status(contract, status, #status)
void lac_contract_check_status(const LacContract *contract, LacStatus status, const char *call);

/* The row fails where @condition does not hold. */
#define lac_contract_require(contract, condition) \
  lac_contract_check(contract, condition, #condition)
void lac_contract_check(const LacContract *contract, gboolean holds, const char *condition);

/* |got - expected| within @steps roundings of a quantity of size @scale. */
void lac_contract_close(const LacContract *contract,
                        double             got,
                        double             expected,
                        double             scale,
                        double             steps);
void lac_contract_within(const LacContract *contract, double got, double expected, double allowed);
void lac_contract_same(const LacContract *contract,
                       double             got,
                       double             expected); /* to the bit, but for zeros */

/* f, f', ... f''''' at x from backend/scalar-ops.def in double. */
void lac_contract_scalar(LacScalar scalar, double x, double f[6]);
/* Whether the formula is for positive x alone. */
gboolean lac_contract_scalar_is_positive(LacScalar scalar);

G_END_DECLS
