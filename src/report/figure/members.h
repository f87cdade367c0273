/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of a figure description: one table for the side file, the command line and the form in the window. */
#pragma once

#include "report/figure/figure.h"

G_BEGIN_DECLS

typedef enum {
  LAC_MEMBER_TEXT,    /* char *; %NULL: not given */
  LAC_MEMBER_WORD,    /* char *, one of a list of words */
  LAC_MEMBER_REAL,    /* double; 0: not given */
  LAC_MEMBER_INTEGER, /* gint64; its minimum means not given */
  LAC_MEMBER_FLAG,    /* gboolean */
  LAC_MEMBER_OFF,     /* gboolean, stored inverted in a side file */
  LAC_MEMBER_RANGE,   /* LacFigureRange */
} LacMemberKind;

typedef struct {
  const char   *key; /* name in a side file, with its unit */
  gsize         offset;
  LacMemberKind kind;
  double        least, most; /* range of a number */
  const char   *option;      /* long option on the command line */
  char          letter;      /* short option, or 0 */
  const char   *argument, *help;
  const char   *title; /* (nullable): translatable title of its row in the form */
  /* (nullable): word @i of the list, and its translatable label; %NULL after the last */
  const char *(*word)(gsize i, const char **reported);
  gboolean of_velocity; /* applies only to runs with a velocity */
} LacFigureMember;

const LacFigureMember *lac_figure_members(gsize *n);

/* Returns the address of the member in @spec. */
gpointer lac_figure_member_of(const LacFigureMember *member, const LacFigureSpec *spec);

/* Sets the member from a text, a word or a range "LOW,HIGH"; "": not given. Returns: FALSE with %LAC_ERROR_USAGE
 * set. */
gboolean lac_figure_member_parse(const LacFigureMember *member,
                                 const char            *text,
                                 LacFigureSpec         *spec,
                                 GError               **error);
/* Returns: (transfer full): input for lac_figure_member_parse(); numbers to six digits. */
char *lac_figure_member_dup_text(const LacFigureMember *member, const LacFigureSpec *spec);

/* Checks that every word is a valid one. Returns: FALSE with %LAC_ERROR_USAGE set. */
gboolean lac_figure_spec_check(const LacFigureSpec *spec, GError **error);

G_END_DECLS
