/* SPDX-License-Identifier: GPL-3.0-or-later */
/* One field of two runs on a common scale, frame by frame, and their difference. */
#pragma once

#include "app/field/view.h"
#include "io/runfile/run-file.h"

#include <gtk/gtk.h>

G_BEGIN_DECLS

/* ---- one field of two runs as a frame of two channels, which the field view shows like truth and reconstruction ---- */

typedef enum {
  LAC_LINK_STEP, /* the second run's stored frame nearest in step */
  LAC_LINK_TIME, /* nearest in compute time */
} LacLink;

typedef struct _LacComparisonSource LacComparisonSource;

/* Takes references. */
LacComparisonSource *lac_comparison_source_new(LacRunFile *first, LacRunFile *second);
void                 lac_comparison_source_free(LacComparisonSource *source);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacComparisonSource, lac_comparison_source_free)

/* Returns: the number of fields that both runs have. */
gsize lac_comparison_source_get_n_fields(const LacComparisonSource *source);
/* Selects a field. Returns: (transfer none): its channels, the first run's and the second's; valid until the next
 * call. */
const LacChannel *lac_comparison_source_use(LacComparisonSource *source, gsize field);

gsize lac_comparison_source_get_n_frames(const LacComparisonSource *source); /* of the first run */
/* Returns: (transfer full): gsize: the frames of the first run to step through: those whose step the second run has
 * too; all of them if there is none, or by time. */
GArray *lac_comparison_source_list_frames(const LacComparisonSource *source, LacLink link);

/* Replaces values of the second plane that differ from those of the first by at most LAC_COMPARISON_ULPS rounding
 * errors of the largest value, so that their difference is 0 and its scale is not that of noise. Planes of different
 * shapes are left alone. */
#define LAC_COMPARISON_ULPS 4
void lac_comparison_drop_rounding(const LacPlane *first, LacPlane *second);

/* Returns: (transfer full): frame @i of the first run with its counterpart; NULL with an error. @frames: (out): frame
 * indices in the two runs. */
LacFrame *lac_comparison_source_load(const LacComparisonSource *source,
                                     gsize                      i,
                                     LacLink                    link,
                                     gsize                      frames[2],
                                     GError                   **error);

/* ---- the widget that shows them ---- */

#define LAC_TYPE_COMPARE_FIELDS (lac_compare_fields_get_type())
G_DECLARE_FINAL_TYPE(LacCompareFields, lac_compare_fields, LAC, COMPARE_FIELDS, GtkWidget)

/* Both runs are set, or both are NULL. */
void lac_compare_fields_set_runs(LacCompareFields *fields, LacRunFile *first, LacRunFile *second);
void lac_compare_fields_set_mode(LacCompareFields *fields, LacViewMode mode);
void lac_compare_fields_set_link(LacCompareFields *fields, LacLink link);
LacLink       lac_compare_fields_get_link(LacCompareFields *fields);
LacFieldView *lac_compare_fields_get_view(LacCompareFields *fields); /* (transfer none) */
/* Get and set the selected field and the frame of the first run, by index. Out-of-range indices are ignored. */
void lac_compare_fields_get_chosen(LacCompareFields *fields, guint *field, guint *frame);
void lac_compare_fields_choose(LacCompareFields *fields, guint field, guint frame);
GtkWidget      *
lac_compare_fields_get_bar(LacCompareFields *fields); /* (transfer none): a LacBottomBar */
void lac_compare_fields_zoom(LacCompareFields *fields, double factor); /* 0: fit */

G_END_DECLS
