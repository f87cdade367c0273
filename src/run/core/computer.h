/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device a run computes on, why it was chosen, and what stays on the processor. Compute thread, once that has started. */
#pragma once

#include "run/core/device-choice.h"

G_BEGIN_DECLS

typedef struct {
  LacPool  *pool;
  char     *precision; /* f64, f32, bf16x6, bf16x3 */
  LacDevice device;
  gboolean  is_open;      /* @device */
  gboolean  is_undecided; /* a measured step decides whether @device stays open */

  const char     *name;     /* interned: the name by which @device opens */
  LacMachinePart *part;     /* (nullable): NULL on the processor */
  char           *choice;   /* (nullable): why @device was chosen */
  char           *apart;    /* (nullable): names of what stays on the processor in spite of it */
  char           *refusal;  /* (nullable): why a device could not be opened, until it is reported */
  char           *fallback; /* (nullable): from where on the run is the processor's, and why */
} LacRunComputer;

typedef struct {
  const char *asked;     /* auto, cpu, strict, cuda, cuda:N */
  gboolean    is_named;  /* by the user, for this run: another one does not do */
  gboolean    is_repeat; /* to the bit: another one does not do */
  gboolean    is_over;   /* the run had ended: nothing will be computed */
} LacDeviceRequest;

void lac_run_computer_clear(LacRunComputer *computer); /* a zeroed one too */

/* @subject: the run, where both devices would do; @cache: (nullable) */
gboolean lac_run_computer_open(LacRunComputer         *computer,
                               const LacStepSubject   *subject,
                               LacContentCache        *cache,
                               const LacDeviceRequest *request,
                               GError                **error);
/* Measures a step where @is_undecided; takes seconds. */
gboolean lac_run_computer_decide(LacRunComputer       *computer,
                                 const LacStepSubject *subject,
                                 LacContentCache      *cache,
                                 GError              **error);

/* Waits for the device. Returns: FALSE with an error where it has failed: its numbers mean nothing. */
gboolean lac_run_computer_check(const LacRunComputer *computer, GError **error);
/* Returns whether @problem is one of a device that the run can do without. */
gboolean lac_run_computer_can_leave(const LacRunComputer *computer, const GError *problem);
/* Returns: (transfer none): what the device says of itself where it is lost, which is plainer than @why. */
const char *lac_run_computer_get_reason(const LacRunComputer *computer, const char *why);
/* Opens the processor instead. Whatever holds memory of the device is gone by then. */
gboolean lac_run_computer_leave_device(LacRunComputer *computer, GError **error);

/* Returns: (nullable): the device's name for the user; NULL: the processor */
const char *lac_run_computer_get_title(const LacRunComputer *computer);

G_END_DECLS
