/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The self-test of a device: every kernel against its definition and the processor, whole steps of experiments against the processor's, and
 * the rates that memory and products reach. Less than a minute. */
#pragma once

#include "backend/contract/contract.h"

G_BEGIN_DECLS

/* A check, in the order it was done. */
typedef struct {
  const char *name; /* of the operation: "map-jet-reverse"; static */
  const char *type; /* "f32" or "f64" */
  gboolean
    was_run; /* FALSE: the time was over, somebody cancelled, or the device was lost before */
  gboolean passed;
  double   worst;    /* the largest difference as a multiple of what is allowed */
  char     why[256]; /* of one that failed: the first difference, or the call; untranslated */
} LacSelfTestCheck;

typedef enum {
  LAC_SELF_TEST_COPY,    /* bytes a second, read and written */
  LAC_SELF_TEST_SINGLES, /* FLOP a second of products of matrices */
  LAC_SELF_TEST_DOUBLES,
  LAC_N_SELF_TEST_RATES
} LacSelfTestRate;

typedef struct {
  char   *name;   /* of the backend: "cuda:1" */
  GArray *checks; /* of LacSelfTestCheck */
  guint   n_passed, n_failed, n_left_out;
  double  device[LAC_N_SELF_TEST_RATES], processor[LAC_N_SELF_TEST_RATES]; /* NaN: not measured */
  double  seconds;
} LacSelfTest;

void lac_self_test_free(LacSelfTest *test);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacSelfTest, lac_self_test_free)

/* Each may be NULL or 0. Called on the testing thread. */
typedef struct {
  void (*progress)(double      fraction,
                   const char *what,
                   gpointer    user_data); /* @what: name of a check */
  gboolean (*cancelled)(gpointer user_data);
  gpointer user_data;
  double   most_seconds; /* after which no check begins; 0: what is less than a minute in all */
} LacSelfTestWatch;

/**
 * lac_self_test_run:
 * @name: of a backend: cuda, cuda:1; another one too
 *
 * Blocks; any thread. Returns: (transfer full): what was found, also where it was cancelled; %NULL with %LAC_ERROR_DEVICE where the device
 *   cannot be opened
 */
LacSelfTest *lac_self_test_run(const char *name, const LacSelfTestWatch *watch, GError **error);

/* Returns: whether every check was run and passed */
gboolean lac_self_test_passes(const LacSelfTest *test);

/* Returns: (transfer full): one translated sentence: how many checks passed, or which operations do not */
char *lac_self_test_dup_verdict(const LacSelfTest *test);

/* Returns: (transfer full): label, text, label, text ..., NULL, translated: what does not work, by how much; then the rates, with how many
 * times those of the processor they are */
GStrv lac_self_test_dup_rows(const LacSelfTest *test);

G_END_DECLS
