/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Automatic choice between GPU and CPU for a run: the faster of the two in a few measured steps. Times are cached by
 * machine, device, driver, program, experiment, size and precision. */
#pragma once
#include "io/format/content-cache.h"
#include "run/core/inputs.h"
#include "run/machine/machine.h"

G_BEGIN_DECLS

/* Subject of the measurement: an experiment with its own state. */
typedef struct {
  const LacExperiment *experiment;
  const LacDraft      *draft;  /* of the upcoming run */
  const LacInputs     *inputs; /* (nullable) */
  const LacMemory     *memory; /* (nullable) */
  LacPool             *pool;   /* idle */
  guint64              seed;
  const char          *precision;            /* f64, f32, bf16x6, bf16x3 */
  gboolean (*cancelled)(gpointer user_data); /* (nullable) */
  gpointer user_data;
} LacStepSubject;

typedef struct {
  LacStepSubject        subject;
  const LacMachinePart *device;  /* usable */
  guint                 threads; /* of the CPU; 0: all */
  LacContentCache      *cache;   /* (nullable) */
  /* (nullable): replaces lac_device_open() in tests */
  gboolean (*open)(LacDevice *device, const char *name, GError **error);
} LacDeviceQuestion;

typedef struct {
  gboolean takes_device;
  double   processor_seconds, device_seconds; /* per step; NaN: not measured */
  char     reason[256];                       /* one sentence, translated, without a full stop */
} LacDeviceChoice;

/* Decides without a measurement: from the cache, or because the run is shorter than a measurement. Reads only
 * experiment, draft and precision of the subject. Returns: FALSE: a measurement is needed. */
gboolean lac_device_choice_recall(const LacDeviceQuestion *question, LacDeviceChoice *choice);

/* Measures steps on the device and on the CPU and caches the times; takes seconds, and polls the subject's
 * cancelled(). A device is not chosen if it fails in a step or if its measurement was cancelled. */
void lac_device_choice_measure(const LacDeviceQuestion *question, LacDeviceChoice *choice);

G_END_DECLS
