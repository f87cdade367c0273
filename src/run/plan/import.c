/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Matching of a file's possible types with the types that rows of experiments declare. */
#include "run/plan/import.h"

#include "io/input/exposures-h5.h"
#include "io/input/input.h"
#include "io/input/measurements-arrays.h"
#include "io/input/measurements-table.h"
#include "io/input/molecule-file.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define MEASURED_ROW "measured" /* list parameter with the measurable quantities */
/* any field over the right axes may be that of a scene: it is offered only where it agrees */
#define TRUE_FIELD_ROW "true_field"

static gboolean
has_choice(const LacParam *row, const char *choice)
{
  return g_strv_contains(row->choices, choice);
}

/* Returns TRUE when the experiment has all measured quantities. */
static gboolean
knows_quantities(const LacExperiment *experiment, const LacMeasurements *measurements)
{
  const LacParam *measured = lac_param_find(&experiment->params, MEASURED_ROW);

  for (guint q = 0; measured != NULL && q < measurements->n_quantities; q++)
    if (!has_choice(measured, measurements->quantities[q]))
      return FALSE;
  return TRUE;
}

/* Contents of a file. */
typedef struct {
  const char            *path;
  char                  *field; /* (nullable): name of its first field */
  LacInputKind           kind;  /* type of that field */
  guint                  n_axes;
  const LacMeasurements *measurements; /* (nullable) */
  const LacGridField *data; /* (nullable): that field, where it is small enough to be looked into */
  gboolean            is_molecule, are_exposures;
} Holdings;

static gboolean
is_field(const LacParam *row)
{
  return g_strcmp0(row->file_type, "field") == 0 || g_strcmp0(row->file_type, "solution") == 0;
}

static gboolean
is_taken_as_field(const LacParam *row, const Holdings *holdings)
{
  if (g_strcmp0(row->file_type, "picture") == 0)
    return holdings->kind == LAC_INPUT_KIND_PICTURE;
  return holdings->kind == LAC_INPUT_KIND_FIELD &&
         (is_field(row) || (g_strcmp0(row->file_type, "series") == 0 && holdings->n_axes >= 3));
}

/* Returns: (nullable) (transfer full): what contradicts the experiment with its defaults. */
static char *
dup_doubt(const LacExperiment *experiment, const LacParam *row, const Holdings *holdings)
{
  const LacGridField    *field = is_field(row) ? holdings->data : NULL;
  const LacMeasurements *measurements = is_field(row) ? NULL : holdings->measurements;
  g_autoptr(GError)      error = NULL;

  if (experiment->agrees == NULL || (field == NULL && measurements == NULL))
    return NULL;
  g_autoptr(LacDraft) draft = lac_draft_new(&experiment->params);
  if (experiment->agrees(experiment, lac_draft_get_values(draft), row, field, measurements, &error))
    return NULL;
  return g_strdup(error->message);
}

/* @is_namesake: TRUE: only the experiment named after the kind of file, which uses nothing else; FALSE: all others */
static void
add_uses(GArray              *uses,
         const LacExperiment *experiment,
         gboolean             is_namesake,
         const Holdings      *holdings)
{
  for (gsize r = 0; r < experiment->params.n_rows; r++) {
    const LacParam *row = &experiment->params.rows[r];
    LacImportUse    use = {experiment, row, NULL, NULL};

    if (row->kind != LAC_PARAM_FILE || row->flags & LAC_PARAM_ADVANCED ||
        (g_strcmp0(row->file_type, experiment->name) == 0) != is_namesake)
      continue;
    if (is_taken_as_field(row, holdings))
      use.value = g_strdup(holdings->field);
    else if (g_strcmp0(row->file_type, "measurements") == 0 && holdings->measurements != NULL &&
             knows_quantities(experiment, holdings->measurements))
      use.value = g_strdup(holdings->path);
    else if (g_strcmp0(row->file_type, "exposures") == 0 && holdings->are_exposures)
      use.value = g_strdup(holdings->path);
    else if (g_strcmp0(row->file_type, "molecule") == 0 && holdings->is_molecule)
      use.value = g_strdup(holdings->path);
    if (use.value == NULL)
      continue;
    use.doubt = dup_doubt(experiment, row, holdings);
    if (g_str_equal(row->key, TRUE_FIELD_ROW) && (use.doubt != NULL || holdings->data == NULL)) {
      g_free(use.value);
      g_free(use.doubt);
      continue;
    }
    g_array_append_val(uses, use);
  }
}

static char *
describe(const char *path, const LacMeasurements *measurements, GError **error)
{
  char *holds = lac_input_describe(path, error);
  if (holds == NULL || measurements == NULL)
    return holds;

  g_autofree char     *before = holds;
  g_autoptr(GPtrArray) names = g_ptr_array_new();
  for (guint q = 0; q < measurements->n_quantities; q++)
    g_ptr_array_add(names, measurements->quantities[q]);
  g_ptr_array_add(names, NULL);
  g_autofree char *list = g_strjoinv(", ", (char **) names->pdata);
  return g_strdup_printf(_("%s  %zu measurements of %s\n"), before, measurements->n, list);
}

/* Moves the uses with a doubt to the end, in the same order. */
static void
sort_uses(GArray *uses)
{
  g_autoptr(GArray) doubtful = g_array_new(FALSE, FALSE, sizeof(LacImportUse));
  gsize             n = 0;

  for (gsize i = 0; i < uses->len; i++) {
    const LacImportUse use = g_array_index(uses, LacImportUse, i);

    if (use.doubt != NULL)
      g_array_append_val(doubtful, use);
    else
      g_array_index(uses, LacImportUse, n++) = use;
  }
  g_array_set_size(uses, (guint) n);
  g_array_append_vals(uses, doubtful->data, doubtful->len);
}

/* Collects all experiments' rows that accept the file. @holds: (transfer full). */
static LacImport *
offer(const Holdings *holdings, char *holds)
{
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);
  GArray                     *uses = g_array_new(FALSE, FALSE, sizeof(LacImportUse));
  LacImport                  *import = g_new0(LacImport, 1);

  for (gsize i = 0; i < n; i++)
    add_uses(uses, experiments[i], TRUE, holdings);
  for (gsize i = 0; i < n; i++)
    add_uses(uses, experiments[i], FALSE, holdings);
  sort_uses(uses);
  import->holds = holds;
  import->n_uses = uses->len;
  import->uses = (LacImportUse *) (gpointer) g_array_free(uses, FALSE);
  return import;
}

static LacImport *
read_molecule(const char *path, GError **error)
{
  g_autoptr(LacMolecule) molecule = lac_molecule_file_read(path, error);
  Holdings               holdings = {.path = path, .is_molecule = TRUE};

  if (molecule == NULL)
    return NULL;
  g_autofree char *geometry = lac_molecule_dup_geometry(molecule);
  return offer(&holdings, g_strdup_printf("%s: %s\n", path, geometry));
}

LacImport *
lac_import_read(const char *path, GError **error)
{
  g_return_val_if_fail(path != NULL, NULL);
  if (lac_molecule_file_is_named(path))
    return read_molecule(path, error);

  g_autoptr(LacMeasurements) measurements = lac_measurements_read(path, NULL);
  g_autofree char           *holds = describe(path, measurements, error);
  g_autofree char           *field = NULL;
  g_autoptr(LacGridField)    data = NULL;
  Holdings                   holdings = {
                      .path = path,
                      .measurements = measurements,
                      .are_exposures = lac_exposures_h5_is_one(path),
  };

  if (holds == NULL)
    return NULL;
  field = lac_input_dup_first_field(path, &holdings.kind, &holdings.n_axes);
  holdings.field = field;
  if (field != NULL && holdings.kind == LAC_INPUT_KIND_FIELD && lac_measurements_are_arrays(path))
    holdings.measurements = NULL; /* a field on a grid */
  if (field != NULL && holdings.kind == LAC_INPUT_KIND_FIELD && holdings.n_axes == 2)
    data = lac_input_load(field, "field", NULL);
  holdings.data = data;
  return offer(&holdings, g_steal_pointer(&holds));
}

void
lac_import_free(LacImport *import)
{
  if (import == NULL)
    return;
  for (gsize i = 0; i < import->n_uses; i++) {
    g_free(import->uses[i].value);
    g_free(import->uses[i].doubt);
  }
  g_free(import->uses);
  g_free(import->holds);
  g_free(import);
}
