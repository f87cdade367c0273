/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the window itself share: its pages and features. */
#pragma once

#include "app/gallery-page.h"
#include "app/run-bar.h"
#include "app/sweep-page.h"
#include "app/window-features.h"

G_BEGIN_DECLS

struct _LacWindow {
  AdwApplicationWindow parent_instance;
  LacWorkbench        *workbench;
  AdwToastOverlay     *toasts;
  AdwToast            *sentence; /* (nullable), weak: the last one said */
  AdwViewStack        *stack;
  LacRunBar           *run_bar;
  LacFallbackBanner   *fallback;
  GtkMenuButton       *export_menu, *main_menu;
  GMenu               *recent_items; /* of the main menu */
  GtkButton           *queue_button;
  LacGalleryPage      *gallery;
  LacSetupPage        *setup;
  LacLivePage         *live;
  LacTimelinePage     *timeline;
  LacSweepPage        *sweep;
  AdwViewStackPage    *sweep_page;
  LacRunsPage         *runs;
  LacComparePage      *compare;
  GArray              *features; /* of LacFeature: what ends with the window */
  GPtrArray *rows; /* of const LacActionRow: the table of its actions; NULL once they are gone */
  LacUiRecording *recording; /* these are among the features; NULL once they have ended */
  LacReplay      *replay;
  LacComposed    *composed;
  gboolean        held;     /* the application is kept alive for a run in a hidden window */
  gboolean        quitting; /* quit when the run has ended */
};

/* window-actions.c */
void lac_window_add_actions(LacWindow *window);
/* What is allowed is found anew whenever something that it depends on has changed. */
void lac_window_follow_changes(LacWindow *window);
void lac_window_show_stalls(LacWindow *window);

G_END_DECLS
