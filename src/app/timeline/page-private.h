/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by the files of the page. */
#pragma once

#include "app/field/step-frame.h"
#include "app/session/session.h"
#include "app/timeline/duration-panel.h"
#include "app/timeline/fall-button.h"
#include "app/timeline/overview.h"
#include "app/timeline/page.h"
#include "app/timeline/roofline-view.h"
#include "app/timeline/spectrogram-view.h"
#include "app/timeline/tables/kernel-table.h"
#include "app/timeline/tables/lists.h"
#include "app/timeline/tables/operation-table.h"
#include "app/timeline/tables/span-table.h"
#include "app/timeline/target-button.h"
#include "app/timeline/widget.h"

#include <adwaita.h>

G_BEGIN_DECLS

struct _LacTimelinePage {
  GtkWidget            parent_instance;
  GtkStack            *stack, *tables;
  GtkLabel            *answer, *caption, *matches, *counters, *about;
  GtkSearchEntry      *search;
  GtkBox              *answer_row, *answer_end;
  AdwButtonContent    *findings_content;
  GtkWidget           *findings_button, *match_box, *match_before, *match_after, *clear_range;
  GtkWidget           *outlier_before, *outlier_after, *tables_box;
  GtkPaned            *paned;
  LacTimeOverview     *overview;
  LacTimelineWidget   *timeline;
  LacOperationTable   *operations;
  LacSpanTable        *spans;
  LacDurationPanel    *durations;
  LacMarkList         *marks;
  LacFindingList      *findings;
  LacRooflineView     *roofline;
  LacKernelTable      *kernels;
  GtkStackPage        *kernels_page;
  LacStepFrame        *frame;
  LacFallButton       *fall;
  LacTargetButton     *target;
  LacSpectrogramView  *spectrogram;
  GtkWidget           *box, *about_bar, *switcher;
  LacTimelineScope    *scope; /* of the widget */
  LacTimelineTimes    *times;
  LacTimelineAnalysis *analysis;
  int                  position; /* of the divider, as last set by the page; 0: not yet */
  guint                placing;
};

/* page-words.c */
void lac_timeline_page_describe(LacTimelinePage *page,
                                guint            what); /* after a change of the scope */
void lac_timeline_page_describe_caption(LacTimelinePage *page);
void lac_timeline_page_describe_times(LacTimelinePage *page);
void lac_timeline_page_describe_findings(LacTimelinePage *page);

G_END_DECLS
