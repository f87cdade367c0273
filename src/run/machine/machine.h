/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What this machine computes with: the processor and every device, with versions, memory and why one cannot be used. The command line,
 * the window and the facts in a run's folder are made of the same structs. */
#pragma once

#include "backend/cpu/processor.h"
#include "backend/registry.h"
#include "experiment/experiment.h"
#include "perf/analysis/roofline.h"

G_BEGIN_DECLS

/* A row of the machine: the processor, or a device. */
typedef struct {
  char             *name;      /* of the backend: "cpu", "cuda", "cuda:1" */
  char             *why;       /* (nullable): why it cannot be used; translated */
  gboolean          is_device; /* which of the two below is filled */
  LacProcessorFacts processor;
  LacDeviceFacts    device; /* of one that is absent what is known of the software */
} LacMachinePart;

void lac_machine_part_free(LacMachinePart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacMachinePart, lac_machine_part_free)

/* Any thread; the first answer may take a second. Returns: (transfer full) (element-type LacMachinePart): the processor, then the devices;
 * where there is none, one that says why. */
GPtrArray *lac_machine_query(void);

/* Returns: (transfer full): one device; @number counts from 0 */
LacMachinePart *lac_machine_query_device(guint number);

/* Returns: the model; "NVIDIA GPU" where it is not known */
const char *lac_machine_part_get_title(const LacMachinePart *part);

/* Returns: (transfer full): label, text, label, text ..., NULL, translated */
GStrv lac_machine_part_dup_rows(const LacMachinePart *part);

/* Returns: (transfer full): "13.0" of CUDA's 13000 */
char *lac_machine_dup_version(int cuda_version);

/* Of one thread while @n_threads work. @memory: where it is kept, by processor, program and number of threads; the first call
 * of a machine takes 0.3 s and 128 MiB. */
LacPeak lac_machine_peak(const LacMemory *memory, LacType type, guint n_threads);

G_END_DECLS
