/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a data file holds and what can be done with it. Choosing a use activates win.use-file. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_FILE_SHEET (lac_file_sheet_get_type())
G_DECLARE_FINAL_TYPE(LacFileSheet, lac_file_sheet, LAC, FILE_SHEET, AdwWindow)

/* Reads on a thread of its own. */
GtkWidget *lac_file_sheet_new(GtkWindow *parent, const char *path);

G_END_DECLS
