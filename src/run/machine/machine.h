/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hardware of this machine: the CPU and every device, with versions, memory and, for an unusable one, the reason. The
 * command line, the window and the facts in a run folder are generated from these structs. */
#pragma once

#include "backend/cpu/processor.h"
#include "backend/registry.h"
#include "experiment/experiment.h"
#include "perf/analysis/roofline.h"

G_BEGIN_DECLS

/* The CPU or a device. */
typedef struct {
  char             *name;      /* backend name: "cpu", "cuda", "cuda:1" */
  char             *why;       /* (nullable): why it is unusable; translated */
  gboolean          is_device; /* selects one of the two members below */
  LacProcessorFacts processor;
  LacDeviceFacts    device; /* without a device only the software versions are set */
} LacMachinePart;

void lac_machine_part_free(LacMachinePart *part);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacMachinePart, lac_machine_part_free)

/* Any thread; the first call may take a second. Returns: (transfer full) (element-type LacMachinePart): the CPU, then
 * the devices; without a device, one entry with the reason. */
GPtrArray *lac_machine_query(void);

/* Returns: (transfer full): one device; @number counts from 0. */
LacMachinePart *lac_machine_query_device(guint number);

/* Returns: the model; "NVIDIA GPU" if unknown */
const char *lac_machine_part_get_title(const LacMachinePart *part);

/* Returns: (transfer full): label, text, label, text ..., NULL, translated */
GStrv lac_machine_part_dup_rows(const LacMachinePart *part);

/* Describes what affects times apart from the program: processor, cores, selected kernels. The host name is excluded: a
 * container has a new one every day. @backend: (nullable): the device that computes. Returns: (transfer full) */
char *lac_machine_dup_identity(const char *backend);

/* Formats a CUDA version number: 13000 as "13.0". Returns: (transfer full) */
char *lac_machine_dup_version(int cuda_version);

/* Measures the peak of one thread while @n_threads work. @memory: cache of the result, by processor, program and
 * number of threads; the first call on a machine takes 0.5 s and 128 MiB. */
LacPeak lac_machine_peak(const LacMemory *memory, LacType type, guint n_threads);

G_END_DECLS
