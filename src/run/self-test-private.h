/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a self-test. */
#pragma once

#include "run/self-test.h"

G_BEGIN_DECLS

/* self-test-runs.c: steps of experiments as rows. */
const LacContractRow *lac_self_test_runs(gsize *n);

/* self-test-rates.c: what @device reaches; @is_whole: by one call, else by all threads of the processor. NaN where it fails. */
double lac_self_test_measure(const LacDevice *device, gboolean is_whole, LacSelfTestRate rate);

G_END_DECLS
