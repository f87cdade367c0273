/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recording a step where the device lets it be recorded. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

/* Records what @enqueue asks of the device. Why that failed is nobody's trouble: the caller asks for the same without a recording, and a
 * device that is lost says so then. Returns: %FALSE, and @recording is NULL, where it cannot be recorded. */
gboolean lac_device_record(LacDevice device,
                           LacStatus (*enqueue)(gpointer user_data),
                           gpointer user_data,
                           void   **recording);

G_END_DECLS
