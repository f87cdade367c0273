/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Description of the measured machine. */
#pragma once

#include "io/format/bench-file.h"

G_BEGIN_DECLS

/* Fills in the machine: processor, cores, kernels, libraries, build, load, time. @backend: (nullable): part of the
 * machine's identity */
void lac_bench_describe_machine(LacBenchFile *file, guint n_threads, const char *backend);

G_END_DECLS
