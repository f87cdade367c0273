/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the window itself: its pages and features. */
#pragma once

#include "app/setup/gallery-page.h"
#include "app/shell/fallback-banner.h"
#include "app/shell/features.h"
#include "app/shell/shell.h"

G_BEGIN_DECLS

/* The parts of the window, which are made one after the other. */
typedef struct {
  guint n_made;
  guint source; /* idle source that makes the next one */
} LacWindowParts;

struct _LacWindow {
  AdwApplicationWindow parent_instance;
  LacWorkbench        *workbench;
  AdwToastOverlay     *toasts;
  AdwToast            *sentence; /* (nullable), weak: the last message */
  LacShell            *shell;
  LacFallbackBanner   *fallback;
  LacGalleryPage      *gallery;
  LacSetupPage        *setup;
  LacLivePage         *live;
  LacTimelinePage     *timeline;
  LacFolderPage       *runs;
  LacComparePage      *compare;
  LacReportPage       *report;
  LacBenchmarksPage   *benchmarks;
  GArray              *features; /* LacFeature: destroyed with the window */
  GPtrArray      *rows; /* const LacActionRow: the window's actions; NULL after they are removed */
  LacUiRecording *recording; /* among the features; NULL once they have ended */
  LacReplay      *replay;
  LacComposed    *composed;
  LacWindowParts  parts;
  gboolean        held;     /* holds the application for a run in a hidden window */
  gboolean        quitting; /* quit when the run has ended */
};

/* window-actions.c */
void lac_window_add_actions(LacWindow *window);
/* Updates the enabled state of actions whenever one of their conditions has changed. */
void lac_window_follow_changes(LacWindow *window);
/* Updates it now: the runs that commands apply to depend on the place. */
void lac_window_update_actions(LacWindow *window);
void lac_window_show_stalls(LacWindow *window);

/* panes.c */
void lac_window_add_panes(LacWindow *window);

/* places.c */
/* Makes the next page, the gallery first. Returns: FALSE if all are there */
gboolean lac_window_add_part(LacWindow *window);
void     lac_window_follow_places(LacWindow *window);
/* Shows @page as a page of @place. */
void lac_window_show_place(LacWindow *window, LacPlace place, const char *page);
/* Marks in the sidebar and in the title what is shown; called when that has changed without the place. */
void lac_window_mark_place(LacWindow *window);
void lac_window_show_title(LacWindow *window);
/* Returns TRUE while a run is on display, or being opened. */
gboolean lac_window_has_run(LacWindow *window);
void     lac_window_on_tab(LacWindow *window);
void     lac_window_find_run(LacWindow *window);

G_END_DECLS
