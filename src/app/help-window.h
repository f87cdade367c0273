/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The help of docs/help.md, a part for each page of the window. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* @page: of the window, whose part is shown first. */
void lac_help_window_present(GtkWindow *parent, const char *page);

/* A paragraph of Markdown, with *emphasis*, `code` and [links](…), as Pango's. Returns: (transfer full) */
char *lac_help_dup_markup(const char *paragraph);

G_END_DECLS
