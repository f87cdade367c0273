/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The metadata of a run: one table of names, types and members, from which the journal's header, run.h5 and the JSON of results,
 * reports and comparisons are written, and from which the first two are read. Names are data: none may change. */
#pragma once

#include "io/format/h5.h"
#include "io/runfile/run-file.h"

#include <json-glib/json-glib.h>

G_BEGIN_DECLS

/* Each place that has a row; it is written in the order of the table. */
typedef enum {
  LAC_META_JOURNAL = 1 << 0,
  LAC_META_H5 = 1 << 1,
  LAC_META_RESULT = 1 << 2,  /* `lacuna run --json` */
  LAC_META_REPORT = 1 << 3,  /* `lacuna report -o FILE.json` */
  LAC_META_COMPARE = 1 << 4, /* `lacuna compare --json` */
} LacMetaPlace;

typedef enum {
  LAC_META_TEXT,   /* char * */
  LAC_META_WORDS,  /* char *, of the source: translated when run.h5 is read */
  LAC_META_SEED,   /* guint64; text in the journal, because JSON has no such numbers */
  LAC_META_BYTES,  /* guint64 */
  LAC_META_COUNT,  /* guint */
  LAC_META_SIZE,   /* gsize */
  LAC_META_STEPS,  /* gint64 */
  LAC_META_REAL,   /* double; 0 where it is missing */
  LAC_META_METRIC, /* double; NaN where it is missing */
  LAC_META_KNOWN,  /* double, and a gboolean at @has; NaN in run.h5 where it is not known */
  LAC_META_MARK,   /* the same, but left out of run.h5 */
  LAC_META_SWITCH, /* gboolean */
  LAC_META_ROLE,   /* LacRole: its name in run.h5, its number in the journal */
} LacMetaKind;

typedef struct {
  const char  *name;
  LacMetaKind  kind;
  gsize        offset; /* of the member */
  LacMetaPlace places;
  const char  *journal; /* (nullable): its name there, where it is another one */
  gsize        has;     /* of a value that may be unknown: the offset of the gboolean */
} LacMetaRow;

typedef struct {
  const LacMetaRow *rows;
  gsize             n_rows;
} LacMetaTable;

extern const LacMetaTable lac_meta_run; /* of LacRunFile; run.h5 has rows of its LacRunSource too */
extern const LacMetaTable lac_meta_setting; /* LacRunSetting */
extern const LacMetaTable lac_meta_fact;    /* LacRunFact */
extern const LacMetaTable lac_meta_metric;  /* LacRunMetric */
extern const LacMetaTable lac_meta_channel; /* LacRunChannel */
extern const LacMetaTable lac_meta_layers;  /* LacLayers, of channels that have some */
extern const LacMetaTable lac_meta_chart;   /* LacChart, of channels that are one */

/* Frees the texts. */
void lac_meta_clear(const LacMetaTable *table, gpointer values);

/* Members of the JSON object that @builder is in. */
void lac_meta_put_json(const LacMetaTable *table,
                       LacMetaPlace        place,
                       gconstpointer       values,
                       JsonBuilder        *builder);
/* From the journal. @values: zeroed; texts that are missing become "". */
void lac_meta_get_json(const LacMetaTable *table, JsonObject *object, gpointer values);

/* Attributes of @object in run.h5. Returns: FALSE when one was not written. */
gboolean lac_meta_put_h5(const LacMetaTable *table, gconstpointer values, hid_t object);
/* @values: zeroed; texts that are missing become "". */
void lac_meta_get_h5(const LacMetaTable *table, hid_t object, gpointer values);

G_END_DECLS
