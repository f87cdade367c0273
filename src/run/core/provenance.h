/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run comes from: program, commit, command line, compiler, machine, libraries, input files. */
#pragma once

#include "run/core/inputs.h"
#include "run/machine/machine.h"

G_BEGIN_DECLS

#define LAC_PROVENANCE_DEVICE "device"
#define LAC_PROVENANCE_CHOICE "computed by"

/* What a run was computed with. Each may be NULL: unknown, or it does not apply. */
typedef struct {
  const LacInputs      *inputs;
  const LacMachinePart *device; /* in place of the processor */
  const char           *choice; /* why it, or the processor, was chosen */
} LacProvenance;

/* Returns: (transfer full): key, value, key, value ..., NULL. */
GStrv lac_provenance_new(const LacProvenance *of);

G_END_DECLS
