/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parsing and evaluation of run filters. */
#include "run/library/filter.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

typedef enum { WORD, EQUAL, UNEQUAL, LESS, AT_MOST, MORE, AT_LEAST } Test;

typedef struct {
  Test     test;
  gboolean negated; /* for words */
  char    *key;     /* for conditions */
  char    *text;    /* folded: the word, or the value to compare with */
  double   number;  /* value of @text; NaN: not a number */
} Term;

struct _LacRunFilter {
  GArray *terms; /* element type Term */
  char   *problem;
};

static void
term_clear(gpointer data)
{
  Term *term = data;

  g_free(term->key);
  g_free(term->text);
}

static double
number_of(const char *text)
{
  char  *end;
  double value = g_ascii_strtod(text, &end);

  return end != text && *end == '\0' ? value : (double) NAN;
}

/* ---- reading ---- */

#define OPERATORS "<>=!"

/* Reads one word, or a condition without the spaces around its operator; quoted text is one word.
 * Returns: (transfer full) (nullable): NULL at the end. */
static char *
next_token(const char **at)
{
  GString *token = g_string_new(NULL);
  gboolean quoted = FALSE;

  while (g_ascii_isspace(**at))
    (*at)++;
  for (; **at != '\0'; (*at)++) {
    if (**at == '"') {
      quoted = !quoted;
      continue;
    }
    if (quoted || !g_ascii_isspace(**at)) {
      g_string_append_c(token, **at);
      continue;
    }
    const char *next = *at + strspn(*at, " \t\n");
    gboolean    goes_on = *next != '\0' && strchr(OPERATORS, *next) != NULL;
    gboolean    hangs = token->len > 0 && strchr(OPERATORS, token->str[token->len - 1]) != NULL;
    if (*next == '\0' || !(goes_on || hangs))
      break;
    *at = next - 1;
  }
  return g_string_free(token, token->len == 0);
}

/* Returns: %WORD if @text does not begin with an operator; @length: length of the operator */
static Test
test_of(const char *text, gsize *length)
{
  static const struct {
    const char *sign;
    Test        test;
  } signs[] = {{"<=", AT_MOST}, {">=", AT_LEAST}, {"!=", UNEQUAL}, {"==", EQUAL},
               {"<", LESS},     {">", MORE},      {"=", EQUAL}};

  for (gsize i = 0; i < G_N_ELEMENTS(signs); i++)
    if (g_str_has_prefix(text, signs[i].sign)) {
      *length = strlen(signs[i].sign);
      return signs[i].test;
    }
  return WORD;
}

static void
add_word(LacRunFilter *filter, const char *token)
{
  gboolean negated = token[0] == '-' && token[1] != '\0';
  Term     term = {WORD, negated, NULL, g_utf8_casefold(token + negated, -1), (double) NAN};

  g_array_append_val(filter->terms, term);
}

static void
add_token(LacRunFilter *filter, const char *token)
{
  gsize before = strcspn(token, OPERATORS), length = 0;
  Test  test = test_of(token + before, &length);

  if (test == WORD || before == 0) {
    add_word(filter, token);
    return;
  }
  const char *value = token + before + length;
  if (*value == '\0') {
    g_free(filter->problem);
    filter->problem = g_strdup_printf(
      _("“%s” has no value to compare with; add a number or a word after it"), token);
    return;
  }
  Term term = {test, FALSE, g_strndup(token, before), g_utf8_casefold(value, -1), number_of(value)};
  if (isnan(term.number) && test > UNEQUAL && g_ascii_strcasecmp(term.key, "started") != 0) {
    g_free(filter->problem);
    filter->problem = g_strdup_printf(
      _("“%s” compares with “%s”, which is not a number; < and > need one"), token, value);
    term_clear(&term);
    return;
  }
  g_array_append_val(filter->terms, term);
}

LacRunFilter *
lac_run_filter_new(const char *text)
{
  LacRunFilter *filter = g_new0(LacRunFilter, 1);
  const char   *at = text;
  char         *token;

  filter->terms = g_array_new(FALSE, FALSE, sizeof(Term));
  g_array_set_clear_func(filter->terms, term_clear);
  while ((token = next_token(&at)) != NULL) {
    add_token(filter, token);
    g_free(token);
  }
  return filter;
}

void
lac_run_filter_free(LacRunFilter *filter)
{
  if (filter == NULL)
    return;
  g_array_unref(filter->terms);
  g_free(filter->problem);
  g_free(filter);
}

const char *
lac_run_filter_get_problem(const LacRunFilter *filter)
{
  return filter->problem;
}

/* ---- matching ---- */

static gboolean
holds_number(const Term *term, double value)
{
  switch (term->test) {
  case EQUAL: return value == term->number;
  case UNEQUAL: return value != term->number;
  case LESS: return value < term->number;
  case AT_MOST: return value <= term->number;
  case MORE: return value > term->number;
  case AT_LEAST: return value >= term->number;
  case WORD: break;
  }
  return FALSE;
}

static gboolean
holds_text(const Term *term, const char *value)
{
  g_autofree char *folded = g_utf8_casefold(value, -1);
  gboolean same = strchr(term->text, '*') != NULL ? g_pattern_match_simple(term->text, folded)
                                                  : g_str_equal(term->text, folded);
  int      order = strcmp(folded, term->text);

  switch (term->test) {
  case EQUAL: return same;
  case UNEQUAL: return !same;
  case LESS: return order < 0;
  case AT_MOST:
    return order <= 0 || g_str_has_prefix(folded, term->text); /* includes the whole day */
  case MORE: return order > 0 && !g_str_has_prefix(folded, term->text);
  case AT_LEAST: return order >= 0;
  case WORD: break;
  }
  return FALSE;
}

static gboolean
holds_value(const Term *term, const char *text)
{
  double value = number_of(text);

  return isnan(value) || isnan(term->number) ? holds_text(term, text) : holds_number(term, value);
}

static gboolean
holds_tag(const Term *term, const LacRunHeadline *headline)
{
  Term     equal = *term;
  gboolean any = FALSE;

  equal.test = EQUAL;
  for (char **tag = headline->tags; *tag != NULL; tag++)
    any |= holds_text(&equal, *tag);
  return term->test == UNEQUAL ? !any : any;
}

/* Tests the text properties of a run. Returns: FALSE if @term's key is not one of them. */
static gboolean
test_words(const Term *term, const LacRunHeadline *headline, gboolean *holds)
{
  const struct {
    const char *key, *value;
  } texts[] = {
    {"name", headline->name},
    {"experiment", headline->experiment},
    {"laboratory", headline->laboratory},
    {"lab", headline->laboratory},
    {"outcome", headline->outcome},
    {"backend", headline->backend},
    {"precision", headline->precision},
    {"started", headline->started},
    {"baseline", headline->is_baseline ? "yes" : "no"},
  };

  if (g_ascii_strcasecmp(term->key, "tag") == 0 || g_ascii_strcasecmp(term->key, "tags") == 0) {
    *holds = holds_tag(term, headline);
    return TRUE;
  }
  for (gsize i = 0; i < G_N_ELEMENTS(texts); i++)
    if (g_ascii_strcasecmp(term->key, texts[i].key) == 0) {
      *holds = g_str_equal(texts[i].key, "started") && term->test == EQUAL
                 ? g_str_has_prefix(texts[i].value, term->text)
                 : holds_text(term, texts[i].value);
      return TRUE;
    }
  return FALSE;
}

/* The same for numeric properties. */
static gboolean
test_numbers(const Term *term, const LacRunHeadline *headline, gboolean *holds)
{
  const struct {
    const char *key;
    double      value;
  } numbers[] = {
    {"seed", (double) headline->seed},       {"steps", (double) headline->steps},
    {"seconds", headline->seconds},          {"setup_seconds", headline->setup_seconds},
    {"threads", (double) headline->threads},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(numbers); i++)
    if (g_ascii_strcasecmp(term->key, numbers[i].key) == 0) {
      *holds = holds_number(term, numbers[i].value);
      return TRUE;
    }
  return FALSE;
}

/* Tests a condition; a run without the property does not match. */
static gboolean
holds_condition(const Term *term, const LacRunHeadline *headline)
{
  gboolean holds;

  if (test_words(term, headline, &holds))
    return holds;
  g_autofree char *setting = lac_run_headline_dup_setting(headline, term->key);
  if (setting != NULL)
    return holds_value(term, setting);
  if (test_numbers(term, headline, &holds))
    return holds;
  const LacHeadlineMetric *metric = lac_run_headline_find_metric(headline, term->key);
  return metric != NULL && isfinite(metric->value) && holds_number(term, metric->value);
}

gboolean
lac_run_filter_matches(const LacRunFilter *filter, const LacRunHeadline *headline)
{
  for (guint i = 0; i < filter->terms->len; i++) {
    const Term *term = &g_array_index(filter->terms, Term, i);
    gboolean    holds = term->test == WORD
                          ? (strstr(headline->words, term->text) != NULL) != term->negated
                          : holds_condition(term, headline);
    if (!holds)
      return FALSE;
  }
  return TRUE;
}
