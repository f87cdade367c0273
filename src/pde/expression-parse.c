/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expression parser: recursive descent with bounded depth:
 *   whole = sum [= sum];  sum = term {(+|-) term};  term = sign {(*|/) sign};
 *   sign = {+|-} power;   power = atom [^ sign];    atom = number | name | name ( sum ) | ( sum ). */
#include "base/error.h"
#include "pde/expression-private.h"

#include <math.h>
#include <string.h>

typedef struct {
  const char       *text, *at; /* next character, blanks skipped */
  const LacSymbols *symbols;
  LacExpression    *tree;
  guint             depth;
  GError          **error;
} Parser;

/* Parses one rule into @item; FALSE: the error is set. */
typedef gboolean (*Rule)(Parser *parser, guint *item);

static gboolean parse_sum(Parser *parser, guint *item);
static gboolean parse_sign(Parser *parser, guint *item);

static gboolean G_GNUC_PRINTF(3, 4)
  set_error(Parser *parser, const char *where, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  g_autofree char *what = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_set_error(parser->error, LAC_ERROR, LAC_ERROR_USAGE, "column %ld: %s",
              g_utf8_pointer_to_offset(parser->text, where) + 1, what);
  return FALSE;
}

static gboolean
is_letter(char c)
{
  return g_ascii_isalpha(c) || c == '_';
}

static void
skip_blanks(Parser *parser)
{
  while (g_ascii_isspace(*parser->at))
    parser->at++;
}

static gboolean
accept(Parser *parser, const char *sign)
{
  if (!g_str_has_prefix(parser->at, sign))
    return FALSE;
  parser->at += strlen(sign);
  skip_blanks(parser);
  return TRUE;
}

/* Returns: (transfer full): the character or name at @at, for error messages. */
static char *
dup_found(const char *at)
{
  const char *end = at;

  if (*at == '\0')
    return g_strdup("the end");
  while (is_letter(*end) || g_ascii_isdigit(*end))
    end++;
  if (end == at)
    end = g_utf8_next_char(at);
  return g_strndup(at, MIN((gsize) (end - at), 40));
}

/* ---- items ---- */

static gboolean
is_same(const LacItem *a, const LacItem *b)
{
  return a->kind == b->kind && a->a == b->a && a->b == b->b && a->index == b->index &&
         a->axis == b->axis && a->order == b->order && a->power == b->power &&
         memcmp(&a->number, &b->number, sizeof a->number) == 0;
}

static const LacItem *
item_at(const Parser *parser, guint i)
{
  return &g_array_index(parser->tree->items, LacItem, i);
}

/* Returns an existing equal item, or appends a new one. */
static guint
push(Parser *parser, const LacItem *item)
{
  for (guint i = 0; i < parser->tree->items->len; i++)
    if (is_same(item_at(parser, i), item))
      return i;
  g_array_append_vals(parser->tree->items, item, 1);
  return parser->tree->items->len - 1;
}

static guint
push_number(Parser *parser, double number)
{
  return push(parser, &(LacItem){.kind = LAC_ITEM_NUMBER, .number = number});
}

/* Appends an operation, folded if all operands are numbers. @where: position of its sign, for the error if it has no
 * value. */
static gboolean
push_operation(Parser *parser, const LacItem *item, const char *where, guint *result)
{
  const LacItem *a = item_at(parser, item->a), *b = item_at(parser, item->b);
  double         value;

  if (item->kind == LAC_ITEM_DIVIDE && b->kind == LAC_ITEM_NUMBER && b->number == 0)
    return set_error(parser, where, "a division by 0");
  if (a->kind != LAC_ITEM_NUMBER || b->kind != LAC_ITEM_NUMBER) {
    *result = push(parser, item);
    return TRUE;
  }
  value = lac_item_compute(item, a->number, b->number);
  if (!isfinite(value))
    return set_error(parser, where, "this is not a finite number");
  *result = push_number(parser, value);
  return TRUE;
}

/* ---- atoms ---- */

static const char *
skip_digits(const char *at)
{
  while (g_ascii_isdigit(*at))
    at++;
  return at;
}

static gboolean
parse_number(Parser *parser, guint *item)
{
  const char      *start = parser->at, *end = skip_digits(start), *exponent;
  g_autofree char *digits = NULL;
  double           value;

  if (*end == '.')
    end = skip_digits(end + 1);
  if (*end == 'e' || *end == 'E') {
    exponent = end + 1;
    if (*exponent == '+' || *exponent == '-')
      exponent++;
    if (g_ascii_isdigit(*exponent))
      end = skip_digits(exponent);
  }
  digits = g_strndup(start, (gsize) (end - start));
  value = g_ascii_strtod(digits, NULL);
  if (strcmp(digits, ".") == 0 || !isfinite(value))
    return set_error(parser, start, "%.40s is not a number that can be represented", digits);
  if (is_letter(*end))
    return set_error(parser, end, "an operator is expected between a number and a name, as in 2*u");
  parser->at = end;
  skip_blanks(parser);
  *item = push_number(parser, value);
  return TRUE;
}

static gboolean
find_name(const char *const *names, guint n_names, const char *name, guint *index)
{
  for (guint i = 0; i < n_names; i++)
    if (strcmp(names[i], name) == 0) {
      *index = i;
      return TRUE;
    }
  return FALSE;
}

static void
append_names(GString *list, const char *const *names, guint n_names)
{
  for (guint i = 0; i < n_names; i++)
    g_string_append_printf(list, "%s, ", names[i]);
}

static gboolean
set_unknown(Parser *parser, const char *where, const char *name)
{
  const LacSymbols  *symbols = parser->symbols;
  g_autoptr(GString) known = g_string_new(NULL);

  append_names(known, symbols->axes, symbols->n_axes);
  append_names(known, symbols->fields, symbols->n_fields);
  append_names(known, symbols->coefficients, symbols->n_coefficients);
  append_names(known, symbols->constants, symbols->n_constants);
  for (guint i = 0; i < lac_n_expression_functions; i++)
    g_string_append_printf(known, "%s, ", lac_expression_functions[i].name);
  return set_error(parser, where, "%.40s is not known here; known are %spi", name, known->str);
}

/* Returns: (nullable): the suffix xx of a name such as u_xx, if u is a field. */
static const char *
find_suffix(const LacSymbols *symbols, const char *name, guint *field)
{
  const char      *suffix = strrchr(name, '_');
  g_autofree char *before = suffix ? g_strndup(name, (gsize) (suffix - name)) : NULL;

  if (!suffix || suffix[1] == '\0' || !find_name(symbols->fields, symbols->n_fields, before, field))
    return NULL;
  return suffix + 1;
}

static gboolean
parse_derivative(Parser *parser, const char *where, const char *suffix, guint field, guint *item)
{
  const LacSymbols *symbols = parser->symbols;
  const char       *name = symbols->fields[field];
  LacItem           leaf = {.kind = LAC_ITEM_FIELD, .index = field};

  for (const char *c = suffix; *c; c++) {
    const char axis[] = {*c, '\0'};
    guint      index;

    if (!find_name(symbols->axes, symbols->n_axes, axis, &index))
      return set_error(parser, where, "%s_%.40s is not a derivative of %s: %s is not an axis", name,
                       suffix, name, axis);
    if (leaf.order > 0 && index != leaf.axis)
      return set_error(parser, where,
                       "%s_%.40s is a mixed derivative; define %s_%s as a separate field with an "
                       "additional residual, and differentiate that",
                       name, suffix, name, symbols->axes[leaf.axis]);
    leaf.axis = index;
    leaf.order++;
  }
  if (leaf.order > 4)
    return set_error(parser, where, "%s_%.40s is a derivative of order %u; 4 is the highest", name,
                     suffix, leaf.order);
  *item = push(parser, &leaf);
  return TRUE;
}

static gboolean
parse_name(Parser *parser, const char *where, const char *name, guint *item)
{
  const LacSymbols *symbols = parser->symbols;
  const char       *suffix;
  guint             index;

  if (find_name(symbols->axes, symbols->n_axes, name, &index))
    *item = push(parser, &(LacItem){.kind = LAC_ITEM_AXIS, .index = index});
  else if (find_name(symbols->fields, symbols->n_fields, name, &index))
    *item = push(parser, &(LacItem){.kind = LAC_ITEM_FIELD, .index = index});
  else if (find_name(symbols->coefficients, symbols->n_coefficients, name, &index))
    *item = push(parser, &(LacItem){.kind = LAC_ITEM_COEFFICIENT, .index = index});
  else if (find_name(symbols->constants, symbols->n_constants, name, &index))
    *item = push_number(parser, symbols->values[index]);
  else if (strcmp(name, "pi") == 0)
    *item = push_number(parser, G_PI);
  else if ((suffix = find_suffix(symbols, name, &index)) != NULL)
    return parse_derivative(parser, where, suffix, index, item);
  else
    return set_unknown(parser, where, name);
  return TRUE;
}

static gboolean
parse_function(Parser *parser, const char *where, guint function, guint *item)
{
  guint operand;

  if (!accept(parser, "("))
    return set_error(parser, parser->at, "( is expected after %s",
                     lac_expression_functions[function].name);
  if (!parse_sum(parser, &operand))
    return FALSE;
  if (!accept(parser, ")")) {
    g_autofree char *found = dup_found(parser->at);
    return set_error(parser, parser->at, ") or an operator is expected, not %s", found);
  }
  return push_operation(
    parser, &(LacItem){.kind = LAC_ITEM_FUNCTION, .a = operand, .b = operand, .index = function},
    where, item);
}

static gboolean
parse_word(Parser *parser, guint *item)
{
  const char      *start = parser->at, *end = start;
  g_autofree char *name = NULL;

  while (is_letter(*end) || g_ascii_isdigit(*end))
    end++;
  name = g_strndup(start, (gsize) (end - start));
  parser->at = end;
  skip_blanks(parser);
  for (guint i = 0; i < lac_n_expression_functions; i++)
    if (strcmp(lac_expression_functions[i].name, name) == 0)
      return parse_function(parser, start, i, item);
  return parse_name(parser, start, name, item);
}

static gboolean
parse_atom(Parser *parser, guint *item)
{
  g_autofree char *found = NULL;

  if (g_ascii_isdigit(*parser->at) || *parser->at == '.')
    return parse_number(parser, item);
  if (is_letter(*parser->at))
    return parse_word(parser, item);
  if (accept(parser, "(")) {
    if (!parse_sum(parser, item))
      return FALSE;
    if (accept(parser, ")"))
      return TRUE;
    found = dup_found(parser->at);
    return set_error(parser, parser->at, ") or an operator is expected, not %s", found);
  }
  found = dup_found(parser->at);
  return set_error(parser, parser->at, "a number, a name or ( is expected, not %s", found);
}

/* ---- operators ---- */

/* Powers bind tighter than the preceding sign and are right-associative: -x^2^3 = -(x^(2^3)). */
static gboolean
parse_power(Parser *parser, guint *item)
{
  const char    *where;
  guint          base, exponent;
  const LacItem *number;
  LacItem        power = {.kind = LAC_ITEM_POWER};

  if (!parse_atom(parser, &base))
    return FALSE;
  *item = base;
  if (*parser->at != '^' && !g_str_has_prefix(parser->at, "**"))
    return TRUE;
  if (!accept(parser, "^"))
    accept(parser, "**");
  where = parser->at;
  if (!parse_sign(parser, &exponent))
    return FALSE;
  number = item_at(parser, exponent);
  if (number->kind != LAC_ITEM_NUMBER || number->number != rint(number->number) ||
      fabs(number->number) > LAC_EXPRESSION_MAX_POWER)
    return set_error(parser, where,
                     "an exponent is a whole number from -%d to %d; sqrt, exp and "
                     "log make other powers",
                     LAC_EXPRESSION_MAX_POWER, LAC_EXPRESSION_MAX_POWER);
  power.power = (int) number->number;
  if (power.power == 0)
    *item = push_number(parser, 1);
  if (power.power == 0 || power.power == 1)
    return TRUE;
  power.a = power.b = base;
  return push_operation(parser, &power, where, item);
}

static gboolean
parse_sign(Parser *parser, guint *item)
{
  const char *where = parser->at;
  gboolean    is_negative = FALSE, done;

  if (parser->depth >= LAC_EXPRESSION_MAX_DEPTH)
    return set_error(parser, where, "parentheses and exponents are nested deeper than %d",
                     LAC_EXPRESSION_MAX_DEPTH);
  while (*parser->at == '-' || *parser->at == '+') {
    is_negative ^= *parser->at == '-';
    accept(parser, *parser->at == '-' ? "-" : "+");
  }
  parser->depth++;
  done = parse_power(parser, item);
  parser->depth--;
  if (!done || !is_negative)
    return done;
  return push_operation(parser, &(LacItem){.kind = LAC_ITEM_NEGATE, .a = *item, .b = *item}, where,
                        item);
}

/* Parses a left-associative chain of @operand joined by the two signs. */
static gboolean
parse_chain(Parser           *parser,
            Rule              operand,
            const char        signs[2],
            const LacItemKind kinds[2],
            guint            *item)
{
  if (!operand(parser, item))
    return FALSE;
  while (*parser->at == signs[0] || *parser->at == signs[1]) {
    const char *where = parser->at;
    const char  sign[] = {*where, '\0'};
    LacItem     next = {.kind = kinds[*where == signs[1]], .a = *item};

    accept(parser, sign);
    if (!operand(parser, &next.b) || !push_operation(parser, &next, where, item))
      return FALSE;
  }
  return TRUE;
}

static gboolean
parse_term(Parser *parser, guint *item)
{
  static const LacItemKind kinds[] = {LAC_ITEM_MULTIPLY, LAC_ITEM_DIVIDE};

  return parse_chain(parser, parse_sign, "*/", kinds, item);
}

static gboolean
parse_sum(Parser *parser, guint *item)
{
  static const LacItemKind kinds[] = {LAC_ITEM_ADD, LAC_ITEM_SUBTRACT};

  return parse_chain(parser, parse_term, "+-", kinds, item);
}

static gboolean
parse_whole(Parser *parser)
{
  const char *where;
  guint       item, right;

  skip_blanks(parser);
  if (!parse_sum(parser, &item))
    return FALSE;
  where = parser->at;
  if (accept(parser, "=")) {
    const LacItem *number;

    if (!parse_sum(parser, &right))
      return FALSE;
    number = item_at(parser, right);
    if ((number->kind != LAC_ITEM_NUMBER || number->number != 0) &&
        !push_operation(parser, &(LacItem){.kind = LAC_ITEM_SUBTRACT, .a = item, .b = right}, where,
                        &item))
      return FALSE;
  }
  if (*parser->at != '\0') {
    g_autofree char *found = dup_found(parser->at);
    return set_error(parser, parser->at, "an operator or the end is expected, not %s", found);
  }
  /* The root must be the last item; later items were folded numbers or are shared parts that are used again. */
  if (item + 1 < parser->tree->items->len) {
    const LacItem last = *item_at(parser, item);
    g_array_append_val(parser->tree->items, last);
  }
  return TRUE;
}

LacExpression *
lac_expression_parse(const char *text, const LacSymbols *symbols, GError **error)
{
  g_autoptr(LacExpression) tree = g_new0(LacExpression, 1);
  Parser                   parser = {text, text, symbols, tree, 0, error};

  tree->items = g_array_new(FALSE, FALSE, sizeof(LacItem));
  if (!g_utf8_validate(text, -1, NULL)) {
    g_set_error_literal(error, LAC_ERROR, LAC_ERROR_USAGE, "an expression is UTF-8 text");
    return NULL;
  }
  if (strlen(text) > LAC_EXPRESSION_MAX_LENGTH) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_USAGE,
                "an expression has at most %d characters, this one %zu", LAC_EXPRESSION_MAX_LENGTH,
                strlen(text));
    return NULL;
  }
  return parse_whole(&parser) ? g_steal_pointer(&tree) : NULL;
}
