/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a data file holds and what can be done with it. Choosing a use activates win.use-file. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_FILE_DIALOG (lac_file_dialog_get_type())
G_DECLARE_FINAL_TYPE(LacFileDialog, lac_file_dialog, LAC, FILE_DIALOG, AdwWindow)

/* Reads on a thread of its own. */
GtkWidget *lac_file_dialog_new(GtkWindow *parent, const char *path);

G_END_DECLS
