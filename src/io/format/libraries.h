/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Versions of the libraries that read and write files. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

/* Returns: (transfer full): "GLib 2.74.6, HDF5 1.10.8, matio 1.5.23" */
char *lac_libraries_dup_text(void);

G_END_DECLS
