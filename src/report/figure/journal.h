/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What journals ask of a figure: widths of one, one and a half and two columns, the tallest, type and lines. One table. */
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
  const char *title;                   /* a name; translatable where it is none */
  double      width_mm[LAC_N_COLUMNS]; /* 0: the journal has no such width */
  double      height_mm;               /* the tallest; 0: not known */
  double font_size, line_width; /* points; a line is that of a frame, curves are twice as strong */
  double dpi;                   /* least, of pixels */
  const char *
    source; /* (nullable): the publisher's page that the widths were checked against; NULL: unchecked */
} LacJournal;

#define LAC_JOURNAL_OWN "" /* the source of what no publisher asks for */

/* The first is the default. */
const LacJournal *lac_journals(gsize *n);

/* Returns: (nullable): NULL where the key is unknown. */
const LacJournal *lac_journal_find(const char *key);

/* "single", "one-and-a-half", "double". Returns: FALSE where the word is unknown. */
gboolean    lac_columns_find(const char *word, LacColumns *columns);
const char *lac_columns_word(LacColumns columns);

G_END_DECLS
