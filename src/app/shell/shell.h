/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The frame of the window: the sidebar, and beside it a header with the tabs of what is chosen, the page, and its
 * bottom bar. Signal: page-changed. */
#pragma once

#include "app/shell/sidebar.h"

#include <adwaita.h>

G_BEGIN_DECLS

#define LAC_TYPE_SHELL (lac_shell_get_type())
G_DECLARE_FINAL_TYPE(LacShell, lac_shell, LAC, SHELL, GtkWidget)

/* A page: its tab, and the places of which it is one. A place with a single page shows no tabs. */
typedef struct {
  const char *name, *title, *icon; /* title: translatable */
  guint       places;              /* mask of LAC_PLACE_BIT() */
} LacShellPage;

#define LAC_PLACE_BIT(place) (1U << LAC_PLACE_##place)

/* @page: static. @bar: (nullable): its bottom bar */
void
lac_shell_add_page(LacShell *frame, const LacShellPage *page, GtkWidget *child, GtkWidget *bar);
/* Shows another page's bar below @page. */
void lac_shell_share_bar(LacShell *frame, const char *page, const char *owner);

/* Shows @page as a page of @place. Returns: FALSE if there is no such page. */
gboolean    lac_shell_show(LacShell *frame, LacPlace place, const char *page);
LacPlace    lac_shell_get_place(LacShell *frame);
const char *lac_shell_get_page(LacShell *frame);  /* (nullable) */
GtkWidget  *lac_shell_get_child(LacShell *frame); /* (transfer none) (nullable): the page shown */
/* Returns: the mask of the places of @page; 0: there is no such page. */
guint lac_shell_get_places(LacShell *frame, const char *page);

/* @subtitle: (nullable) */
void lac_shell_set_title(LacShell *frame, const char *title, const char *subtitle);
/* Enables or disables the tab of a page. */
void lac_shell_enable(LacShell *frame, const char *page, gboolean enabled);

LacSidebar *lac_shell_get_sidebar(LacShell *frame); /* (transfer none) */
AdwFlap    *lac_shell_get_flap(LacShell *frame);    /* (transfer none): holds the sidebar */
/* Fills in the panes that are shown, in reading order. Returns: their number. */
#define LAC_SHELL_MOST_PANES 5
guint lac_shell_list_panes(LacShell *frame, GtkWidget *panes[LAC_SHELL_MOST_PANES]);
/* Returns: (transfer none) (nullable): the side of the page shown. */
AdwFlap       *lac_shell_find_details(LacShell *frame);
GtkMenuButton *lac_shell_get_export_menu(LacShell *frame); /* (transfer none) */
/* Adds a widget between the header and the page. @widget: (transfer full) */
void lac_shell_add_banner(LacShell *frame, GtkWidget *widget);

G_END_DECLS
