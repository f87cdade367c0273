/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parameter tables: one row holds a parameter's default, range, unit and texts. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_PARAM_REAL,    /* double */
  LAC_PARAM_INTEGER, /* gint64 */
  LAC_PARAM_CHOICE,  /* gint64: index into choices */
  LAC_PARAM_SWITCH,  /* gint64: 0 or 1 */
  LAC_PARAM_LIST,    /* gint64: ordered subset of the choices; see lac_list_get() */
  LAC_PARAM_FILE,    /* char *, owned by the draft; NULL without a file */
  LAC_PARAM_TEXT,    /* char *, owned by the draft; NULL when it is empty */
} LacParamKind;

typedef enum {
  LAC_PARAM_BASIC = 0,
  LAC_PARAM_ADVANCED = 1 << 0, /* folded away in the set-up page */
  LAC_PARAM_LATER =
    1
    << 2, /* a row that earlier versions did not have: off, 0 or the first choice in a run that does not state it */
  LAC_PARAM_LIVE = 1 << 1, /* may change during the run; recorded in the journal with the step */
} LacParamFlags;

/* key and offset of a member of the experiment's parameter struct */
#define LAC_FIELD(Type, member) #member, G_STRUCT_OFFSET(Type, member)

/* Ordered list of choices packed in an integer, 4 bits an entry, the first lowest; exact as a double. */
#define LAC_LIST_MAX_ENTRIES 12

/* Returns: the index of the choice at position @i, or -1 beyond the end. */
int lac_list_get(gint64 list, guint i);
/* @choice: at most 14. Returns: @list with @choice appended. */
gint64 lac_list_append(gint64 list, guint choice);
/* Returns: TRUE when @choice is in the list. */
gboolean lac_list_has(gint64 list, guint choice);

/* One parameter. Members from @choices on are given by designated initialisers. */
typedef struct {
  const char        *key;    /* stable: never translated, never reused */
  gsize              offset; /* offset of the value within the parameter struct */
  LacParamKind       kind;
  const char        *unit;     /* SI symbol or "%"; "1" when dimensionless */
  double             min, max; /* closed range of a real or an integer */
  double             fallback; /* the default; for a choice its index */
  const char        *label;    /* translatable, sentence case */
  const char        *group;    /* translatable heading: Scene, Sensors, Method, Optimiser... */
  const char        *help;     /* translatable, one clause; the tooltip */
  LacParamFlags      flags;
  const char *const *choices;   /* NULL-terminated keys, for a choice or a list; never translated */
  const char        *file_type; /* expected content of a file ("field") */
  const char        *text;      /* default of a text; NULL: empty */
  const char *const *
    titles; /* translatable names of the choices, in their order; NULL: their keys are symbols of the
                                field (u, v), shown as they are */
  const char *list,
    *entry; /* (nullable): the row applies only while the list or choice @list contains @entry, or with a leading !,
             * does not contain it */
  gsize
    given; /* offset, within the parameter struct, of the LacFileContent * of a file whose content affects the set-up; 0: none */
  const char           *
    zero; /* (nullable): translatable name of the value 0 of a number, where 0 is no quantity: "No noise" */
  const char *some;    /* with @zero: translatable name of its other values: "Relative" */
  double      typical; /* with @zero: proposed in place of 0 when the default is 0 itself */
} LacParam;

/* Content of a draft's file, already read: shared by all copies of the draft. Immutable. */
typedef struct {
  gint           ref_count;
  gpointer       data;
  GDestroyNotify destroy;
} LacFileContent;

typedef struct {
  const LacParam *rows;
  gsize           n_rows;
  gsize           size; /* bytes of the parameter struct */
} LacParamTable;

/**
 * LacDraft: the values of one parameter table while the user edits them. Copy it to freeze the values.
 * Not thread-safe; each owner copies.
 */
typedef struct _LacDraft LacDraft;

LacDraft *lac_draft_new(const LacParamTable *table); /* all values at their defaults */
LacDraft *lac_draft_copy(const LacDraft *draft);
void      lac_draft_free(LacDraft *draft);
G_DEFINE_AUTOPTR_CLEANUP_FUNC(LacDraft, lac_draft_free)

const LacParamTable *lac_draft_get_table(const LacDraft *draft);

/* Returns: (transfer none): the parameter struct, for the experiment that declared the table. */
gconstpointer lac_draft_get_values(const LacDraft *draft);

/**
 * lac_draft_set:
 * @key: a key of the table
 * @text: the value, in the row's unit, with a decimal point in every locale; a choice by name;
 *   a switch as yes/no, true/false, on/off, 1/0; a file by its path ("" for none); a text verbatim
 *
 * Returns: %FALSE with %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_OUT_OF_RANGE set and the draft
 *   unchanged; the message names key, value, unit and allowed values.
 */
gboolean lac_draft_set(LacDraft *draft, const char *key, const char *text, GError **error);

/* Returns: (transfer full): the value as lac_draft_set() accepts it; doubles in the shortest form that reads back. */
char *lac_draft_dup_text(const LacDraft *draft, const LacParam *row);

/* Returns: the numeric value of a row that is neither a file nor a text. */
double lac_draft_get_number(const LacDraft *draft, const LacParam *row);

/* Returns: (nullable): the path of a file row. */
const char *lac_draft_get_file(const LacDraft *draft, const LacParam *row);

/* Attaches the content @data (transfer full) to the file row @row, whose @given must not be 0. The content is dropped
 * when the row is set again. */
void lac_draft_give(LacDraft *draft, const LacParam *row, gpointer data, GDestroyNotify destroy);

/* Returns: (nullable): the content attached to the file row since it was last set. */
gpointer lac_draft_get_given(const LacDraft *draft, const LacParam *row);

/* Returns: (nullable): the value of a text row; NULL when empty. */
const char *lac_draft_get_text(const LacDraft *draft, const LacParam *row);

gboolean lac_draft_is_default(const LacDraft *draft, const LacParam *row);

/* Returns TRUE when @row applies, given the values of the other rows. */
gboolean lac_draft_is_in_use(const LacDraft *draft, const LacParam *row);

/* Returns: (nullable): the row with @key. */
const LacParam *lac_param_find(const LacParamTable *table, const char *key);

/* Returns: (transfer full): the allowed values as text: "1 to 1e5", "qr, random", "yes or no". */
char *lac_param_dup_allowed(const LacParam *row);

/* Returns: the translated name of a choice. Any thread. */
const char *lac_param_get_title(const LacParam *row, guint choice);

/* Returns: (transfer full): a value as lac_draft_dup_text() returns it, in the words of the window: "Pivoted QR" for qr,
 * "No noise" for 0. A value that the row does not allow, of another version, is returned as it is. Any thread. */
char *lac_param_dup_shown(const LacParam *row, const char *text);

/* Returns: (transfer full): the allowed values in the words of the window. */
char *lac_param_dup_allowed_shown(const LacParam *row);

/* Returns: (transfer full): at most three suggestions for the mistyped @key: "did you mean noise?", or "the nearest of 75
 * are noise, sensors, seed". */
char *lac_param_dup_keys_near(const LacParamTable *table, const char *key);

G_END_DECLS
