/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Colours are assigned once, in the order of time, so that they do not change while a run grows. */
#include "report/timeline/span-looks.h"

#include "perf/analysis/time-parts.h"
#include "report/text/metric-group.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define LEAST_OF_SPANS \
  0.1 /* share of operations in the own time of spans, for operations to have the colours */

typedef enum { LOOK_NONE, LOOK_METHOD, LOOK_OPERATION, LOOK_NEUTRAL, LOOK_REST } Kind;

typedef struct {
  Kind     kind;
  guint    colour; /* index into the palette's series or operations */
  gboolean is_method;
} Look;

struct _LacSpanLooks {
  LacCapture *capture;
  GHashTable *methods; /* char *: recorded name of a method -> 1 + index of its colour */
  GArray     *looks;   /* Look, by name */
  guint       n_used;  /* operation colours */
};

/* ---- methods ---- */

/* Returns the colour of a method: that of its error curve, else by the order of the methods. */
static guint
find_colour(const LacSpanMethods *methods, const guint *looks, const char *group, guint at)
{
  const guint n = G_N_ELEMENTS(((LacPalette *) NULL)->series);
  for (gsize i = 0; i < methods->n_metrics; i++)
    if (looks[i] > 0 && lac_metric_group(&methods->metrics[i]) == group)
      return (looks[i] - 1) % n;
  return at % n;
}

static void
find_methods(LacSpanLooks *self, const LacSpanMethods *methods)
{
  g_autofree guint *looks = g_new0(guint, methods->n_metrics + 1);
  guint             n = 0;

  lac_metric_looks(LAC_CURVES_ERRORS, methods->metrics, methods->n_metrics, looks);
  for (gsize i = 0; i < methods->n_metrics; i++) {
    const char *group = lac_metric_group(&methods->metrics[i]);
    const char *label = lac_metric_group_label(group, methods->metrics, methods->n_metrics,
                                               methods->channels, methods->n_channels);
    if (*group == '\0' || g_hash_table_contains(self->methods, label))
      continue;
    g_hash_table_insert(self->methods, g_strdup(label),
                        GUINT_TO_POINTER(1 + find_colour(methods, looks, group, n++)));
  }
}

LacSpanLooks *
lac_span_looks_new(LacCapture *capture, const LacSpanMethods *methods)
{
  g_return_val_if_fail(capture != NULL && methods != NULL, NULL);
  LacSpanLooks *self = g_new0(LacSpanLooks, 1);
  self->capture = lac_capture_ref(capture);
  self->methods = g_hash_table_new_full(g_str_hash, g_str_equal, g_free, NULL);
  self->looks = g_array_new(FALSE, TRUE, sizeof(Look));
  find_methods(self, methods);
  return self;
}

void
lac_span_looks_free(LacSpanLooks *self)
{
  if (self == NULL)
    return;
  lac_capture_unref(self->capture);
  g_hash_table_unref(self->methods);
  g_array_unref(self->looks);
  g_free(self);
}

static guint
find_method(const LacSpanLooks *self, guint32 name)
{
  const char *recorded = lac_capture_get_name(self->capture, name);
  gpointer    found = g_hash_table_lookup(self->methods, recorded);
  if (found == NULL) /* a run read in another language has translated labels */
    found = g_hash_table_lookup(self->methods, lac_word(recorded));
  return GPOINTER_TO_UINT(found);
}

void
lac_span_looks_adopt(LacSpanLooks *self, const LacSpanLooks *other)
{
  g_return_if_fail(self != NULL && other != NULL);
  const guint32 n_names = lac_capture_get_n_names(self->capture);
  if (self->looks->len < n_names)
    g_array_set_size(self->looks, n_names);
  for (guint32 name = 0; name < n_names; name++) {
    const gint64 there =
      lac_capture_find_name(other->capture, lac_capture_get_name(self->capture, name));
    if (there >= 0 && there < (gint64) other->looks->len)
      g_array_index(self->looks, Look, name) = g_array_index(other->looks, Look, (guint) there);
  }
  self->n_used = MAX(self->n_used, other->n_used);
}

/* ---- assigning ---- */

/* Place and times of a name in the tree */
typedef struct {
  guint32  name;
  gboolean is_phase, is_operation, is_container, is_set_up;
  gint64   own_ns, phase_ns;
  guint32  within; /* phase in which it has the most time */
  gint64   within_ns;
} Fact;

typedef struct {
  Fact    *facts; /* [n_names] */
  guint32  n_names;
  gboolean has_operations;
} Facts;

/* Returns the start of the first iteration; the end of the tree without one. */
static gint64
find_first_iteration(const LacCallTree *tree)
{
  gint64 first = tree->end_ns;
  for (gsize i = 0; i < tree->n && tree->iteration != LAC_NO_NAME; i++)
    if (tree->nodes[i].name == tree->iteration)
      first = MIN(first, tree->nodes[i].first_ns);
  return first;
}

static Facts
gather(const LacSpanLooks *self, const LacCallTree *tree)
{
  Facts                facts = {.n_names = lac_capture_get_n_names(self->capture)};
  g_autofree guint32  *phases = g_new(guint32, tree->n + 1);
  g_autofree gboolean *parents = g_new0(gboolean, tree->n + 1);
  g_auto(LacTimeParts) parts = lac_time_parts_of_phases(tree, phases);
  const gint64         first_ns = find_first_iteration(tree);
  double               operations_ns = 0, spans_ns = 0;

  facts.facts = g_new0(Fact, facts.n_names + 1);
  for (gsize i = 0; i < tree->n; i++)
    if (tree->nodes[i].parent != LAC_CALL_NONE)
      parents[tree->nodes[i].parent] = TRUE;
  for (gsize i = 0; i < tree->n; i++) {
    const LacCallNode *node = &tree->nodes[i];
    if (node->name >= facts.n_names)
      continue;
    Fact          *fact = &facts.facts[node->name];
    const gboolean is_phase = phases[i] == node->name;
    const gboolean is_early =
      tree->iteration != LAC_NO_NAME && node->first_ns + node->total_ns <= first_ns;

    fact->name = node->name;
    fact->is_phase |= is_phase;
    fact->is_operation |= node->is_operation;
    fact->is_container |= phases[i] == LAC_NO_NAME && parents[i];
    fact->is_set_up = fact->own_ns == 0 ? is_early : fact->is_set_up && is_early;
    fact->own_ns += MAX(node->self_ns, 1);
    if (is_phase)
      fact->phase_ns += node->total_ns;
    if (node->total_ns >= fact->within_ns) {
      fact->within = phases[i];
      fact->within_ns = node->total_ns;
    }
    *(node->is_operation ? &operations_ns : &spans_ns) += (double) node->total_ns;
  }
  facts.has_operations = operations_ns > LEAST_OF_SPANS * (double) (tree->end_ns - tree->begin_ns);
  return facts;
}

/* Returns the look that follows from the place of the name; LOOK_NONE: one of the operation colours. */
static Look
find_look(const LacSpanLooks *self, const LacCallTree *tree, const Facts *facts, const Fact *fact)
{
  const guint method = find_method(self, fact->name);

  if (method > 0)
    return (Look){LOOK_METHOD, method - 1, TRUE};
  if (fact->name == tree->iteration || fact->is_container || fact->is_set_up)
    return (Look){.kind = LOOK_NEUTRAL};
  if (facts->has_operations && !fact->is_operation && !fact->is_phase &&
      fact->within < self->looks->len)
    return g_array_index(self->looks, Look, fact->within).kind == LOOK_METHOD
             ? (Look){LOOK_METHOD, g_array_index(self->looks, Look, fact->within).colour, FALSE}
             : g_array_index(self->looks, Look, fact->within);
  return (Look){0};
}

static int
compare_facts(gconstpointer a, gconstpointer b)
{
  const Fact  *x = *(const Fact *const *) a, *y = *(const Fact *const *) b;
  const gint64 left = MAX(x->phase_ns, x->own_ns), right = MAX(y->phase_ns, y->own_ns);
  return left != right ? (left < right) - (left > right)
                       : (x->name > y->name) - (x->name < y->name);
}

/* Sorts the names: phases before the spans within them, whose colour may be theirs; then by time. */
static GPtrArray *
sort_facts(const LacSpanLooks *self, const Facts *facts)
{
  GPtrArray *sorted = g_ptr_array_new();
  for (int phases = 1; phases >= 0; phases--) {
    g_autoptr(GPtrArray) some = g_ptr_array_new();
    for (guint32 i = 0; i < facts->n_names; i++) {
      const Fact    *fact = &facts->facts[i];
      const gboolean is_first = fact->is_phase || fact->is_operation;
      if (fact->own_ns > 0 && g_array_index(self->looks, Look, i).kind == LOOK_NONE &&
          is_first == phases)
        g_ptr_array_add(some, (gpointer) fact);
    }
    g_ptr_array_sort(some, compare_facts);
    for (guint i = 0; i < some->len; i++)
      g_ptr_array_add(sorted, some->pdata[i]);
  }
  return sorted;
}

void
lac_span_looks_update(LacSpanLooks *self, const LacCallTree *tree)
{
  g_return_if_fail(self != NULL && tree != NULL);
  Facts facts = gather(self, tree);
  if (self->looks->len < facts.n_names)
    g_array_set_size(self->looks, facts.n_names);
  g_autoptr(GPtrArray) sorted = sort_facts(self, &facts);
  for (guint i = 0; i < sorted->len; i++) {
    const Fact *fact = g_ptr_array_index(sorted, i);
    Look        look = find_look(self, tree, &facts, fact);
    if (look.kind == LOOK_NONE && self->n_used < LAC_PALETTE_OPERATIONS)
      look = (Look){LOOK_OPERATION, self->n_used++, FALSE};
    else if (look.kind == LOOK_NONE)
      look.kind = LOOK_REST;
    g_array_index(self->looks, Look, fact->name) = look;
  }
  g_free(facts.facts);
}

/* ---- answers ---- */

LacColour
lac_span_looks_get_colour(const LacSpanLooks *self, guint32 name, const LacPalette *palette)
{
  g_return_val_if_fail(self != NULL && palette != NULL, ((LacColour){0}));
  if (name >= self->looks->len)
    return palette->rest;
  const Look *look = &g_array_index(self->looks, Look, name);
  switch (look->kind) {
  case LOOK_METHOD: return palette->series[look->colour];
  case LOOK_OPERATION: return palette->operations[look->colour];
  case LOOK_NEUTRAL: return palette->neutral;
  case LOOK_REST:
  case LOOK_NONE: break;
  }
  return palette->rest;
}

const char *
lac_span_looks_get_label(const LacSpanLooks *self, guint32 name)
{
  g_return_val_if_fail(self != NULL, NULL);
  return name == LAC_NO_NAME ? _("other") : lac_word(lac_capture_get_name(self->capture, name));
}

char *
lac_span_looks_dup_title(const LacSpanLooks *self, guint32 name)
{
  const char *label = lac_span_looks_get_label(self, name);
  char        head[8] = "";

  if (*label == '\0' || g_unichar_isupper(g_utf8_get_char(g_utf8_next_char(label))) ||
      strpbrk(label, "._:()<>[]/") != NULL)
    return g_strdup(label); /* "rPIE" and "builtins.sum" stay */
  g_unichar_to_utf8(g_unichar_totitle(g_utf8_get_char(label)), head);
  return g_strconcat(head, g_utf8_next_char(label), NULL);
}

gboolean
lac_span_looks_is_method(const LacSpanLooks *self, guint32 name)
{
  g_return_val_if_fail(self != NULL, FALSE);
  return name != LAC_NO_NAME && find_method(self, name) > 0;
}
