/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Run plans as YAML. An existing text is edited in place instead of being regenerated from its tree. */
#include "run/plan/yaml-write.h"

#include "base/json-quote.h"
#include "run/plan/yaml-node.h"

#include <string.h>

/* ---- values as YAML has them ---- */

/* Returns the text, quoted if YAML could misread it. */
static char *
dup_scalar(const char *text)
{
  static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./+-";

  if (*text != '\0' && strspn(text, plain) == strlen(text) && strcmp(text, "-") != 0 &&
      !g_str_has_prefix(text, "---") && !g_str_has_prefix(text, "..."))
    return g_strdup(text);
  return lac_json_quote(text);
}

/* Returns: (nullable): the key of a launch row that may be part of a plan */
static const char *
get_member_key(guint i)
{
  const LacLaunchRow *row = lac_launch_row((LacLaunchKey) i);

  return row->places & LAC_LAUNCH_IN_PLAN ? row->param.key : NULL;
}

/* Returns: (nullable): NULL if the plan does not state it, or if the row is not part of plans */
static const char *
get_member(const LacRunPlan *plan, guint i)
{
  return get_member_key(i) != NULL ? plan->launch.stated[i] : NULL;
}

/* ---- a new text ---- */

static void
add_line(GString *text, const char *indent, const char *key, const char *value, const char *remark)
{
  g_autofree char *scalar = dup_scalar(value);

  g_string_append_printf(text, "%s%s: %s", indent, key, scalar);
  if (remark != NULL)
    g_string_append_printf(text, "  # %s", remark);
  g_string_append_c(text, '\n');
}

static char *
dup_remark(const LacParam *row)
{
  if (row->unit == NULL || g_str_equal(row->unit, "1"))
    return g_strdup(row->label);
  return g_strdup_printf("%s, in %s", row->label, row->unit);
}

static char *
write_new(const LacRunPlan *plan)
{
  const LacParamTable *table = &plan->experiment->params;
  GString             *text = g_string_new(NULL);

  g_string_append_printf(text, "# %s. %s\n", plan->experiment->title, plan->experiment->summary);
  add_line(text, "", "experiment", plan->experiment->name, NULL);
  for (guint i = 0; i < LAC_N_LAUNCH; i++)
    if (get_member(plan, i) != NULL)
      add_line(text, "", get_member_key(i), get_member(plan, i), NULL);
  g_string_append(text, "settings:\n");
  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam  *row = &table->rows[i];
    g_autofree char *value = lac_draft_dup_text(plan->draft, row);
    g_autofree char *remark = dup_remark(row);
    if (lac_draft_is_in_use(plan->draft, row) || !lac_draft_is_default(plan->draft, row))
      add_line(text, "  ", row->key, value, remark);
  }
  return g_string_free(text, FALSE);
}

/* ---- changes to a text ---- */

typedef struct {
  gsize at, length; /* bytes of the old text to remove */
  char *text;       /* replacement */
} Change;

typedef struct {
  const LacRunPlan *plan;
  const char       *text;
  GArray           *changes; /* element type Change */
} Revision;

static void
change_clear(gpointer data)
{
  g_free(((Change *) data)->text);
}

static void
add_change(Revision *revision, gsize at, gsize length, char *text)
{
  Change change = {at, length, text};

  g_array_append_val(revision->changes, change);
}

static int
compare_changes(gconstpointer a, gconstpointer b)
{
  const Change *left = a, *right = b;

  return (left->at > right->at) - (left->at < right->at);
}

/* Applies the changes; g_array_sort() is stable. */
static char *
apply(Revision *revision)
{
  GString *text = g_string_new(NULL);
  gsize    at = 0;

  g_array_sort(revision->changes, compare_changes);
  for (guint i = 0; i < revision->changes->len; i++) {
    const Change *change = &g_array_index(revision->changes, Change, i);
    g_string_append_len(text, revision->text + at, (gssize) (change->at - at));
    g_string_append(text, change->text);
    at = change->at + change->length;
  }
  g_string_append(text, revision->text + at);
  return g_string_free(text, FALSE);
}

static char
get_quote(const char *text, gsize start, gsize end)
{
  char before = start > 0 ? text[start - 1] : '\0';

  return (before == '"' || before == '\'') && text[end] == before ? before : '\0';
}

/* Finds the byte range of a scalar, including its quotes, which libfyaml leaves out. Returns: FALSE if it is not a
 * scalar. */
static gboolean
find_span(const Revision *revision, struct fy_node *node, gsize *start, gsize *end)
{
  struct fy_token      *token = node != NULL ? fy_node_get_scalar_token(node) : NULL;
  const struct fy_mark *first = token != NULL ? fy_token_start_mark(token) : NULL;
  const struct fy_mark *last = token != NULL ? fy_token_end_mark(token) : NULL;

  if (first == NULL || last == NULL)
    return FALSE;
  *start = first->input_pos;
  *end = last->input_pos;
  if (get_quote(revision->text, *start, *end) != '\0') {
    --*start;
    ++*end;
  }
  return TRUE;
}

static gsize
end_of_line(const char *text, gsize at)
{
  return at + strcspn(text + at, "\n");
}

static gsize
start_of_line(const char *text, gsize at)
{
  while (at > 0 && text[at - 1] != '\n')
    at--;
  return at;
}

/* ---- settings ---- */

/* Returns TRUE when the text has the same value as the plan: 1e3 is 1000. */
static gboolean
means(const Revision *revision, const char *key, const char *text, const char *wanted)
{
  g_autoptr(LacDraft) draft = lac_draft_copy(revision->plan->draft);

  if (!lac_draft_set(draft, key, text, NULL))
    return FALSE;
  g_autofree char *own = lac_draft_dup_text(draft, lac_param_find(lac_draft_get_table(draft), key));
  return g_str_equal(own, wanted);
}

static void
replace_value(Revision *revision, struct fy_node *node, const char *wanted)
{
  gsize start, end;

  if (!find_span(revision, node, &start, &end))
    return;
  char quote = revision->text[start]; /* preserved */
  if (quote == '\'' && strchr(wanted, '\'') == NULL)
    add_change(revision, start, end - start, g_strdup_printf("'%s'", wanted));
  else
    add_change(revision, start, end - start,
               quote == '"' ? lac_json_quote(wanted) : dup_scalar(wanted));
}

/* Appends a setting in the style of the last one: on its own line, or within braces. */
static void
add_setting(Revision *revision, struct fy_node *settings, const LacParam *row, const char *value)
{
  struct fy_node_pair *last = fy_node_mapping_get_by_index(settings, -1);
  g_autofree char     *scalar = dup_scalar(value), *remark = dup_remark(row);
  gsize                key, key_end, start, end;

  if (last == NULL || !find_span(revision, fy_node_pair_key(last), &key, &key_end) ||
      !find_span(revision, fy_node_pair_value(last), &start, &end))
    return;
  if (fy_node_get_style(settings) == FYNS_FLOW) {
    add_change(revision, end, 0, g_strdup_printf(", %s: %s", row->key, scalar));
    return;
  }
  gsize line = start_of_line(revision->text, key), stop = end_of_line(revision->text, end);
  g_autofree char *indent = g_strnfill(key - line, ' ');
  add_change(revision, stop, 0,
             g_strdup_printf("\n%s%s: %s  # %s", indent, row->key, scalar, remark));
}

static void
revise_settings(Revision *revision, struct fy_node *settings)
{
  const LacParamTable *table = &revision->plan->experiment->params;

  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam  *row = &table->rows[i];
    struct fy_node  *node = fy_node_mapping_lookup_by_string(settings, row->key, FY_NT);
    g_autofree char *wanted = lac_draft_dup_text(revision->plan->draft, row);
    g_autofree char *text = lac_yaml_dup_scalar(node);

    if (text == NULL && !lac_draft_is_default(revision->plan->draft, row))
      add_setting(revision, settings, row, wanted);
    else if (text != NULL && !means(revision, row->key, text, wanted))
      replace_value(revision, node, wanted);
  }
}

/* Adds a settings table to a text without one. */
static void
add_settings(Revision *revision, gsize at, gsize length)
{
  const LacParamTable *table = &revision->plan->experiment->params;
  GString             *text = g_string_new("settings:\n");

  for (gsize i = 0; i < table->n_rows; i++) {
    const LacParam  *row = &table->rows[i];
    g_autofree char *value = lac_draft_dup_text(revision->plan->draft, row);
    g_autofree char *remark = dup_remark(row);
    if (!lac_draft_is_default(revision->plan->draft, row))
      add_line(text, "  ", row->key, value, remark);
  }
  if (!g_str_equal(text->str, "settings:\n"))
    add_change(revision, at, length, g_strdup(text->str));
  g_string_free(text, TRUE);
}

/* ---- the members beside them ---- */

/* Removes the line of a pair, including a comment after it. */
static void
remove_line(Revision *revision, struct fy_node_pair *pair)
{
  gsize key, key_end, start, end;

  if (!find_span(revision, fy_node_pair_key(pair), &key, &key_end) ||
      !find_span(revision, fy_node_pair_value(pair), &start, &end))
    return;
  gsize first = start_of_line(revision->text, key), last = end_of_line(revision->text, end);
  if (revision->text[last] == '\n')
    last++;
  add_change(revision, first, last - first, g_strdup(""));
}

static void
revise_members(Revision *revision, struct fy_node *root, gsize at)
{
  const char *end = fy_node_get_style(root) == FYNS_FLOW ? ", " : "\n";

  for (guint i = 0; i < LAC_N_LAUNCH; i++) {
    const char          *key = get_member_key(i), *wanted = get_member(revision->plan, i);
    struct fy_node_pair *pair =
      key != NULL ? fy_node_mapping_lookup_pair_by_string(root, key, FY_NT) : NULL;
    g_autofree char *text = pair != NULL ? lac_yaml_dup_scalar(fy_node_pair_value(pair)) : NULL;

    if (pair != NULL && wanted == NULL) {
      remove_line(revision, pair);
    } else if (pair != NULL && g_strcmp0(text, wanted) != 0) {
      replace_value(revision, fy_node_pair_value(pair), wanted);
    } else if (pair == NULL && wanted != NULL) {
      g_autofree char *scalar = dup_scalar(wanted);
      add_change(revision, at, 0, g_strdup_printf("%s: %s%s", key, scalar, end));
    }
  }
}

/* Inserts new members before the settings, or at the end. */
static gboolean
revise(struct fy_node *root, gpointer data, GError **error)
{
  Revision            *revision = data;
  struct fy_node_pair *pair = fy_node_mapping_lookup_pair_by_string(root, "settings", FY_NT);
  gsize                at = strlen(revision->text), end;

  if (pair != NULL)
    find_span(revision, fy_node_pair_key(pair), &at, &end);
  else if (at > 0 && revision->text[at - 1] != '\n')
    add_change(revision, at, 0, g_strdup("\n"));
  revise_members(revision, root, at);
  if (pair != NULL && fy_node_is_mapping(fy_node_pair_value(pair)) &&
      fy_node_mapping_item_count(fy_node_pair_value(pair)) > 0) {
    revise_settings(revision, fy_node_pair_value(pair));
  } else {
    gsize length = end_of_line(revision->text, at) - at;
    add_settings(revision, at, length + (revision->text[at + length] == '\n'));
  }
  return TRUE;
}

/* ---- what reads back ---- */

static gboolean
is_same_plan(const LacRunPlan *a, const LacRunPlan *b)
{
  const LacParamTable *table = &a->experiment->params;

  if (!g_str_equal(a->experiment->name, b->experiment->name) ||
      table->n_rows != b->experiment->params.n_rows)
    return FALSE;
  for (guint i = 0; i < LAC_N_LAUNCH; i++)
    if (g_strcmp0(get_member(a, i), get_member(b, i)) != 0)
      return FALSE;
  for (gsize i = 0; i < table->n_rows; i++) {
    g_autofree char *left = lac_draft_dup_text(a->draft, &table->rows[i]);
    g_autofree char *right = lac_draft_dup_text(b->draft, &b->experiment->params.rows[i]);
    if (g_strcmp0(left, right) != 0)
      return FALSE;
  }
  return TRUE;
}

/* Returns TRUE for registered experiments, which can be named without a definition. */
static gboolean
is_known(const LacExperiment *experiment)
{
  gsize                       n;
  const LacExperiment *const *experiments = lac_experiments(&n);

  for (gsize i = 0; i < n; i++)
    if (experiments[i] == experiment)
      return TRUE;
  return FALSE;
}

static gboolean
reads_back(const char *text, const LacRunPlan *plan)
{
  g_autoptr(LacRunPlan) again = lac_yaml_read_text(text, "plan.yaml", NULL);

  return again != NULL && is_same_plan(again, plan);
}

char *
lac_yaml_write(const LacRunPlan *plan, const char *model, GError **error)
{
  g_autofree char *revised = NULL, *fresh = NULL;

  if (model != NULL) {
    Revision revision = {plan, model, g_array_new(FALSE, FALSE, sizeof(Change))};
    g_array_set_clear_func(revision.changes, change_clear);
    if (lac_yaml_visit_text(model, "model.yaml", revise, &revision, NULL))
      revised = apply(&revision);
    g_array_unref(revision.changes);
    if (revised != NULL && reads_back(revised, plan))
      return g_steal_pointer(&revised);
  }
  fresh = is_known(plan->experiment) ? write_new(plan) : NULL;
  if (fresh != NULL && reads_back(fresh, plan))
    return g_steal_pointer(&fresh);
  g_set_error(error, LAC_ERROR, LAC_ERROR_NOT_IN_VERSION,
              "%s is a user-defined equation: it can only be saved in its own file, which cannot "
              "hold these settings",
              plan->experiment->name);
  return NULL;
}

gboolean
lac_yaml_save(const char *text, const char *path, GError **error)
{
  g_autoptr(GError) why = NULL;

  if (g_file_set_contents(path, text, -1, &why))
    return TRUE;
  g_set_error(error, LAC_ERROR, LAC_ERROR_UNWRITABLE, "%s cannot be written: %s", path,
              why->message);
  return FALSE;
}
