/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Whether a GPU or the processor computes a run that leaves it open: the faster one, by a few steps on both. Times are cached by machine,
 * device, driver, program, experiment, size and precision. */
#pragma once
#include "io/format/content-cache.h"
#include "run/core/inputs.h"
#include "run/machine/machine.h"

G_BEGIN_DECLS

/* What is measured: an experiment in a state of its own. */
typedef struct {
  const LacExperiment *experiment;
  const LacDraft      *draft;  /* of the run that is to come */
  const LacInputs     *inputs; /* (nullable) */
  const LacMemory     *memory; /* (nullable) */
  LacPool             *pool;   /* at rest */
  guint64              seed;
  const char          *precision;            /* as a run has it: f64, f32, bf16x6, bf16x3 */
  gboolean (*cancelled)(gpointer user_data); /* (nullable) */
  gpointer user_data;
} LacStepSubject;

typedef struct {
  LacStepSubject        subject;
  const LacMachinePart *device;  /* usable */
  guint                 threads; /* of the processor; 0: all */
  LacContentCache      *cache;   /* (nullable) */
  /* (nullable): opens a device in place of lac_device_open(), for tests */
  gboolean (*open)(LacDevice *device, const char *name, GError **error);
} LacDeviceQuestion;

typedef struct {
  gboolean takes_device;
  double   processor_seconds, device_seconds; /* of a step; NaN: not measured */
  char     reason[256];                       /* one sentence, translated, without a full stop */
} LacDeviceChoice;

/* Decides without a measurement: by the cache, or where one would take longer than the run. Of the subject only experiment, draft and
 * precision are read. Returns: FALSE: it is to be measured. */
gboolean lac_device_choice_recall(const LacDeviceQuestion *question, LacDeviceChoice *choice);

/* Measures and remembers; takes seconds, and polls the subject's cancelled. A device on which a step fails is not chosen, nor one that was
 * not measured because somebody cancelled. */
void lac_device_choice_measure(const LacDeviceQuestion *question, LacDeviceChoice *choice);

G_END_DECLS
