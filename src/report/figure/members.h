/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a figure's order is made of, written once: the side file, the command line and the rows of a form follow from it. */
#pragma once

#include "report/figure/figure.h"

G_BEGIN_DECLS

typedef enum {
  LAC_MEMBER_TEXT,    /* char *; %NULL: not given */
  LAC_MEMBER_WORD,    /* char *, one of its words */
  LAC_MEMBER_REAL,    /* double; 0: not given */
  LAC_MEMBER_INTEGER, /* gint64; its least one where it is not given */
  LAC_MEMBER_FLAG,    /* gboolean */
  LAC_MEMBER_OFF,     /* gboolean, of which a side file says the opposite */
  LAC_MEMBER_RANGE,   /* LacFigureRange */
} LacMemberKind;

typedef struct {
  const char   *key; /* of a side file, with its unit */
  gsize         offset;
  LacMemberKind kind;
  double        least, most; /* of a number */
  const char   *option;      /* of the command line */
  char          letter;      /* its short form, or 0 */
  const char   *argument, *help;
  const char   *title; /* (nullable): translatable; of its row among those of the look */
  /* (nullable): of a word: the @i-th, and translatable how a person is told of it; %NULL after the last */
  const char *(*word)(gsize i, const char **reported);
  gboolean of_velocity; /* a run without one has no use for it */
} LacFigureMember;

const LacFigureMember *lac_figure_members(gsize *n);

/* Where it is in @spec. */
gpointer lac_figure_member_of(const LacFigureMember *member, const LacFigureSpec *spec);

/* Of a text, a word or a range, "LOW,HIGH"; "": not given. Returns: FALSE with %LAC_ERROR_USAGE set. */
gboolean lac_figure_member_parse(const LacFigureMember *member,
                                 const char            *text,
                                 LacFigureSpec         *spec,
                                 GError               **error);
/* Returns: (transfer full): what lac_figure_member_parse() reads; numbers to six digits. */
char *lac_figure_member_dup_text(const LacFigureMember *member, const LacFigureSpec *spec);

/* Whether every word is one that there is. Returns: FALSE with %LAC_ERROR_USAGE set. */
gboolean lac_figure_spec_check(const LacFigureSpec *spec, GError **error);

G_END_DECLS
