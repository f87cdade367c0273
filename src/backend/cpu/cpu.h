/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The cpu backend: complete, on host memory. */
#pragma once

#include "backend/backend.h"

extern const LacBackend lac_backend_cpu;
