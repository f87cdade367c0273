/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run comes from: program, commit, command line, compiler, machine, libraries, input files. */
#pragma once

#include "run/inputs.h"

G_BEGIN_DECLS

#define LAC_PROVENANCE_DEVICE "device"

/* @inputs: (nullable); @device: (nullable): name of what is not the processor. Returns: (transfer full): key, value, key, value ..., NULL. */
GStrv lac_provenance_new(const LacInputs *inputs, const char *device);

G_END_DECLS
