/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Expressions: values, positions of errors, and robustness of the parser against any text. */
#include "base/error.h"
#include "base/rng.h"
#include "pde/expression.h"
#include "pde/helpers/equation-bench.h"

#include <glib.h>

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const axes[] = {"t", "x", "y"};
static const char *const fields[] = {"u", "v", "S_x"};
static const char *const coefficients[] = {"nu", "k"};
static const char *const constants[] = {"A"};
static const double      values[] = {1.25};

static const LacSymbols symbols = {3, axes, 3, fields, 2, coefficients, 1, constants, values};

/* A function of t, x, y with nu = 0.3, k = 2, A = 1.25. */
typedef struct {
  const char *text;
  double (*value)(double t, double x, double y);
} Case;

#define VALUE(name, formula)                                                                 \
  static double name(double t G_GNUC_UNUSED, double x G_GNUC_UNUSED, double y G_GNUC_UNUSED) \
  {                                                                                          \
    return formula;                                                                          \
  }
VALUE(left_to_right, t - x - y)
VALUE(product_first, t + x * y)
VALUE(divided, t / x / y)
VALUE(divided_then_multiplied, t / x * y)
VALUE(sign_after_power, -(x *x))
VALUE(power_of_sign, x *x)
VALUE(power_from_the_right, pow(x, 9))
VALUE(negative_power, 1 / (x * x * x))
VALUE(two_signs, t - -x)
VALUE(parentheses, (t - x) * (t + y))
VALUE(constants_folded, 1.25 * 2 - 3 / 4.0 + x)
VALUE(with_coefficients, 0.3 * x + sin(2 * y))
VALUE(functions, tanh(x) + exp(-t) * cos(y) + log(x + 2) - sqrt(y + 2))
VALUE(sigmoids, 1 / (1 + exp(-x)))
VALUE(powers, pow(x, 2) + pow(x, 3) - 2 * pow(x, 16) + pow(x, 7))
VALUE(over_a_function, 2 / (1 + x * x))
VALUE(number_minus, 1 - x)
VALUE(number_only, -2.5e-3)
VALUE(pi_times, G_PI *x)
VALUE(equation, t - x * y)
VALUE(power_of_zero, 1 + x)
#undef VALUE

static const Case cases[] = {
  {"t - x - y", left_to_right},
  {"t+x*y", product_first},
  {"t/x/y", divided},
  {"t / x * y", divided_then_multiplied},
  {"-x^2", sign_after_power},
  {"(-x)^2", power_of_sign},
  {"x^3^2", power_from_the_right},
  {"x ** -3", negative_power},
  {"t --x", two_signs},
  {"(t - x)*((t) + y)", parentheses},
  {"A*2 - 3/4 + x", constants_folded},
  {"nu*x + sin(k*y)", with_coefficients},
  {"tanh(x)+exp(-t)*cos(y) + log(x+2)-sqrt(y+2)", functions},
  {"sigmoid(x)", sigmoids},
  {"x^2 + x^3 - 2*x^16 + x^7", powers},
  {"2/(1+x^2)", over_a_function},
  {"1 - x", number_minus},
  {" -2.5e-3 ", number_only},
  {"pi*x", pi_times},
  {"t = x*y", equation},
  {"y^0 + x^1", power_of_zero},
};

static void
build_case(gconstpointer data, LacNode leaf, LacNode *nodes)
{
  static const double numbers[] = {0.3, 2};

  nodes[0] = lac_expression_build_at(data, leaf, numbers);
}

/* Tolerance: a few rounding errors of a sum of terms below 1e4. */
static void
test_values(void)
{
  const double      numbers[] = {0.3, 2};
  const BenchPoints points = bench_points(3, 0.5);

  for (gsize c = 0; c < G_N_ELEMENTS(cases); c++) {
    g_autoptr(GError)        error = NULL;
    g_autoptr(LacExpression) parsed = lac_expression_parse(cases[c].text, &symbols, &error);
    double                   found[BENCH_N_POINTS];

    g_test_message("%s", cases[c].text);
    g_assert_no_error(error);
    bench_evaluate(&points, build_case, parsed, 1, found);
    for (gsize i = 0; i < BENCH_N_POINTS; i++) {
      const double *x = points.points + 3 * i;
      const double  wanted = cases[c].value(x[0], x[1], x[2]);
      const double  tolerance = 1e-14 * MAX(1, fabs(wanted));

      g_assert_cmpfloat_with_epsilon(lac_expression_evaluate(parsed, x, numbers), wanted,
                                     tolerance);
      g_assert_cmpfloat_with_epsilon(found[i], wanted, tolerance);
    }
  }
}

typedef struct {
  const char *text;
  guint       column;
  const char *says;
} Mistake;

static const Mistake mistakes[] = {
  {"", 1, "a number, a name or ( is expected, not the end"},
  {"u_t + ", 7, "is expected, not the end"},
  {"u_t + w*u_x", 7, "w is not known here; known are t, x, y, u, v, S_x, nu"},
  {"u_t + u*u_x)", 12, "an operator or the end is expected, not )"},
  {"(u_t + u", 9, ") or an operator is expected, not the end"},
  {"2 u", 3, "an operator or the end is expected, not u"},
  {"2u", 2, "as in 2*u"},
  {"u_xy", 1, "mixed derivative"},
  {"1 + u_xxxxx", 5, "order 5; 4 is the highest"},
  {"u_z", 1, "z is not an axis"},
  {"nu_x", 1, "nu_x is not known here"},
  {"sin x", 5, "( is expected after sin"},
  {"sin(x", 6, ") or an operator is expected"},
  {"x^0.5", 3, "whole number from -16 to 16"},
  {"x^17", 3, "whole number"},
  {"x^nu", 3, "whole number"},
  {"u/(2-2)", 2, "a division by 0"},
  {"u + log(-1)", 5, "not a finite number"},
  {"1e999*u", 1, "1e999 is not a number that can be represented"},
  {"u . v", 3, "an operator or the end"},
  {". + u", 1, "not a number"},
  {"u = v = x", 7, "an operator or the end is expected, not ="},
  {"é + u", 1, "is expected, not é"},
  {"u + é", 5, "is expected, not é"},
  {"u ^^ 2", 4, "is expected, not ^"},
};

static void
test_errors_name_the_column(void)
{
  for (gsize c = 0; c < G_N_ELEMENTS(mistakes); c++) {
    g_autoptr(GError) error = NULL;
    g_autofree char  *start = g_strdup_printf("column %u: ", mistakes[c].column);

    g_test_message("%s", mistakes[c].text);
    g_assert_null(lac_expression_parse(mistakes[c].text, &symbols, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
    g_test_message("%s", error->message);
    g_assert_true(g_str_has_prefix(error->message, start));
    g_assert_nonnull(strstr(error->message, mistakes[c].says));
  }
}

static void
test_orders_come_from_use(void)
{
  g_autoptr(GError)        error = NULL;
  g_autoptr(LacExpression) parsed =
    lac_expression_parse("u_t + u_xxx + v_xx - nu*S_x", &symbols, &error);

  g_assert_no_error(error);
  g_assert_cmpuint(lac_expression_get_order(parsed, 0), ==, 1);
  g_assert_cmpuint(lac_expression_get_order(parsed, 1), ==, 3);
  g_assert_cmpuint(lac_expression_get_order(parsed, 2), ==, 0);
  g_assert_true(lac_expression_has_field(parsed, 2)); /* S_x is the name of a field */
  g_assert_true(lac_expression_has_coefficient(parsed, 0));
  g_assert_false(lac_expression_has_coefficient(parsed, 1));
}

/* ---- hostile text ---- */

static char *
repeat(const char *part, gsize n)
{
  GString *text = g_string_new(NULL);

  for (gsize i = 0; i < n; i++)
    g_string_append(text, part);
  return g_string_free(text, FALSE);
}

static void
test_hostile_text_is_an_error(void)
{
  static const struct {
    const char *part;
    gsize       n;
  } hostile[] = {
    {"(", 100000},  {"(", 9000},  {"sin(", 2400}, {"x^", 4900}, {"-", 9999},
    {"x+", 500000}, {"u_", 4000}, {"9", 9999},    {"\xff", 3},
  };

  for (gsize i = 0; i < G_N_ELEMENTS(hostile); i++) {
    g_autofree char  *text = repeat(hostile[i].part, hostile[i].n);
    g_autoptr(GError) error = NULL;

    g_autofree char *shown = g_strescape(hostile[i].part, NULL);
    g_test_message("%s repeated %zu times", shown, hostile[i].n);
    g_assert_null(lac_expression_parse(text, &symbols, &error));
    g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
    g_assert_cmpuint(strlen(error->message), <, 300);
  }
}

/* Long but valid: a chain has no depth. */
static void
test_long_chains_are_taken(void)
{
  g_autofree char         *terms = repeat("x + ", 2400);
  g_autofree char         *text = g_strconcat(terms, "x", NULL);
  const double             x[] = {0, 0.5, 0};
  g_autoptr(GError)        error = NULL;
  g_autoptr(LacExpression) parsed = lac_expression_parse(text, &symbols, &error);

  g_assert_no_error(error);
  g_assert_cmpfloat(lac_expression_evaluate(parsed, x, NULL), ==, 1200.5);
}

static void
build_random(gconstpointer data, LacNode leaf, LacNode *nodes)
{
  LacPdeTerms at = {.x = leaf};

  for (guint i = 0; i < symbols.n_fields; i++) {
    const guint  orders[] = {4, 4, 4};
    const double directions[] = {1, 0, 0, 0, 1, 0, 0, 0, 1};
    const LacJet jet = lac_jet(3, orders, NULL);

    at.fields[i] = lac_columns(lac_graph_seed(leaf, &jet, directions), i, 1);
  }
  at.coefficients[0] = lac_number(0.3);
  at.coefficients[1] = (LacQuantity){.node = lac_columns(leaf, 1, 1)};
  nodes[0] = lac_expression_build(data, &at);
}

/* Sentences of random tokens, mostly invalid: an error with a column inside the text, or a tree that builds. */
static void
test_random_text(void)
{
  static const char *const words[] = {
    "u",  "v",   "S_x", "u_t", "u_xx", "v_yyyy", "u_xy", "nu", "k",    "A",  "x", "t",
    "pi", "+",   "-",   "*",   "/",    "^",      "(",    ")",  "sin(", "2",  "3", "0.5",
    "=",  "1e3", "**",  "exp", "log(", "_",      ".",    "é",  " ",    "u_", "^2"};
  const BenchPoints points = bench_points(3, 0.5);
  LacRng            rng = lac_rng(2027, 0);
  guint             n_parsed = 0;

  for (int turn = 0; turn < 20000; turn++) {
    g_autoptr(GString)       text = g_string_new(NULL);
    g_autoptr(GError)        error = NULL;
    g_autoptr(LacExpression) parsed = NULL;
    const int                n_words = 1 + (int) (12 * lac_rng_uniform(&rng));
    guint                    column = 0;

    for (int i = 0; i < n_words; i++)
      g_string_append(text, words[(gsize) (lac_rng_uniform(&rng) * G_N_ELEMENTS(words))]);
    parsed = lac_expression_parse(text->str, &symbols, &error);
    if (parsed && n_parsed++ % 16 == 0) {
      double found[BENCH_N_POINTS];
      bench_evaluate(&points, build_random, parsed, 1, found);
    }
    if (parsed)
      continue;
    g_assert_error(error, LAC_ERROR, LAC_ERROR_USAGE);
    g_assert_cmpint(sscanf(error->message, "column %u: ", &column), ==, 1);
    g_assert_cmpuint(column, >=, 1);
    g_assert_cmpint((int) column, <=, (int) g_utf8_strlen(text->str, -1) + 1);
  }
  g_assert_cmpuint(n_parsed, >, 200);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/pde/expression/values-are-those-of-c", test_values);
  g_test_add_func("/pde/expression/errors-name-the-column", test_errors_name_the_column);
  g_test_add_func("/pde/expression/orders-come-from-use", test_orders_come_from_use);
  g_test_add_func("/pde/expression/hostile-text-is-an-error", test_hostile_text_is_an_error);
  g_test_add_func("/pde/expression/long-chains-are-taken", test_long_chains_are_taken);
  g_test_add_func("/pde/expression/random-text-never-breaks", test_random_text);
  return g_test_run();
}
