/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Import of a data file: offered only to experiments that have the measured quantities. */
#include "base/error.h"
#include "run/plan/import.h"

#include <glib/gstdio.h>

static LacImport *
read_named(const char *name, const char *text, GError **error)
{
  g_autofree char *folder = g_dir_make_tmp("lacuna-intake-XXXXXX", NULL);
  g_autofree char *path = g_build_filename(folder, name, NULL);
  g_assert_true(g_file_set_contents(path, text, -1, NULL));
  LacImport *import = lac_import_read(path, error);
  g_remove(path);
  g_rmdir(folder);
  return import;
}

static LacImport *
read_text(const char *text, GError **error)
{
  return read_named("table.csv", text, error);
}

static gboolean
is_offered(const LacImport *import, const char *experiment, const char *key)
{
  for (gsize i = 0; i < import->n_uses; i++)
    if (g_str_equal(import->uses[i].experiment->name, experiment) &&
        g_str_equal(import->uses[i].row->key, key))
      return TRUE;
  return FALSE;
}

/* Returns: what contradicts the first use in @experiment. */
static const char *
get_doubt(const LacImport *import, const char *experiment)
{
  for (gsize i = 0; i < import->n_uses; i++)
    if (g_str_equal(import->uses[i].experiment->name, experiment))
      return import->uses[i].doubt;
  g_assert_not_reached();
}

static void
test_known(void)
{
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacImport) import =
    read_text("x,y,t,quantity,value,sigma\n0.5,1,0,u,1,0.1\n0.5,1,0,v,2,0.1\n", &error);
  g_assert_no_error(error);
  g_assert_true(is_offered(import, "kolmogorov", "measurements"));
  g_assert_nonnull(strstr(import->holds, "2 measurements of u, v"));
}

/* A use is valid: its row accepts the value. */
static void
test_uses_are_taken(void)
{
  g_autoptr(LacImport) import = read_text("x,y,t,quantity,value,sigma\n0.5,1,0,u,1,0.1\n", NULL);
  g_assert_cmpuint(import->n_uses, >, 0);
  for (gsize i = 0; i < import->n_uses; i++) {
    const LacImportUse *use = &import->uses[i];
    g_autoptr(LacDraft) draft = lac_draft_new(&use->experiment->params);
    g_assert_true(lac_draft_set(draft, use->row->key, use->value, NULL));
  }
}

static void
test_unknown(void)
{
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacImport) import =
    read_text("x,y,t,quantity,value,sigma\n0.5,1,0,charm,1,0.1\n", &error);
  g_assert_no_error(error);
  g_assert_false(is_offered(import, "kolmogorov", "measurements"));
}

static void
test_refused(void)
{
  g_autoptr(GError) error = NULL;
  g_assert_null(read_text("a,b\n1\n", &error));
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

/* Only rows that declare a molecule accept one. */
static void
test_molecule(void)
{
  g_autoptr(GError)    error = NULL;
  g_autoptr(LacImport) import = read_named("h2.xyz", "2\n\nH 0 0 0\nH 0 0 0.74\n", &error);
  g_autoptr(LacImport) bad = NULL;

  g_assert_no_error(error);
  g_assert_nonnull(strstr(import->holds, "H2, charge +0, electrons 1"));
  g_assert_nonnull(strstr(import->holds, "0.740000) Å"));
  for (gsize i = 0; i < import->n_uses; i++)
    g_assert_cmpstr(import->uses[i].row->file_type, ==, "molecule");
  bad = read_named("uranium.xyz", "1\n\nU 0 0 0\n", &error);
  g_assert_null(bad);
  g_assert_error(error, LAC_ERROR, LAC_ERROR_BAD_FILE);
}

/* A picture is not a flow field: only rows that declare a picture accept it. */
static void
test_picture(void)
{
  static const char *const cards[] = {"SIMPLE  = T", "BITPIX  = 8", "NAXIS   = 2",
                                      "NAXIS1  = 3", "NAXIS2  = 2", "END"};
  g_autoptr(GString)       text = g_string_new(NULL);
  g_autoptr(GError)        error = NULL;

  for (gsize i = 0; i < G_N_ELEMENTS(cards); i++)
    g_string_append_printf(text, "%-80s", cards[i]);
  g_string_append_printf(text, "%*s", (int) (2880 - text->len), "");
  g_string_append(text, "abcdef");
  g_autoptr(LacImport) import = read_named("wrong.csv", text->str, &error);
  g_assert_no_error(error);
  g_assert_nonnull(strstr(import->holds, "FITS picture, 3 x 2 pixels"));
  for (gsize i = 0; i < import->n_uses; i++)
    g_assert_cmpstr(import->uses[i].row->file_type, ==, "picture");
  g_assert_cmpuint(import->n_uses, >, 1);
  g_assert_cmpstr(import->uses[0].experiment->name, ==,
                  "picture"); /* an experiment for this kind of file only */
}

/* A field over t and x is offered to every experiment whose truth it can be. */
static void
test_trajectory(void)
{
  const char *data = g_getenv("LACUNA_REFERENCE_DATA");

  if (data == NULL) {
    g_test_skip("LACUNA_REFERENCE_DATA names no folder");
    return;
  }
  g_autoptr(GError)    error = NULL;
  g_autofree char     *path = g_build_filename(data, "flow", "KS.mat", NULL);
  g_autoptr(LacImport) import = lac_import_read(path, &error);
  g_assert_no_error(error);
  g_assert_true(is_offered(import, "kuramoto-sivashinsky", "truth"));
  g_assert_nonnull(strstr(get_doubt(import, "kuramoto-sivashinsky"), "set length to 18.85"));
  g_assert_nonnull(strstr(get_doubt(import, "burgers"), "no solution of u_t + u u_x"));
  g_autofree char     *shock = g_build_filename(data, "flow", "burgers_shock.mat", NULL);
  g_autoptr(LacImport) other = lac_import_read(shock, &error);
  g_assert_no_error(error);
  g_assert_null(get_doubt(other, "burgers"));
  g_assert_cmpstr(other->uses[0].experiment->name, ==, "burgers"); /* doubts come last */
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/run/intake/a-file-is-offered-to-those-who-know-what-it-measures", test_known);
  g_test_add_func("/run/intake/what-is-offered-can-be-set", test_uses_are_taken);
  g_test_add_func("/run/intake/what-nobody-knows-is-offered-to-nobody", test_unknown);
  g_test_add_func("/run/intake/what-cannot-be-read-is-refused", test_refused);
  g_test_add_func("/run/intake/a-picture-is-no-field", test_picture);
  g_test_add_func("/run/intake/a-molecule-is-told-and-offered", test_molecule);
  g_test_add_func("/run/intake/a-trajectory-is-a-truth", test_trajectory);
  return g_test_run();
}
