/* SPDX-License-Identifier: GPL-3.0-or-later */
/* GPU status before a run: name and free memory, or why no GPU is available, and whether GPU or CPU is faster.
 * Queried in a worker thread. Signal: changed, when the result arrives. */
#pragma once

#include "run/core/device-choice.h"

#include <glib-object.h>

G_BEGIN_DECLS

#define LAC_TYPE_DEVICE_NOTE (lac_device_note_get_type())
G_DECLARE_FINAL_TYPE(LacDeviceNote, lac_device_note, LAC, DEVICE_NOTE, GObject)

LacDeviceNote *lac_device_note_new(void);

/* Queries the devices; call again to refresh the free memory. */
void lac_device_note_query(LacDeviceNote *note);

/* Returns: (transfer full): one line about the first device. */
char *lac_device_note_dup_words(LacDeviceNote *note);

/* Device settings of the selected run. */
typedef struct {
  const LacExperiment *experiment;
  const LacDraft      *draft;
  const char          *backend;   /* auto, cpu, strict, cuda, cuda:N */
  const char          *precision; /* auto, or a precision name from run settings */
  guint                threads;
} LacDeviceSetting;

/* Returns: (nullable): the device that the run requests; NULL if no device is requested, the run cannot use the
 * device, the CPU is known to be faster, or the query has not finished. */
const LacDeviceFacts *lac_device_note_get_facts(LacDeviceNote          *note,
                                                const LacDeviceSetting *wanted);

/* Returns: (transfer full) (nullable): the outcome of the backend setting in words; NULL: no device is requested. */
char *lac_device_note_dup_choice(LacDeviceNote *note, const LacDeviceSetting *wanted);

/* Returns: %FALSE with an error if the run cannot use the backend that is requested by name. */
gboolean lac_device_note_check(LacDeviceNote *note, const LacDeviceSetting *wanted, GError **error);

G_END_DECLS
