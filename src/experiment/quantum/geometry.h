/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A molecule as a person writes it down. */
#pragma once

#include "field/molecule.h"

G_BEGIN_DECLS

/* @text: "H 0 0 0; H 0 0 1.4", a nucleus an entry, in lengths of @unit bohr. Returns: (transfer full): [n_nuclei], or NULL with a
 * sentence (%LAC_ERROR_OUT_OF_RANGE) that names the entry. */
LacNucleus *lac_geometry_parse(const char *text, double unit, guint *n_nuclei, GError **error);

G_END_DECLS
