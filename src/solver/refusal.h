/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error messages shared by several solvers. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

/* Converts a status to a %LAC_ERROR_DEVICE error. */
gboolean lac_solver_check_status(LacStatus status, GError **error);

/* Returns TRUE when @n_steps can be reversed (trajectory.h); otherwise sets %LAC_ERROR_OUT_OF_RANGE. */
gboolean lac_solver_check_reverse(gsize n_steps, GError **error);

G_END_DECLS
