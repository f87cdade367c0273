/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The device of a run, the reason for its choice, and the parts that stay on the CPU. Compute thread, once started. */
#pragma once

#include "run/core/device-choice.h"

G_BEGIN_DECLS

typedef struct {
  LacPool  *pool;
  char     *precision; /* f64, f32, bf16x6, bf16x3 */
  LacDevice device;
  gboolean  is_open;      /* TRUE while @device is open */
  gboolean  is_undecided; /* the device is yet to be chosen by measuring a step */

  const char     *name;   /* interned: backend name of @device */
  LacMachinePart *part;   /* (nullable): NULL on the CPU */
  char           *choice; /* (nullable): why @device was chosen */
  char *apart;    /* (nullable): names of the parts that run on the CPU although a device is used */
  char *refusal;  /* (nullable): error from opening a device, until it is reported */
  char *fallback; /* (nullable): step and reason of the switch to the CPU */
} LacRunComputer;

typedef struct {
  const char *asked;     /* auto, cpu, strict, cuda, cuda:N */
  gboolean    is_named;  /* the user chose the backend for this run: no substitute */
  gboolean    is_repeat; /* bitwise repeat: no substitute */
  gboolean    is_over;   /* the run has already ended: nothing will be computed */
} LacDeviceRequest;

void lac_run_computer_clear(LacRunComputer *computer); /* accepts a zeroed struct */

/* @subject: the run for which the device or the CPU is chosen; @cache: (nullable) */
gboolean lac_run_computer_open(LacRunComputer         *computer,
                               const LacStepSubject   *subject,
                               LacContentCache        *cache,
                               const LacDeviceRequest *request,
                               GError                **error);
/* Measures a step if @is_undecided; takes seconds. */
gboolean lac_run_computer_decide(LacRunComputer       *computer,
                                 const LacStepSubject *subject,
                                 LacContentCache      *cache,
                                 GError              **error);

/* Waits for the device. Returns: FALSE with an error if the device has failed; its results are then meaningless. */
gboolean lac_run_computer_check(const LacRunComputer *computer, GError **error);
/* Returns TRUE when @problem is a device failure after which the run can continue on the CPU. */
gboolean lac_run_computer_can_leave(const LacRunComputer *computer, const GError *problem);
/* Returns: (transfer none): the device's own message if it is lost, which is clearer than @why. */
const char *lac_run_computer_get_reason(const LacRunComputer *computer, const char *why);
/* Opens the CPU instead. Everything in device memory must have been freed. */
gboolean lac_run_computer_leave_device(LacRunComputer *computer, GError **error);

/* Returns: (nullable): the device's name for the user; NULL: the CPU */
const char *lac_run_computer_get_title(const LacRunComputer *computer);

G_END_DECLS
