/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where a run comes from: program, compiler, machine, libraries, input files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* @inputs, @measurements: as in LacContext; may be NULL. Returns: (transfer full): key, value, key, value ..., NULL. */
GStrv lac_provenance_new(GHashTable *inputs, GHashTable *measurements);

G_END_DECLS
