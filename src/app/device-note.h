/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the window says of the GPU before a run: which it is and what it has free, or why there is none; and whether it or the processor
 * is the faster one. It is asked on a thread of its own. Signal: changed, when it has answered. */
#pragma once

#include "run/core/device-choice.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_DEVICE_NOTE (lac_device_note_get_type())
G_DECLARE_FINAL_TYPE(LacDeviceNote, lac_device_note, LAC, DEVICE_NOTE, GObject)

LacDeviceNote *lac_device_note_new(void);

/* Asks, again too: what is free changes. */
void lac_device_note_query(LacDeviceNote *note);

/* Of the first device alone. Returns: (transfer full): one line. */
char *lac_device_note_dup_words(LacDeviceNote *note);

/* Of a run that is chosen. */
typedef struct {
  const LacExperiment *experiment;
  const LacDraft      *draft;
  const char          *backend;   /* auto, cpu, strict, cuda, cuda:N */
  const char          *precision; /* auto, or as a run has it */
  guint                threads;
} LacDeviceSetting;

/* Returns: (nullable): of the device that the run asks for; NULL where there is none, it cannot be used, the processor is known to be
 * faster, or it has not answered yet. */
const LacDeviceFacts *lac_device_note_get_facts(LacDeviceNote          *note,
                                                const LacDeviceSetting *wanted);

/* Returns: (transfer full) (nullable): what the choice of the backend comes to; NULL: no device is asked for. */
char *lac_device_note_dup_choice(LacDeviceNote *note, const LacDeviceSetting *wanted);

/* Returns: %FALSE with a sentence where the run cannot be computed on the backend that is asked for by its name. */
gboolean lac_device_note_check(LacDeviceNote *note, const LacDeviceSetting *wanted, GError **error);

G_END_DECLS
