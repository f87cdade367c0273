/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The strict backend: the cpu's numbers behind pointers that no host code can follow. On a machine without a GPU it
 * finds host pointers given to the device, device pointers followed on the host, reads and writes beyond an
 * allocation or after its release, and values that were never written (they are NaN). */
#pragma once

#include "backend/backend.h"

extern const LacBackend lac_backend_strict;
