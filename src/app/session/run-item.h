/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run in the list of runs: the headline and thumbnail that columns bind to. Signal: updated. */
#pragma once

#include "app/toolkit/column-table.h"
#include "run/library/headline.h"

G_BEGIN_DECLS

#define LAC_TYPE_RUN_ITEM (lac_run_item_get_type())
G_DECLARE_FINAL_TYPE(LacRunItem, lac_run_item, LAC, RUN_ITEM, LacColumnRow)

LacRunItem           *lac_run_item_new(LacRunHeadline *headline);
void                  lac_run_item_update(LacRunItem *item, LacRunHeadline *headline);
const LacRunHeadline *lac_run_item_get(LacRunItem *item);

/* (nullable): thumbnail of the run's fields; NULL until it is drawn. */
GdkTexture *lac_run_item_get_picture(LacRunItem *item);
void        lac_run_item_set_picture(LacRunItem *item, GdkTexture *picture);

/* Displayed texts of a headline, translated. Returns: (transfer full). */
char *lac_run_item_dup_outcome(const LacRunHeadline *headline);
char *lac_run_item_dup_started(const LacRunHeadline *headline); /* "today 14:05", "21 Nov 2026" */
char *lac_run_item_dup_day(const LacRunHeadline *headline);     /* "Saturday, 21 Nov 2026" */
char *lac_run_item_dup_laboratory(const LacRunHeadline *headline);
/* Returns the short title of the method or choice with key @key: the key in the letters of the title, "POD" of "Gappy
 * POD", an acronym, else the title. */
char *lac_run_item_dup_short_title(const char *title, const char *key);
/* Returns the value of the setting @key as lac_param_dup_shown() does, with its unit, and of a list by short titles. */
char *lac_run_item_dup_value(const LacRunHeadline *headline, const char *key, const char *text);
/* Returns the time of the start and what was changed, the methods last: "16:32 · K 8 · Noise 2 % · EnKF, POD". */
char *lac_run_item_dup_caption(const LacRunHeadline *headline);
/* Returns the values of a run of a sweep: "K = 4"; "" of another run. */
char *lac_run_item_dup_swept(const LacRunHeadline *headline);
/* Compares two runs of one sweep by their values. */
int lac_run_item_compare_swept(LacRunItem *a, LacRunItem *b);
/* Returns: (transfer none): the symbol of a setting's label that ends with one, "K" of "Sensors K", else the label. */
const char *lac_run_item_get_symbol(const char *label);
/* Returns the result of the best method with its unit: "0.36 %", "152.8 dB"; "–" if there is none. */
char *lac_run_item_dup_best(const LacRunHeadline *headline);
/* Returns: (nullable): the CSS class of an outcome's colour. */
const char *lac_run_item_get_style(const LacRunHeadline *headline);

G_END_DECLS
