/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What several solvers say no with. */
#pragma once

#include "backend/backend.h"

#include <glib.h>

G_BEGIN_DECLS

/* A status as an error for the person: %LAC_ERROR_DEVICE. */
gboolean lac_solver_check_status(LacStatus status, GError **error);

/* Whether so many steps can be walked back (trajectory.h); else %LAC_ERROR_OUT_OF_RANGE. */
gboolean lac_solver_check_reverse(gsize n_steps, GError **error);

G_END_DECLS
