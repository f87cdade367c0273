/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Conversion of YAML tables to the texts that define a scene. */
#include "run/plan/equation.h"

#include "base/number.h"
#include "experiment/flow/laboratory/laboratory.h"
#include "io/runfile/format.h"
#include "run/plan/equation-private.h"

#include <stdlib.h>
#include <string.h>

/* ---- where an equation holds: its axes, and what is cut out ---- */

/* Readers of "domain", "periodic" and "without". */
static gboolean
equation_read_axis(LacEquation    *equation,
                   guint           i,
                   struct fy_node *key,
                   struct fy_node *value,
                   GError        **error)
{
  double ends[2];

  if (!lac_equation_is_pair(equation, "domain", key, value, error) ||
      !lac_equation_take_name(equation, key, &equation->axes[i], error) ||
      !lac_equation_read_numbers(equation, value, key, 2, ends, error))
    return FALSE;
  if (strlen(equation->axes[i]) != 1 || !strchr("txy", *equation->axes[i]))
    return LAC_EQUATION_REFUSE(equation, key, error, "%s is not an axis; axes are t, x and y",
                               equation->axes[i]);
  if (i > 0 && *equation->axes[i] == 't')
    return LAC_EQUATION_REFUSE(equation, key, error, "t is the first axis");
  if (ends[0] >= ends[1])
    return LAC_EQUATION_REFUSE(equation, key, error, "%s must end after it begins",
                               equation->axes[i]);
  equation->text.lower[i] = ends[0];
  equation->text.upper[i] = ends[1];
  equation->text.pde.symbols.n_axes = i + 1;
  return TRUE;
}

static gboolean
equation_read_periodic(LacEquation        *equation,
                       guint i             G_GNUC_UNUSED,
                       struct fy_node *key G_GNUC_UNUSED,
                       struct fy_node     *value,
                       GError            **error)
{
  guint axis;

  if (!lac_equation_find_name(equation, value, equation->axes, equation->text.pde.symbols.n_axes,
                              &axis, error))
    return FALSE;
  equation->text.periodic[axis] = TRUE;
  return TRUE;
}

static gboolean
read_polygon(LacEquation    *equation,
             struct fy_node *node,
             struct fy_node *near,
             LacHole        *hole,
             GError        **error)
{
  const int n = fy_node_is_sequence(node) ? fy_node_sequence_item_count(node) : 0;

  if (n < 3 || n > 1000)
    return LAC_EQUATION_REFUSE(equation, near, error,
                               "a polygon has 3 to 1000 corners [x, y], in [ ]");
  hole->n_corners = (gsize) n;
  hole->corners = g_new0(double, 2 * hole->n_corners);
  g_ptr_array_add(equation->corners, hole->corners);
  for (int i = 0; i < n; i++)
    if (!lac_equation_read_numbers(equation, fy_node_sequence_get_by_index(node, i), near, 2,
                                   hole->corners + 2 * i, error))
      return FALSE;
  return TRUE;
}

static gboolean
equation_read_hole(LacEquation    *equation,
                   guint           i,
                   struct fy_node *key,
                   struct fy_node *value,
                   GError        **error)
{
  LacHole             *hole = &equation->text.holes[i];
  void                *at = NULL;
  struct fy_node_pair *pair = NULL;
  double               disc[3];

  if (!key && fy_node_is_mapping(value) && (pair = fy_node_mapping_iterate(value, &at)) != NULL) {
    key = fy_node_pair_key(pair);
    value = fy_node_pair_value(pair);
  }
  equation->text.n_holes = i + 1;
  g_autofree char *kind = lac_yaml_dup_scalar(key);
  if (g_strcmp0(kind, "polygon") == 0)
    return read_polygon(equation, value, key, hole, error);
  if (g_strcmp0(kind, "disc") != 0)
    return LAC_EQUATION_REFUSE(equation, key ? key : value, error,
                               "a shape is disc: [x, y, radius] or polygon: [[x, y], ...]");
  if (!lac_equation_read_numbers(equation, value, key, 3, disc, error))
    return FALSE;
  if (disc[2] <= 0)
    return LAC_EQUATION_REFUSE(equation, key, error, "the radius of a disc must be above 0");
  *hole = (LacHole){.centre = {disc[0], disc[1]}, .radius = disc[2]};
  return TRUE;
}

/* The outside of a disc or polygon is one more hole, the last. */
static gboolean
equation_read_outside(LacEquation    *equation,
                      guint i         G_GNUC_UNUSED,
                      struct fy_node *key,
                      struct fy_node *value,
                      GError        **error)
{
  const guint hole = (guint) equation->text.n_holes;

  if (hole == LAC_CASE_MAX_HOLES)
    return LAC_EQUATION_REFUSE(equation, key ? key : value, error,
                               "with \"within\", at most %u holes are allowed", hole - 1);
  if (!equation_read_hole(equation, hole, key, value, error))
    return FALSE;
  equation->text.holes[hole].is_outside = TRUE;
  return TRUE;
}

/* ---- what holds on a part of the boundary or at the beginning ---- */

static gboolean
read_rim(LacEquation *equation, struct fy_node *node, LacConditionText *condition, GError **error)
{
  g_autofree char *text = lac_yaml_dup_scalar(node);
  const gsize      n = equation->text.n_holes;
  gint64           which = 0;

  condition->is_rim = TRUE;
  condition->n_holes = n;
  if (n > 0 && g_strcmp0(text, "all") == 0)
    return TRUE;
  condition->n_holes = 1;
  if (!text || !lac_number_parse_whole(text, &which) || which < 1 || which > (gint64) n)
    return LAC_EQUATION_REFUSE(
      equation, node, error, "hole must be all or the number of a hole, 1 to %" G_GSIZE_FORMAT, n);
  condition->first_hole = (gsize) which - 1;
  return TRUE;
}

/* {t: 0}, {x: 1}, {hole: 2} */
static gboolean
read_place(LacEquation      *equation,
           struct fy_node   *near,
           struct fy_node   *node,
           LacConditionText *condition,
           GError          **error)
{
  void                *at = NULL;
  struct fy_node_pair *pair =
    node && fy_node_is_mapping(node) ? fy_node_mapping_iterate(node, &at) : NULL;
  const char     *name = pair ? lac_equation_keep(equation, fy_node_pair_key(pair)) : NULL;
  struct fy_node *value = pair ? fy_node_pair_value(pair) : NULL;

  if (!name || fy_node_mapping_item_count(node) != 1)
    return LAC_EQUATION_REFUSE(equation, near, error,
                               "a condition needs one position, as in at: {x: 0}");
  if (strcmp(name, "hole") == 0 || strcmp(name, "rim") == 0)
    return read_rim(equation, value, condition, error);
  if (!lac_equation_find_name(equation, fy_node_pair_key(pair), equation->axes,
                              equation->text.pde.symbols.n_axes, &condition->axis, error) ||
      !lac_equation_read_number(equation, value, &condition->at, error))
    return FALSE;
  if (condition->at >= equation->text.lower[condition->axis] &&
      condition->at <= equation->text.upper[condition->axis])
    return TRUE;
  return LAC_EQUATION_REFUSE(equation, value, error, "%s = %g is outside of the domain, %g to %g",
                             name, condition->at, equation->text.lower[condition->axis],
                             equation->text.upper[condition->axis]);
}

/* Finds what a condition gives: a field, "u", or its first derivative, "u_t". */
static gboolean
find_given(LacEquation *equation, struct fy_node *node, guint *given, GError **error)
{
  const LacSymbols *symbols = &equation->text.pde.symbols;
  g_autofree char  *text = lac_yaml_dup_scalar(node);

  for (guint f = 0; f < symbols->n_fields && text; f++)
    for (guint a = 0; a < symbols->n_axes; a++) {
      g_autofree char *slope = g_strdup_printf("%s_%s", equation->fields[f], equation->axes[a]);

      if (g_str_equal(text, slope)) {
        *given = LAC_CONDITION_SLOPE(a, f);
        return TRUE;
      }
    }
  return lac_equation_find_name(equation, node, equation->fields, symbols->n_fields, given, error);
}

/* Readers of "conditions". */
static gboolean
equation_read_condition(LacEquation    *equation,
                        guint           i,
                        struct fy_node *key,
                        struct fy_node *value,
                        GError        **error)
{
  LacConditionText *condition = &equation->text.conditions[i];
  void             *at = NULL;
  gboolean          has_values = FALSE, has_place = FALSE;
  guint             given = 0;

  equation->text.n_conditions = i + 1;
  condition->name = g_string_chunk_insert_const(equation->strings, "condition");
  if (key || !fy_node_is_mapping(value))
    return LAC_EQUATION_REFUSE(equation, key ? key : value, error,
                               "conditions are a list of tables like {at: {x: 0}, u: 1}");
  for (struct fy_node_pair *pair; (pair = fy_node_mapping_iterate(value, &at)) != NULL;) {
    struct fy_node *name_node = fy_node_pair_key(pair), *node = fy_node_pair_value(pair);
    const char     *name = lac_equation_keep(equation, name_node);

    if (g_strcmp0(name, "at") == 0) {
      has_place = TRUE;
      if (!read_place(equation, name_node, node, condition, error))
        return FALSE;
    } else if (g_strcmp0(name, "name") == 0) {
      condition->name = lac_equation_keep(equation, node);
      if (!condition->name)
        return LAC_EQUATION_REFUSE(equation, name_node, error, "a name is needed here");
    } else {
      has_values = TRUE;
      key = name_node;
      if (!find_given(equation, name_node, &given, error) ||
          !lac_equation_take_expression(equation, node, FALSE, &condition->values[given], error))
        return FALSE;
    }
  }
  return (has_place && has_values) ||
         LAC_EQUATION_REFUSE(equation, key, error,
                             "condition %u needs a position (at) and the value of a field", i + 1);
}

/* ---- equation ---- */

static const char *const keys[] = {
  "name",    "title",    "domain",    "periodic",   "without", "within",   "fields", "coefficients",
  "unknown", "positive", "residuals", "conditions", "exact",   "measured", "grid",   "times"};

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
                             "%s is declared positive; its value and guess must be above 0",
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

/* Reads name and title; the name has lower-case letters, digits and -, for use as a folder name, and must not be that
 * of an experiment. */
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
    return LAC_EQUATION_REFUSE(
      equation, node, error, "%s is not a valid name; use lower-case letters, digits and -", name);
  for (gsize i = 0; i < n; i++)
    if (g_str_equal(experiments[i]->name, name))
      return LAC_EQUATION_REFUSE(equation, node, error, "%s already exists; choose another name",
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
         LAC_EQUATION_REFUSE(equation, node, error, "%s must be a whole number from %d to %d", key,
                             (int) least, (int) most);
}

static gboolean
read_tables(LacEquation *equation, GError **error)
{
  LacSymbols *symbols = &equation->text.pde.symbols;

  symbols->axes = equation->axes;
  symbols->fields = equation->fields;
  symbols->coefficients = equation->coefficients;
  if (!lac_equation_read_entries(equation, "domain", TRUE, 3, equation_read_axis, error))
    return FALSE;
  equation->text.steady = symbols->n_axes == 0 || *equation->axes[0] != 't';
  return lac_equation_read_entries(equation, "periodic", FALSE, 3, equation_read_periodic, error) &&
         lac_equation_read_entries(equation, "without", FALSE, LAC_CASE_MAX_HOLES,
                                   equation_read_hole, error) &&
         lac_equation_read_entries(equation, "within", FALSE, 1, equation_read_outside, error) &&
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
                                   equation_read_condition, error) &&
         lac_equation_read_entries(equation, "exact", FALSE, LAC_PDE_MAX_FIELDS, read_exact,
                                   error) &&
         lac_equation_read_entries(equation, "measured", FALSE, LAC_PDE_MAX_FIELDS, read_measured,
                                   error);
}

/* Returns: (nullable): NULL when libfyaml cannot write it; it is then not kept. */
static char *
dup_text(const LacEquation *equation)
{
  char *block = fy_emit_node_to_string(equation->root, FYECF_MODE_BLOCK | FYECF_INDENT_2 |
                                                         FYECF_WIDTH_INF | FYECF_STRIP_DOC);
  if (!block)
    return NULL;
  g_auto(GStrv)    lines = g_strsplit(g_strchomp(block), "\n", -1);
  g_autofree char *indented = g_strjoinv("\n  ", lines);

  free(block);
  return g_strdup_printf("equation:\n  %s\n", indented);
}

/* Makes the experiment, or finds the one that this same equation has made, if it is the last of its name. */
static gboolean
read_equation(LacEquation *equation, GError **error)
{
  g_autoptr(GError)    why = NULL;
  g_autofree char     *text = NULL;
  const LacExperiment *known;
  const LacScene      *scene;

  if (!check_keys(equation, error) || !read_title(equation, error))
    return FALSE;
  text = dup_text(equation);
  known = lac_laboratory_find_added(equation->text.pde.name);
  if (known && text && g_strcmp0(known->equation, text) == 0) {
    equation->experiment = known;
    return TRUE;
  }
  equation->text.grid = 64;
  equation->text.times = 50;
  if (!read_tables(equation, error) ||
      !read_count(equation, "grid", 8, 512, &equation->text.grid, error) ||
      !read_count(equation, "times", 2, 2000, &equation->text.times, error))
    return FALSE;
  if (equation->text.measured == 0)
    equation->text.measured = (1u << equation->text.pde.symbols.n_fields) - 1;
  scene = lac_scene_from_text(&equation->text, &why);
  if (!scene)
    return LAC_EQUATION_REFUSE(equation, lac_equation_look_up(equation, "name"), error, "%s",
                               why->message);
  equation->experiment = lac_laboratory_add(scene, text);
  return TRUE;
}

/* Reads an included equation file, which must not include another one. */
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

static void
begin(LacEquation *equation)
{
  equation->strings = g_string_chunk_new(1024);
  equation->corners = g_ptr_array_new_with_free_func(g_free);
}

static void
end(LacEquation *equation)
{
  g_string_chunk_free(equation->strings);
  g_ptr_array_unref(equation->corners);
}

const LacExperiment *
lac_equation_read(const char *path, struct fy_node *node, GError **error)
{
  LacEquation      equation = {.path = path, .root = node};
  g_autofree char *other = lac_yaml_dup_scalar(node);
  g_autofree char *folder = g_path_get_dirname(path);
  g_autofree char *file =
    other && !g_path_is_absolute(other) ? g_build_filename(folder, other, NULL) : g_strdup(other);

  begin(&equation);
  if (file) {
    equation.path = file;
    lac_yaml_visit(file, read_other, &equation, error);
  } else {
    read_equation(&equation, error);
  }
  end(&equation);
  return equation.experiment;
}

gboolean
lac_equation_learn(const char *folder, GError **error)
{
  g_autofree char *path = g_build_filename(folder, LAC_RUN_EQUATION, NULL);
  LacEquation      equation = {.path = path};

  if (!g_file_test(path, G_FILE_TEST_IS_REGULAR))
    return TRUE;
  begin(&equation);
  lac_yaml_visit(path, read_other, &equation, error);
  end(&equation);
  return equation.experiment != NULL;
}
