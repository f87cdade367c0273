/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the parts of the window share: pages and session. */
#pragma once

#include "app/exporter.h"
#include "app/gallery-page.h"
#include "app/live-page.h"
#include "app/run-bar.h"
#include "app/setup-page.h"
#include "app/sweep-page.h"
#include "app/timeline-page.h"
#include "app/window.h"

G_BEGIN_DECLS

struct _LacWindow {
  AdwApplicationWindow  parent_instance;
  AdwToastOverlay      *toasts;
  AdwViewStack         *stack;
  AdwViewSwitcherTitle *switcher;
  LacRunBar            *run_bar;
  GtkMenuButton        *export_menu, *main_menu;
  LacGalleryPage       *gallery;
  LacSetupPage         *setup;
  LacLivePage          *live;
  LacTimelinePage      *timeline;
  LacSweepPage         *sweep;
  AdwViewStackPage     *sweep_page;
  LacSweepSeries       *series; /* (nullable): a sweep whose runs are going on */
  LacSession           *session;
  GtkFileChooserNative *chooser; /* is no widget: kept until it answers */
  LacExportKind         chooser_kind;
  gboolean              held;     /* the application is kept alive for a run in a hidden window */
  gboolean              quitting; /* quit when the run has ended */
};

/* window-actions.c */
void lac_window_add_actions(LacWindow *window);
void lac_window_update_actions(LacWindow *window);

/* window-files.c */
void lac_window_choose_run(LacWindow *window);
void lac_window_choose_data(LacWindow *window);
/* Shows another program's trace on the timeline page, in place of the session's own records. */
void lac_window_open_trace(LacWindow *window, const char *path);
void lac_window_close_trace(LacWindow *window);
void lac_window_choose_export(LacWindow *window, LacExportKind kind);
void lac_window_export(LacWindow *window, LacExportKind kind, const char *path);

/* window-close.c */
gboolean lac_window_ask_before_close(LacWindow *window); /* TRUE: stay open for now */
void     lac_window_end_hold(LacWindow *window);

/* window-sweep.c */
void lac_window_launch_sweep(LacWindow *window, const LacRunSettings *settings, const char *text);
/* The session has ended: the next run of the sweep follows. Returns: whether it was of a sweep. */
gboolean lac_window_go_on_with_sweep(LacWindow *window);

/* window.c */
gboolean lac_window_launch(LacWindow            *window,
                           const LacRunSettings *settings); /* FALSE: has said why */
void     lac_window_show_page(LacWindow *window, const char *page);

G_END_DECLS
