/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The page Time: the answer, the bars and the flame graph of a recording, its timeline, and the tables. What is chosen in
 * one of them is chosen in all. */
#pragma once

#include "app/timeline/scope.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

#define LAC_TYPE_TIMELINE_PAGE (lac_timeline_page_get_type())
G_DECLARE_FINAL_TYPE(LacTimelinePage, lac_timeline_page, LAC, TIMELINE_PAGE, GtkWidget)

void          lac_timeline_page_set_recording(LacTimelinePage *page,
                                              LacRecording    *recording); /* (nullable) */
LacRecording *lac_timeline_page_get_recording(LacTimelinePage *page);   /* (nullable) */
/* @about: (nullable): description of the opened trace above the timeline; NULL: the run's own records */
void              lac_timeline_page_set_about(LacTimelinePage *page, const char *about);
LacTimelineScope *lac_timeline_page_get_scope(LacTimelinePage *page); /* (transfer none) */
/* Get and set the open tab below the timeline: "operations", "spans", "durations", "marks", "findings", "roofline",
 * "kernels" or "spectrogram". Signal: tab-changed. */
const char *lac_timeline_page_get_tab(LacTimelinePage *page);
void        lac_timeline_page_set_tab(LacTimelinePage *page, const char *tab);
/* Limits the page to a path of names, from the outermost, once its times are known. @path: NULL-terminated */
void lac_timeline_page_limit(LacTimelinePage *page, const char *const *path);
void lac_timeline_page_search(LacTimelinePage *page, const char *text);
void lac_timeline_page_fit(LacTimelinePage *page);
/* Focuses the timeline itself, for its keys. */
void lac_timeline_page_focus(LacTimelinePage *page);
void lac_timeline_page_focus_search(LacTimelinePage *page);

G_END_DECLS
