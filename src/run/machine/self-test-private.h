/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The parts of a self-test. */
#pragma once

#include "run/machine/self-test.h"

G_BEGIN_DECLS

/* self-test-runs.c: steps of experiments; ends with a row without a name. */
extern const LacContractRow lac_self_test_runs[];

G_END_DECLS
