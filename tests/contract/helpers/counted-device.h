/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device with counted kernels: checks that code claiming to compute there does, and other code does not. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

/* @name: a backend of the registry, or "cuda-emulated". One at a time. Returns: FALSE when unavailable: the test is
 * marked as skipped. Close with lac_device_close(). */
gboolean counted_device_open(LacDevice *device, const char *name);

/* Kernels of the main table, replays and copies enqueued since the program began: the laboratories' own parts of the
 * table also need copies. */
guint64 counted_device_get_calls(void);
