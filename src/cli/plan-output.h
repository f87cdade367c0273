/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a person asked `lacuna run` for, written down instead of run. */
#pragma once

#include "cli/run-request.h"

G_BEGIN_DECLS

/* To the file and under the name that @request has. A file that is there keeps its comments and its order, else those of the plan
 * that the request came from are taken over. Returns: FALSE with an error for the person. */
gboolean lac_plan_output_write(const LacRunRequest *request, GError **error);

G_END_DECLS
