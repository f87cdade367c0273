/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Provenance of a run: program, commit, command line, compiler, machine, libraries, input files. */
#pragma once

#include "run/core/inputs.h"
#include "run/machine/machine.h"

G_BEGIN_DECLS

#define LAC_PROVENANCE_DEVICE     "device"
#define LAC_PROVENANCE_CHOICE     "computed by"
#define LAC_PROVENANCE_SWEEP      "sweep" /* of the runs of a sweep: LacRunSettings.sweep */
#define LAC_PROVENANCE_PARAMETERS "network parameters"

/* Environment of a run. Each member may be NULL: unknown or not applicable. */
typedef struct {
  const LacInputs      *inputs;
  const LacMachinePart *device; /* the device that computes; NULL: the CPU */
  const char           *choice; /* reason for choosing the device or the CPU */
  const char           *sweep;
  gsize                 n_parameters; /* of networks; 0: none */
} LacProvenance;

/* Returns: (transfer full): key, value, key, value ..., NULL. */
GStrv lac_provenance_new(const LacProvenance *of);
/* Returns: (transfer full): those facts on which the last bit of a result may depend besides its parameters: program,
 * compiler, processor, libraries; not the command line. */
GStrv lac_provenance_new_machine(void);

G_END_DECLS
