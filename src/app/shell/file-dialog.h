/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contents of a data file and its possible uses. Choosing a use activates win.use-file. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_FILE_DIALOG (lac_file_dialog_get_type())
G_DECLARE_FINAL_TYPE(LacFileDialog, lac_file_dialog, LAC, FILE_DIALOG, AdwWindow)

/* Reads the file in a worker thread. */
GtkWidget *lac_file_dialog_new(GtkWindow *parent, const char *path);

G_END_DECLS
