/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the live page. */
#pragma once

#include "app/field/picture-menu.h"
#include "app/field/step-frame.h"
#include "app/field/view-controls.h"
#include "app/field/volume-viewer.h"
#include "app/live/column.h"
#include "app/live/facts.h"
#include "app/live/page.h"
#include "app/plot/curve-panel.h"
#include "app/toolkit/play-button.h"
#include "field/derived-planes.h"

#include <adwaita.h>

G_BEGIN_DECLS

struct _LacLivePage {
  GtkWidget        parent_instance;
  GtkStack        *stack, *viewer;
  LacLiveColumn   *column;
  LacFieldView    *field;
  LacVolumeViewer *volume;
  LacCurvePanel   *curves;
  LacMetricList   *metrics;
  LacLiveFacts    *facts;
  LacStepFrame    *of_step;
  AdwStatusPage   *waiting;
  GtkProgressBar  *setup;
  GtkLabel        *reading, *state, *device, *message, *remedy_text, *retry_label;
  GtkDropDown     *quantity;
  LacViewControls *view_controls;
  LacPictureMenu  *picture;
  GtkWidget       *modes, *fields, *errors, *deviation, *in_space;
  LacViewMode      mode;
  GtkWidget *controls, *frames, *tuning, *pause, *step_once, *stop, *checkpoint, *remedy, *retry;
  GtkScale  *frame;
  LacPlayButton    *play;
  GtkBox           *tuning_rows;
  LacSession       *session;
  LacFrame         *shown; /* (nullable): the latest frame of the session */
  LacDerivedPlanes *derived;
  LacDraft         *draft; /* values of the live parameter rows */
  gboolean          follows_frame;
  gint64            described_ns;
};

/* @text: (transfer full) */
void lac_live_page_set_label(GtkLabel *label, char *text);

/* live-page-controls.c: the slider over stored frames. */
void lac_live_page_show_kept_frames(LacLivePage *page);
void lac_live_page_follow_frame(LacLivePage *page, const LacFrame *frame);
void lac_live_page_on_frame_chosen(GtkRange *range, LacLivePage *page);

/* live-page-controls.c: parameters that may change during the run. */
void lac_live_page_clear_tuning(LacLivePage *page);
void lac_live_page_add_tuning(LacLivePage *page, const LacDraft *draft);

/* live-page-controls.c: advice after a failed run. */
void lac_live_page_show_remedy(LacLivePage *page); /* searches for it in a worker thread */

G_END_DECLS
