/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of YAML to the texts that a scene is made of. */
#include "run/plan/equation.h"

#include "base/number.h"
#include "experiment/flow/laboratory/laboratory.h"
#include "run/plan/equation-private.h"

#include <string.h>

static const char *const keys[] = {"name",     "title",     "domain",       "periodic",
                                   "without",  "fields",    "coefficients", "unknown",
                                   "positive", "residuals", "conditions",   "exact",
                                   "measured", "grid",      "times"};

static gboolean
read_field(LacEquation        *equation,
           guint               i,
           struct fy_node *key G_GNUC_UNUSED,
           struct fy_node     *value,
           GError            **error)
{
  equation->text.pde.symbols.n_fields = i + 1;
  return lac_equation_take_name(equation, value, &equation->fields[i], error);
}

static gboolean
read_coefficient(LacEquation    *equation,
                 guint           i,
                 struct fy_node *key,
                 struct fy_node *value,
                 GError        **error)
{
  equation->text.pde.symbols.n_coefficients = i + 1;
  return lac_equation_is_pair(equation, "coefficients", key, value, error) &&
         lac_equation_take_name(equation, key, &equation->coefficients[i], error) &&
         lac_equation_read_number(equation, value, &equation->text.pde.coefficients[i], error);
}

static gboolean
find_coefficient(LacEquation *equation, struct fy_node *node, guint *i, GError **error)
{
  return lac_equation_find_name(equation, node, equation->coefficients,
                                equation->text.pde.symbols.n_coefficients, i, error);
}

static gboolean
read_unknown(LacEquation    *equation,
             guint           i,
             struct fy_node *key,
             struct fy_node *value,
             GError        **error)
{
  if (!lac_equation_is_pair(equation, "unknown", key, value, error) ||
      !find_coefficient(equation, key, &i, error))
    return FALSE;
  equation->text.unknown[i] = TRUE;
  return lac_equation_read_number(equation, value, &equation->text.guesses[i], error);
}

static gboolean
read_positive(LacEquation        *equation,
              guint               i,
              struct fy_node *key G_GNUC_UNUSED,
              struct fy_node     *value,
              GError            **error)
{
  if (!find_coefficient(equation, value, &i, error))
    return FALSE;
  equation->text.positive[i] = TRUE;
  if (equation->text.pde.coefficients[i] > 0 &&
      (!equation->text.unknown[i] || equation->text.guesses[i] > 0))
    return TRUE;
  return LAC_EQUATION_REFUSE(equation, value, error,
                             "%s is to be positive; value and guess are above 0 then",
                             equation->coefficients[i]);
}

static gboolean
read_residual(LacEquation    *equation,
              guint           i,
              struct fy_node *key,
              struct fy_node *value,
              GError        **error)
{
  equation->text.pde.n_residuals = i + 1;
  equation->text.pde.residual_names[i] = lac_equation_keep(equation, key);
  return lac_equation_take_expression(equation, value, TRUE, &equation->text.pde.residuals[i],
                                      error);
}

static gboolean
read_exact(LacEquation    *equation,
           guint           i,
           struct fy_node *key,
           struct fy_node *value,
           GError        **error)
{
  return lac_equation_is_pair(equation, "exact", key, value, error) &&
         lac_equation_find_name(equation, key, equation->fields,
                                equation->text.pde.symbols.n_fields, &i, error) &&
         lac_equation_take_expression(equation, value, FALSE, &equation->text.pde.exact[i], error);
}

static gboolean
read_measured(LacEquation        *equation,
              guint               i,
              struct fy_node *key G_GNUC_UNUSED,
              struct fy_node     *value,
              GError            **error)
{
  if (!lac_equation_find_name(equation, value, equation->fields,
                              equation->text.pde.symbols.n_fields, &i, error))
    return FALSE;
  equation->text.measured |= 1u << i;
  return TRUE;
}

/* ---- the whole ---- */

static gboolean
check_keys(LacEquation *equation, GError **error)
{
  void *at = NULL;
  guint known;

  if (!fy_node_is_mapping(equation->root))
    return LAC_EQUATION_REFUSE(equation, equation->root, error,
                               "equation is a table with name, domain, fields and residuals");
  for (struct fy_node_pair *pair; (pair = fy_node_mapping_iterate(equation->root, &at)) != NULL;)
    if (!lac_equation_find_name(equation, fy_node_pair_key(pair), keys, G_N_ELEMENTS(keys), &known,
                                error))
      return FALSE;
  return TRUE;
}

/* Small letters, digits and -, for a folder's name; none of the experiments there are. */
static gboolean
read_title(LacEquation *equation, GError **error)
{
  struct fy_node             *node = lac_equation_look_up(equation, "name");
  const char                 *name = lac_equation_keep(equation, node);
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);

  if (!name)
    return LAC_EQUATION_REFUSE(equation, node, error, "the equation needs name");
  if (!g_ascii_islower(*name) || strlen(name) > 40 ||
      strspn(name, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(name))
    return LAC_EQUATION_REFUSE(equation, node, error,
                               "%s is no name; small letters, digits and - make one", name);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(experiments[i]->name, name))
      return LAC_EQUATION_REFUSE(equation, node, error, "%s is there already; choose another name",
                                 name);
  equation->text.pde.name = name;
  equation->text.title = lac_equation_keep(equation, lac_equation_look_up(equation, "title"));
  if (!equation->text.title)
    equation->text.title = name;
  return TRUE;
}

static gboolean
read_count(LacEquation *equation,
           const char  *key,
           gint64       least,
           gint64       most,
           gint64      *value,
           GError     **error)
{
  struct fy_node  *node = lac_equation_look_up(equation, key);
  g_autofree char *text = lac_yaml_dup_scalar(node);

  return !node ||
         (text && lac_number_parse_whole(text, value) && *value >= least && *value <= most) ||
         LAC_EQUATION_REFUSE(equation, node, error, "%s is a whole number from %d to %d", key,
                             (int) least, (int) most);
}

static gboolean
read_tables(LacEquation *equation, GError **error)
{
  LacSymbols *symbols = &equation->text.pde.symbols;

  symbols->axes = equation->axes;
  symbols->fields = equation->fields;
  symbols->coefficients = equation->coefficients;
  if (!lac_equation_read_entries(equation, "domain", TRUE, 3, lac_equation_read_axis, error))
    return FALSE;
  equation->text.steady = symbols->n_axes == 0 || *equation->axes[0] != 't';
  return lac_equation_read_entries(equation, "periodic", FALSE, 3, lac_equation_read_periodic,
                                   error) &&
         lac_equation_read_entries(equation, "without", FALSE, LAC_CASE_MAX_HOLES,
                                   lac_equation_read_hole, error) &&
         lac_equation_read_entries(equation, "fields", TRUE, LAC_PDE_MAX_FIELDS, read_field,
                                   error) &&
         lac_equation_read_entries(equation, "coefficients", FALSE, LAC_PDE_MAX_COEFFICIENTS,
                                   read_coefficient, error) &&
         lac_equation_read_entries(equation, "unknown", FALSE, LAC_PDE_MAX_COEFFICIENTS,
                                   read_unknown, error) &&
         lac_equation_read_entries(equation, "positive", FALSE, LAC_PDE_MAX_COEFFICIENTS,
                                   read_positive, error) &&
         lac_equation_read_entries(equation, "residuals", TRUE, LAC_PDE_MAX_RESIDUALS,
                                   read_residual, error) &&
         lac_equation_read_entries(equation, "conditions", FALSE, LAC_CASE_MAX_CONDITIONS,
                                   lac_equation_read_condition, error) &&
         lac_equation_read_entries(equation, "exact", FALSE, LAC_PDE_MAX_FIELDS, read_exact,
                                   error) &&
         lac_equation_read_entries(equation, "measured", FALSE, LAC_PDE_MAX_FIELDS, read_measured,
                                   error);
}

static gboolean
read_equation(LacEquation *equation, GError **error)
{
  g_autoptr(GError) why = NULL;
  const LacScene   *scene;

  equation->text.grid = 64;
  equation->text.times = 50;
  if (!check_keys(equation, error) || !read_title(equation, error) ||
      !read_tables(equation, error) ||
      !read_count(equation, "grid", 8, 512, &equation->text.grid, error) ||
      !read_count(equation, "times", 2, 2000, &equation->text.times, error))
    return FALSE;
  if (equation->text.measured == 0)
    equation->text.measured = (1u << equation->text.pde.symbols.n_fields) - 1;
  scene = lac_scene_from_text(&equation->text, &why);
  if (!scene)
    return LAC_EQUATION_REFUSE(equation, lac_equation_look_up(equation, "name"), error, "%s",
                               why->message);
  equation->experiment = lac_laboratory_add(scene);
  return TRUE;
}

/* A file that has the equation: once, not one that names yet another file. */
static gboolean
read_other(struct fy_node *root, gpointer data, GError **error)
{
  LacEquation *equation = data;

  equation->root = root && fy_node_is_mapping(root)
                     ? fy_node_mapping_lookup_by_string(root, "equation", FY_NT)
                     : NULL;
  if (!equation->root)
    return LAC_EQUATION_REFUSE(equation, root, error, "a table \"equation:\" is needed");
  return read_equation(equation, error);
}

const LacExperiment *
lac_equation_read(const char *path, struct fy_node *node, GError **error)
{
  LacEquation      equation = {.path = path, .root = node};
  g_autofree char *other = lac_yaml_dup_scalar(node);
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *file =
    other && !g_path_is_absolute(other) ? g_build_filename(folder, other, NULL) : g_strdup(other);

  equation.strings = g_string_chunk_new(1024);
  equation.corners = g_ptr_array_new_with_free_func(g_free);
  if (file) {
    equation.path = file;
    lac_yaml_visit(file, read_other, &equation, error);
  } else {
    read_equation(&equation, error);
  }
  g_string_chunk_free(equation.strings);
  g_ptr_array_unref(equation.corners);
  return equation.experiment;
}
