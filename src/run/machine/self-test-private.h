/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parts of the self-test. */
#pragma once

#include "run/machine/self-test.h"

G_BEGIN_DECLS

/* self-test-runs.c: steps of experiments; the last row has no name. */
extern const LacContractRow lac_self_test_runs[];

G_END_DECLS
