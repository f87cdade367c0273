/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each file is read as its row declares it. */
#include "run/inputs.h"

#include "field/field.h"
#include "field/measurements.h"
#include "io/input.h"
#include "io/measurements-table.h"

GHashTable *
lac_inputs_new_fields(void)
{
  return g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) lac_field_unref);
}

GHashTable *
lac_inputs_new_measurements(void)
{
  return g_hash_table_new_full(g_str_hash, g_str_equal, g_free,
                               (GDestroyNotify) lac_measurements_unref);
}

gboolean
lac_inputs_load(const LacDraft *draft, GHashTable *fields, GHashTable *measurements, GError **error)
{
  const LacParamTable *table = lac_draft_get_table(draft);

  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam *row = &table->rows[i];
    const char     *path = row->kind == LAC_PARAM_FILE ? lac_draft_get_file(draft, row) : NULL;
    gboolean        is_readings = g_strcmp0(row->file_type, "measurements") == 0;
    gpointer        loaded;

    if (path == NULL || path[0] == '\0')
      continue;
    if (is_readings)
      loaded = lac_measurements_read(path, error);
    else
      loaded = lac_input_load(path, row->file_type, error);
    if (loaded == NULL)
      return FALSE;
    g_hash_table_insert(is_readings ? measurements : fields, g_strdup(row->key), loaded);
  }
  return TRUE;
}
