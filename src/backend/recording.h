/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Records a step on devices that support it. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

/* Records the kernels that @enqueue enqueues on the device. Errors are ignored: the caller then runs the step without
 * recording, which reports the error of a lost device. Returns: %FALSE, with @recording set to NULL, when the step
 * cannot be recorded. */
gboolean lac_device_record(LacDevice device,
                           LacStatus (*enqueue)(gpointer user_data),
                           gpointer user_data,
                           void   **recording);

G_END_DECLS
