/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the page of fields. */
#pragma once

#include "app/field/picture-menu.h"
#include "app/field/view-controls.h"
#include "app/field/volume-viewer.h"
#include "app/live/changes.h"
#include "app/live/column.h"
#include "app/live/energy-card.h"
#include "app/live/exposures.h"
#include "app/live/facts.h"
#include "app/live/measured.h"
#include "app/live/method-view.h"
#include "app/live/notes.h"
#include "app/live/page.h"
#include "app/live/transport.h"
#include "app/plot/curve-panel.h"
#include "field/derived-planes.h"

#include <adwaita.h>

G_BEGIN_DECLS

struct _LacLivePage {
  GtkWidget            parent_instance;
  GtkStack            *stack, *viewer;
  AdwFlap             *flap;
  LacLiveColumn       *column;
  LacFieldView        *field;
  LacVolumeViewer     *volume;
  LacEnergyCard       *energy;
  LacMethodView       *methods;
  LacCurvePanel       *curves;
  LacExposures        *exposures;
  LacLiveFacts        *facts;
  LacMeasured         *measured;
  LacLiveChanges      *changes;
  LacLiveNotes        *notes;
  AdwStatusPage       *waiting;
  GtkProgressBar      *setup;
  GtkLabel            *message, *remedy_text, *retry_label;
  GtkDropDown         *quantity;
  LacViewControls     *view_controls;
  LacPictureMenu      *picture;
  GtkWidget           *volume_controls; /* in the tool row */
  GtkWidget           *modes, *both, *fields, *errors, *deviation, *in_space, *fit;
  GtkWidget           *caution, *retry;
  GtkWidget           *parts, *part_methods, *part_curves, *part_change, *part_details;
  GtkScrolledWindow   *low_change, *low_details;
  GtkBox              *side, *side_frame, *change, *details, *findings, *lower, *tools;
  AdwPreferencesGroup *tuning;
  GtkWidget           *tuning_hint;
  GPtrArray           *tuning_rows; /* LacTuneRow, borrowed */
  GHashTable          *tuned;       /* key of a parameter → its last value; both owned */
  LacTransport        *transport;
  LacViewMode       mode; /* chosen; in a low page the fields and errors are not shown together */
  LacSession       *session;
  LacFrame         *shown; /* (nullable): the latest frame of the session */
  LacDerivedPlanes *derived;
  LacDraft         *draft; /* values of the live parameter rows */
  gint64            described_ns;
  gboolean          is_low, is_narrow,
    has_card;          /* how it is laid out; the curves are in the card of an energy */
  int   width, height; /* last allocated */
  guint fitting;       /* idle source of a change of layout */
};

/* @text: (transfer full) */
void lac_live_page_set_label(GtkLabel *label, char *text);
/* Shows the row above the pictures if it has something to tell. */
void lac_live_page_show_caution(LacLivePage *page);
/* Shows the mode chosen, or what a low page shows in its place. */
void lac_live_page_show_mode(LacLivePage *page);

/* page-captions.c: captions and order of the pictures; the part of the curves over which means are taken. */
void lac_live_page_show_captions(LacLivePage *page);
void lac_live_page_show_mean(LacLivePage *page);

/* page-controls.c: parameters that may change during the run. */
void lac_live_page_clear_tuning(LacLivePage *page);
void lac_live_page_add_tuning(LacLivePage *page, const LacDraft *draft);
void lac_live_page_end_tuning(LacLivePage *page); /* the run has ended */
/* Hides the group of changes while there is nothing to change and nothing has been changed. */
void lac_live_page_show_change(LacLivePage *page);

/* page-controls.c: advice after a failed run, and findings about the methods. */
void lac_live_page_show_remedy(LacLivePage *page); /* searches for it in a worker thread */
void lac_live_page_show_findings(LacLivePage *page);

/* page-layout.c: the layout follows the size of the page. */
void lac_live_page_bind_layout(GtkWidgetClass *class);
void lac_live_page_show_part(LacLivePage *page);

G_END_DECLS
