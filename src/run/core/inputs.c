/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loading of input files as their rows declare. */
#include "run/core/inputs.h"

#include "experiment/imaging/optics/pattern.h"
#include "field/field.h"
#include "field/measurements.h"
#include "field/molecule.h"
#include "io/format/whole-file.h"
#include "io/input/exposures-h5.h"
#include "io/input/input.h"
#include "io/input/measurements-table.h"
#include "io/input/molecule-file.h"

#include <string.h>

void
lac_inputs_init(LacInputs *inputs)
{
  inputs->fields =
    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) lac_field_unref);
  inputs->measurements =
    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) lac_measurements_free);
  inputs->exposures =
    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) lac_store_free);
  inputs->molecules =
    g_hash_table_new_full(g_str_hash, g_str_equal, g_free, (GDestroyNotify) lac_molecule_unref);
}

void
lac_inputs_clear(LacInputs *inputs)
{
  g_clear_pointer(&inputs->fields, g_hash_table_unref);
  g_clear_pointer(&inputs->measurements, g_hash_table_unref);
  g_clear_pointer(&inputs->exposures, g_hash_table_unref);
  g_clear_pointer(&inputs->molecules, g_hash_table_unref);
}

void
lac_inputs_borrow(const LacInputs *inputs, LacContext *context)
{
  context->inputs = inputs->fields;
  context->measurements = inputs->measurements;
  context->exposures = inputs->exposures;
}

/* Reads the scan positions of a planned measurement. */
static LacStore *
read_pattern(const char *path, GError **error)
{
  gsize                  length, n;
  g_autofree char       *text = lac_whole_file_read_lines(path, &length, error);
  g_autofree LacScanBox *visits = text != NULL ? lac_pattern_read(text, &n, error) : NULL;
  g_autofree char       *source = NULL;
  LacStore              *store;

  if (visits == NULL) {
    if (text != NULL)
      g_prefix_error(error, "%s: ", path);
    return NULL;
  }
  store = lac_store_new();
  source = lac_file_dup_source(path);
  memcpy(lac_store_put(store, "centres", n, 4, sizeof(double)), visits, n * sizeof *visits);
  lac_store_put_bytes(store, "source", source, strlen(source) + 1);
  return store;
}

static gboolean
give(LacDraft *draft, gboolean anew, GError **error)
{
  const LacParamTable *table = lac_draft_get_table(draft);

  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam *row = &table->rows[i];
    LacMolecule    *molecule;

    if (row->given == 0 || lac_draft_get_file(draft, row) == NULL ||
        (lac_draft_get_given(draft, row) != NULL && !anew))
      continue;
    g_return_val_if_fail(g_strcmp0(row->file_type, "molecule") == 0, FALSE);
    molecule = lac_molecule_file_read(lac_draft_get_file(draft, row), error);
    if (molecule == NULL)
      return FALSE;
    lac_draft_give(draft, row, molecule, (GDestroyNotify) lac_molecule_unref);
  }
  return TRUE;
}

gboolean
lac_inputs_give(LacDraft *draft, GError **error)
{
  return give(draft, FALSE, error);
}

gboolean
lac_inputs_give_anew(LacDraft *draft, GError **error)
{
  return give(draft, TRUE, error);
}

gboolean
lac_inputs_load(LacInputs *inputs, const LacDraft *draft, GError **error)
{
  const LacParamTable *table = lac_draft_get_table(draft);

  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam *row = &table->rows[i];
    const char     *path = row->kind == LAC_PARAM_FILE ? lac_draft_get_file(draft, row) : NULL;
    GHashTable     *into = inputs->fields;
    gpointer        loaded;

    if (path == NULL || path[0] == '\0')
      continue;
    if (g_strcmp0(row->file_type, "measurements") == 0) {
      into = inputs->measurements;
      loaded = lac_measurements_read(path, error);
    } else if (g_strcmp0(row->file_type, "exposures") == 0) {
      into = inputs->exposures;
      loaded = lac_exposures_h5_read(path, error);
    } else if (g_strcmp0(row->file_type, "pattern") == 0) {
      into = inputs->exposures;
      loaded = read_pattern(path, error);
    } else if (g_strcmp0(row->file_type, "molecule") == 0) {
      into = inputs->molecules;
      loaded = lac_draft_get_given(draft, row) != NULL
                 ? (gpointer) lac_molecule_ref(lac_draft_get_given(draft, row))
                 : lac_molecule_file_read(path, error);
    } else {
      loaded = lac_input_load(path, row->file_type, error);
    }
    if (loaded == NULL)
      return FALSE;
    g_hash_table_insert(into, g_strdup(row->key), loaded);
  }
  return TRUE;
}
