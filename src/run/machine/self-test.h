/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Self-test of a device: every kernel against its definition and the CPU, whole steps of experiments against the CPU,
 * and the measured rates of memory and matrix products. Takes less than a minute. */
#pragma once

#include "backend/contract/contract.h"

G_BEGIN_DECLS

/* One check, in order of execution. */
typedef struct {
  const char *name;    /* operation name: "map-jet-reverse"; static */
  const char *type;    /* "f32" or "f64" */
  gboolean    was_run; /* FALSE: not reached before timeout, cancellation or loss of the device */
  gboolean    passed;
  double      worst;    /* largest difference in units of the tolerance */
  char        why[256]; /* failed checks: first difference, or the failing call; untranslated */
} LacSelfTestCheck;

typedef enum {
  LAC_SELF_TEST_COPY,    /* bytes per second, the sum of read and written */
  LAC_SELF_TEST_SINGLES, /* FLOP/s of matrix products */
  LAC_SELF_TEST_DOUBLES,
  LAC_N_SELF_TEST_RATES
} LacSelfTestRate;

typedef struct {
  char   *name;   /* backend name: "cuda:1" */
  GArray *checks; /* of LacSelfTestCheck */
  guint   n_passed, n_failed, n_left_out;
  double  device[LAC_N_SELF_TEST_RATES], processor[LAC_N_SELF_TEST_RATES]; /* NaN: not measured */
  double  seconds;
} LacSelfTest;

void lac_self_test_free(LacSelfTest *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSelfTest, lac_self_test_free)

/* Callbacks on the testing thread and a time limit; each member may be NULL or 0. */
typedef struct {
  void (*progress)(double      fraction,
                   const char *what,
                   gpointer    user_data); /* @what: name of a check */
  gboolean (*cancelled)(gpointer user_data);
  gpointer user_data;
  double
    most_seconds; /* no check starts after this many seconds; 0: the default, less than a minute in total */
} LacSelfTestWatch;

/**
 * lac_self_test_run:
 * @name: backend name, such as cuda or cuda:1; backends other than CUDA can be tested too
 *
 * Blocks; any thread. Returns: (transfer full): the results so far, also if cancelled; %NULL with
 *   %LAC_ERROR_DEVICE if the device cannot be opened
 */
LacSelfTest *lac_self_test_run(const char *name, const LacSelfTestWatch *watch, GError **error);

/* Returns: TRUE when every check was run and passed */
gboolean lac_self_test_passes(const LacSelfTest *test);

/* Returns: (transfer full): one translated sentence: how many checks passed, or which operations failed */
char *lac_self_test_dup_verdict(const LacSelfTest *test);

/* Returns: (transfer full): label, text, label, text ..., NULL, translated: failures with their size, then the rates
 * with their ratio to those of the CPU */
GStrv lac_self_test_dup_rows(const LacSelfTest *test);

G_END_DECLS
