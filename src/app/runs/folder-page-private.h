/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page of a folder, shared by its two files. */
#pragma once

#include "app/runs/details.h"
#include "app/runs/folder-page.h"
#include "app/runs/sweep-table.h"
#include "app/session/run-tree.h"
#include "app/toolkit/bottom-bar.h"
#include "run/library/filter.h"

#include <adwaita.h>

G_BEGIN_DECLS

struct _LacFolderPage {
  GtkWidget           parent_instance;
  AdwFlap            *flap;
  GtkBox             *head;
  GtkLabel           *answer, *heading, *problem;
  GtkStack           *stack;
  GtkSearchEntry     *search;
  GtkMenuButton      *group;
  AdwBin             *columns;
  AdwStatusPage      *unreadable;
  LacSweepView       *sweep;
  LacColumnTable     *list;
  LacSweepTable      *table;
  LacRunDetails      *details;
  LacBottomBar       *bar;
  GtkWidget          *list_columns; /* menu of the columns of @list */
  LacRunStore        *store;
  char               *folder, *name; /* grouping and name of the group; NULL: all runs */
  LacSweepSeries     *series;        /* (nullable): the sweep of this window, shown */
  LacSweepRuns       *results;       /* (nullable): NULL unless a sweep is shown */
  char               *key;           /* grouping of all runs */
  char               *identity;      /* (nullable): of the sweep of @series */
  LacRunFilter       *filter;
  GtkCustomFilter    *matches, *is_part;
  GtkFilterListModel *parts, *filtered; /* runs of the folder; those that match the search */
  LacRunTree         *tree;
  GtkSelectionModel  *selection; /* of the list */
  guint               refresh;   /* idle source */
};

/* folder-page.c: called when other runs are shown, or the selection has changed. */
void lac_folder_page_show_state(LacFolderPage *page);
void lac_folder_page_show_selection(LacFolderPage *page);

/* folder-page-runs.c: the runs of the folder, and the results of a sweep. */
gboolean lac_folder_page_is_part(gpointer item, gpointer page);
void     lac_folder_page_show_folder(LacFolderPage *page);
void     lac_folder_page_show_results(LacFolderPage *page);
void     lac_folder_page_show_columns(LacFolderPage *page);
void     lac_folder_page_show_look(LacFolderPage *page); /* another result of a sweep */
/* Finds the runs of the folder again, once for many changes. */
void lac_folder_page_refresh(LacFolderPage *page);

G_END_DECLS
