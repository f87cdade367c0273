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
void     lac_device_close(LacDevice *device);

G_END_DECLS
