/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A device whose kernels are counted: what says that it computes there does, and what says that it does not does not. */
#pragma once

#include "backend/registry.h"

#include <glib.h>

/* @name: a backend of the registry, or "cuda-emulated". One at a time. Returns: FALSE where there is none: the test is marked as
 * skipped. Closed with lac_device_close(). */
gboolean counted_device_open(LacDevice *device, const char *name);

/* Kernels of the main table, replays and copies asked for since the program began: the parts of the table for some laboratories
 * cannot do without copies. */
guint64 counted_device_get_calls(void);
