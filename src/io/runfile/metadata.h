/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metadata of a run: one table of names, types and members, used to write the journal's header, run.h5 and the JSON
 * of results, reports and comparisons, and to read the first two. Names are part of the file format and must not
 * change. */
#pragma once

#include "io/format/h5.h"
#include "io/runfile/run-file.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Outputs that contain a row; rows are written in the order of the table. */
typedef enum {
  LAC_META_JOURNAL = 1 << 0,
  LAC_META_H5 = 1 << 1,
  LAC_META_RESULT = 1 << 2,  /* `lacuna run --json` */
  LAC_META_REPORT = 1 << 3,  /* `lacuna report -o FILE.json` */
  LAC_META_COMPARE = 1 << 4, /* `lacuna compare --json` */
} LacMetaPlace;

typedef enum {
  LAC_META_TEXT,   /* char * */
  LAC_META_WORDS,  /* char *, untranslated: translated when run.h5 is read */
  LAC_META_SEED,   /* guint64; text in the journal, because JSON numbers lose precision */
  LAC_META_BYTES,  /* guint64 */
  LAC_META_COUNT,  /* guint */
  LAC_META_SIZE,   /* gsize */
  LAC_META_STEPS,  /* gint64 */
  LAC_META_REAL,   /* double; 0 when missing */
  LAC_META_METRIC, /* double; NaN when missing */
  LAC_META_KNOWN,  /* double, known if the gboolean at @has is TRUE; NaN in run.h5 when unknown */
  LAC_META_MARK,   /* as LAC_META_KNOWN, but omitted from run.h5 when unknown */
  LAC_META_SWITCH, /* gboolean */
  LAC_META_ROLE,   /* LacRole: name in run.h5, number in the journal */
  LAC_META_NAMED,  /* enumeration: one of the names of the row; the first when missing */
} LacMetaKind;

typedef struct {
  const char        *name;
  LacMetaKind        kind;
  gsize              offset; /* offset of the member in the struct */
  LacMetaPlace       places;
  const char        *journal;   /* (nullable): name in the journal, if different */
  gsize              has;       /* offset of the gboolean that is TRUE when the value is known */
  gboolean           is_sparse; /* omitted when it is 0, FALSE or empty */
  const char *const *names;     /* of an enumeration, NULL-terminated */
} LacMetaRow;

typedef struct {
  const LacMetaRow *rows;
  gsize             n_rows;
} LacMetaTable;

extern const LacMetaTable
  lac_meta_run; /* rows for LacRunFile; run.h5 also gets rows of its LacRunSource */
extern const LacMetaTable lac_meta_setting; /* LacRunSetting */
extern const LacMetaTable lac_meta_fact;    /* LacRunFact */
extern const LacMetaTable lac_meta_metric;  /* LacRunMetric */
extern const LacMetaTable lac_meta_channel; /* LacRunChannel */
extern const LacMetaTable lac_meta_layers;  /* LacLayers, for channels with layers */
extern const LacMetaTable lac_meta_chart;   /* LacChart, for channels that are charts */

/* Frees the texts of a struct. */
void lac_meta_clear(const LacMetaTable *table, gpointer values);

/* Adds the members to the current JSON object of @builder. */
void lac_meta_put_json(const LacMetaTable *table,
                       LacMetaPlace        place,
                       gconstpointer       values,
                       JsonBuilder        *builder);
/* Reads the members from a JSON object of the journal. @values: zeroed; missing texts become "". */
void lac_meta_get_json(const LacMetaTable *table, JsonObject *object, gpointer values);

/* Writes the members as attributes of @object in run.h5. Returns: FALSE when one of them could not be written. */
gboolean lac_meta_put_h5(const LacMetaTable *table, gconstpointer values, hid_t object);
/* Reads the members from the attributes of @object. @values: zeroed; missing texts become "". */
void lac_meta_get_h5(const LacMetaTable *table, hid_t object, gpointer values);

G_END_DECLS
