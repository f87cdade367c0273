/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The backends by name, those of this build and the CUDA module where one is found at run time. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer none): every backend by name: cpu, strict, cuda. A missing CUDA module is listed with
 * a table whose open() answers LAC_STATUS_UNSUPPORTED and whose `what` says why. */
const LacBackend *const *lac_backends(gsize *n_backends);

/**
 * lac_device_open:
 * @name: "auto", "cpu", "strict" or "cuda"; auto takes cuda where a device answers, else cpu
 *
 * Returns: %FALSE with %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_DEVICE set.
 */
gboolean lac_device_open(LacDevice *device, const char *name, GError **error);
/* Of a name that is there, auto not among them, without words. */
LacStatus lac_device_try(LacDevice *device, const char *name);
void      lac_device_close(LacDevice *device);
/* Whether this process has lost the CUDA device, which answers nothing any more until the process ends. Any thread; asks no device. */
gboolean lac_device_is_lost(void);

/**
 * lac_device_ask:
 * @why: (out) (transfer full): one sentence for the person where there is no device or it cannot be used
 *
 * Of the device that auto takes. Any thread; the first answer may take a second.
 * Returns: LAC_STATUS_OK with @facts filled, LAC_STATUS_NO_DEVICE where there is none, else what is wrong with it.
 */
LacStatus lac_device_ask(LacDeviceFacts *facts, char **why);

/* "f64", "f32", and "bf16x6" and "bf16x3", which are f32 whose products are formed from split numbers; then NULL. */
extern const char *const lac_precision_names[];

/* Returns: "f64" or "f32": in what numbers are kept at this precision */
const char *lac_precision_storage(const char *name);

/* Of products from now on. Returns: %FALSE with %LAC_ERROR_OUT_OF_RANGE for a name that is none, %LAC_ERROR_DEVICE where the
 * device has no such products. */
gboolean lac_device_set_precision(LacDevice device, const char *name, GError **error);

G_END_DECLS
