/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A parameter is one row: its default, range, unit and words are written there and nowhere else. */
#pragma once

#include <glib.h>

G_BEGIN_DECLS

typedef enum {
  LAC_PARAM_REAL,    /* double */
  LAC_PARAM_INTEGER, /* gint64 */
  LAC_PARAM_CHOICE,  /* gint64: index into choices */
  LAC_PARAM_SWITCH,  /* gint64: 0 or 1 */
  LAC_PARAM_LIST,    /* gint64: some of the choices in the order named; see lac_list_get() */
  LAC_PARAM_FILE,    /* char *, owned by the draft; NULL when none is named */
  LAC_PARAM_TEXT,    /* char *, owned by the draft; NULL when it is empty */
} LacParamKind;

typedef enum {
  LAC_PARAM_BASIC = 0,
  LAC_PARAM_ADVANCED = 1 << 0, /* folded away in the set-up page */
  LAC_PARAM_LIVE = 1 << 1,     /* may change while the run is going; journalled with the step */
} LacParamFlags;

/* key and offset of a member of the experiment's parameter struct */
#define LAC_FIELD(Type, member) #member, G_STRUCT_OFFSET(Type, member)

/* A list of choices in one number, 4 bits an entry, the first lowest; it fits a double. */
#define LAC_LIST_MAX_ENTRIES 12

/* Returns: the index of the choice at position @i, or -1 beyond the end. */
int lac_list_get(gint64 list, guint i);
/* @choice: at most 14. Returns: @list with it at the end. */
gint64 lac_list_append(gint64 list, guint choice);
/* Returns: TRUE when @choice is in the list. */
gboolean lac_list_has(gint64 list, guint choice);

/* One row. Members from @choices on are written by name. */
typedef struct {
  const char        *key;    /* stable: never translated, never reused */
  gsize              offset; /* of the value within the parameter struct */
  LacParamKind       kind;
  const char        *unit;     /* SI symbol, "1" when dimensionless, "%" */
  double             min, max; /* closed range of a real or an integer */
  double             fallback; /* the default; for a choice its index */
  const char        *label;    /* translatable, sentence case */
  const char        *group;    /* translatable heading: Scene, Sensors, Method, Optimiser... */
  const char        *help;     /* translatable, one sentence; the tooltip */
  LacParamFlags      flags;
  const char *const *choices;   /* NULL-terminated names, for a choice */
  const char        *file_type; /* what the file must hold ("field"), for a file */
  const char        *text;      /* the default of a text; NULL: empty */
  const char *const
             *titles; /* (nullable): translatable, of each choice, for a list whose order matters */
  const char *list,
    *entry; /* (nullable): the row means something only while the row @list has @entry */
  gsize
    given; /* of a file whose content decides about a run before it begins: the offset of a LacFileContent * within the parameter
                * struct; 0: none */
} LacParam;

/* What a file of a draft holds, as somebody read it: the same for all copies of the draft. Never changes. */
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
 * LacDraft: the values of one table while a person edits them. Frozen by copying.
 * Not thread-safe; each owner copies.
 */
typedef struct _LacDraft LacDraft;

LacDraft *lac_draft_new(const LacParamTable *table); /* every default */
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
 *   a switch as yes/no, true/false, on/off, 1/0; a file by its path ("" for none); a text as it is
 *
 * Returns: %FALSE with %LAC_ERROR_UNKNOWN_KEY or %LAC_ERROR_OUT_OF_RANGE set and the draft as
 *   before; the message names key, value, unit and what is allowed.
 */
gboolean lac_draft_set(LacDraft *draft, const char *key, const char *text, GError **error);

/* Returns: (transfer full): the value as lac_draft_set() takes it; doubles in the shortest form that reads back. */
char *lac_draft_dup_text(const LacDraft *draft, const LacParam *row);

/* Returns: the numeric value of a row that is neither a file nor a text. */
double lac_draft_get_number(const LacDraft *draft, const LacParam *row);

/* Returns: (nullable): the path of a file row. */
const char *lac_draft_get_file(const LacDraft *draft, const LacParam *row);

/* The file of @row, which has a place for it, holds @data; forgotten when the row is set again. Takes @data. */
void lac_draft_give(LacDraft *draft, const LacParam *row, gpointer data, GDestroyNotify destroy);

/* Returns: (nullable): the data that was given for the file row; NULL: none since it was set. */
gpointer lac_draft_get_given(const LacDraft *draft, const LacParam *row);

/* Returns: (nullable): the words of a text row; NULL when it is empty. */
const char *lac_draft_get_text(const LacDraft *draft, const LacParam *row);

gboolean lac_draft_is_default(const LacDraft *draft, const LacParam *row);

/* Whether @row means something while the other rows are as they are. */
gboolean lac_draft_is_in_use(const LacDraft *draft, const LacParam *row);

/* Returns: (nullable): the row with @key. */
const LacParam *lac_param_find(const LacParamTable *table, const char *key);

/* Returns: (transfer full): what a row allows, in words: "1 to 1e5", "qr, random", "yes or no". */
char *lac_param_dup_allowed(const LacParam *row);

/* Returns: (transfer full): the keys that somebody who wrote @key may have meant: "did you mean noise?", or all
 * there are: "there are noise, sensors". */
char *lac_param_dup_keys_near(const LacParamTable *table, const char *key);

G_END_DECLS
