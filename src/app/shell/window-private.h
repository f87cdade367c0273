/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the window itself: its pages and features. */
#pragma once

#include "app/runs/sweep-page.h"
#include "app/setup/gallery-page.h"
#include "app/shell/features.h"
#include "app/shell/run-bar.h"

G_BEGIN_DECLS

struct _LacWindow {
  AdwApplicationWindow parent_instance;
  LacWorkbench        *workbench;
  AdwToastOverlay     *toasts;
  AdwToast            *sentence; /* (nullable), weak: the last message */
  AdwViewStack        *stack;
  LacRunBar           *run_bar;
  LacFallbackBanner   *fallback;
  GtkMenuButton       *export_menu, *main_menu;
  GMenu               *recent_items; /* in the main menu */
  GtkButton           *queue_button;
  LacGalleryPage      *gallery;
  LacSetupPage        *setup;
  LacLivePage         *live;
  LacTimelinePage     *timeline;
  LacSweepPage        *sweep;
  AdwViewStackPage    *sweep_page;
  LacRunsPage         *runs;
  LacComparePage      *compare;
  GArray              *features; /* LacFeature: destroyed with the window */
  GPtrArray      *rows; /* const LacActionRow: the window's actions; NULL after they are removed */
  LacUiRecording *recording; /* among the features; NULL once they have ended */
  LacReplay      *replay;
  LacComposed    *composed;
  gboolean        held;     /* holds the application for a run in a hidden window */
  gboolean        quitting; /* quit when the run has ended */
};

/* window-actions.c */
void lac_window_add_actions(LacWindow *window);
/* Updates the enabled state of actions whenever one of their conditions has changed. */
void lac_window_follow_changes(LacWindow *window);
void lac_window_show_stalls(LacWindow *window);

G_END_DECLS
