/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A faster layout of the title and subtitle of rows with wrapped text. */
#pragma once

#include <adwaita.h>

G_BEGIN_DECLS

/* Gives the title and subtitle of an AdwActionRow a faster layout manager. */
void lac_stack_layout_take_titles(GtkWidget *action_row);

G_END_DECLS
