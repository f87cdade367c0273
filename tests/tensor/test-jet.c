/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Layout of the streams of a jet. */
#include "tensor/type.h"

#include <glib.h>

static void
streams_follow_the_directions(void)
{
  LacJet jet = lac_jet(3, (const unsigned[]){1, 4, 2}, NULL);

  g_assert_cmpuint(jet.n_directions, ==, 3);
  g_assert_cmpuint(jet.n_streams, ==, 8);
  g_assert_cmpuint(jet.first[0], ==, 1);
  g_assert_cmpuint(jet.first[1], ==, 2);
  g_assert_cmpuint(jet.first[2], ==, 6);
  g_assert_cmpuint(jet.sum, ==, 0);
}

static void
sum_is_the_last_stream(void)
{
  LacJet jet = lac_jet(3, (const unsigned[]){1, 1, 1}, (const double[]){0, 1, -2});

  g_assert_cmpuint(jet.n_streams, ==, 5);
  g_assert_cmpuint(jet.sum, ==, 4);
  g_assert_cmpfloat(jet.weight[2], ==, -2);
}

static void
weights_of_zero_ask_for_no_sum(void)
{
  LacJet jet = lac_jet(2, (const unsigned[]){2, 1}, (const double[]){0, 0});

  g_assert_cmpuint(jet.sum, ==, 0);
  g_assert_cmpuint(jet.n_streams, ==, 4);
}

static void
value_alone_has_one_stream(void)
{
  LacJet value = lac_jet_value();
  LacJet none = lac_jet(0, NULL, NULL);

  g_assert_cmpuint(value.n_streams, ==, 1);
  g_assert_cmpuint(value.n_directions, ==, 0);
  g_assert_true(lac_jet_equal(&value, &none));
}

static void
largest_jet_fits(void)
{
  unsigned orders[LAC_JET_MAX_DIRECTIONS];
  double   weights[LAC_JET_MAX_DIRECTIONS];
  LacJet   jet;

  for (unsigned d = 0; d < LAC_JET_MAX_DIRECTIONS; d++) {
    orders[d] = 4;
    weights[d] = 1;
  }
  jet = lac_jet(LAC_JET_MAX_DIRECTIONS, orders, weights);
  g_assert_cmpuint(jet.n_streams, ==, 2 + 4 * LAC_JET_MAX_DIRECTIONS);
  g_assert_cmpuint(jet.sum, ==, jet.n_streams - 1);
}

static void
equality_sees_order_and_weight(void)
{
  LacJet a = lac_jet(2, (const unsigned[]){1, 2}, (const double[]){1, 0});
  LacJet same = lac_jet(2, (const unsigned[]){1, 2}, (const double[]){1, 0});
  LacJet order = lac_jet(2, (const unsigned[]){2, 1}, (const double[]){1, 0});
  LacJet weight = lac_jet(2, (const unsigned[]){1, 2}, (const double[]){2, 0});

  g_assert_true(lac_jet_equal(&a, &same));
  g_assert_false(lac_jet_equal(&a, &order));
  g_assert_false(lac_jet_equal(&a, &weight));
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  g_test_add_func("/tensor/jet/streams-follow-the-directions", streams_follow_the_directions);
  g_test_add_func("/tensor/jet/sum-is-the-last-stream", sum_is_the_last_stream);
  g_test_add_func("/tensor/jet/weights-of-zero-ask-for-no-sum", weights_of_zero_ask_for_no_sum);
  g_test_add_func("/tensor/jet/value-alone-has-one-stream", value_alone_has_one_stream);
  g_test_add_func("/tensor/jet/largest-jet-fits", largest_jet_fits);
  g_test_add_func("/tensor/jet/equality-sees-order-and-weight", equality_sees_order_and_weight);
  return g_test_run();
}
