/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure requirements of journals: widths of one, one and a half and two columns, maximum height, font size, line
 * width. One table. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_COLUMNS_ONE,
  LAC_COLUMNS_ONE_AND_A_HALF,
  LAC_COLUMNS_TWO,
  LAC_N_COLUMNS
} LacColumns;

typedef struct {
  const char *key;                     /* "nature" */
  const char *title;                   /* proper name, or a translatable text */
  double      width_mm[LAC_N_COLUMNS]; /* 0: the journal has no such width */
  double      height_mm;               /* maximum; 0: unknown */
  double      font_size, line_width;   /* points; line width of a frame, curves are twice as wide */
  double      dpi;                     /* minimum for pixel images */
  const char *
    source; /* (nullable): publisher's page against which the widths were checked; NULL: unchecked */
} LacJournal;

#define LAC_JOURNAL_OWN "" /* value of @source for presets that no publisher defines */

/* Returns all journals; the first is the default. */
const LacJournal *lac_journals(gsize *n);

/* Returns: (nullable): NULL if the key is unknown. */
const LacJournal *lac_journal_find(const char *key);

/* Finds the columns for a word: "single", "one-and-a-half", "double". Returns: FALSE for an unknown word. */
gboolean    lac_columns_find(const char *word, LacColumns *columns);
const char *lac_columns_word(LacColumns columns);

G_END_DECLS
