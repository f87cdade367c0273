/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers on the emulated CUDA device compared with the CPU in double precision, with threads in random order. */
#include "emulated.h"

#include "experiment/quantum/sampling/electron-contract.h"

typedef struct {
  const LacContractRow *row;
  LacType               type;
} Case;

/* In double precision with the checks of the strict backend. */
static void
run_case(gconstpointer data)
{
  const Case       *c = data;
  LacContractResult result;
  LacDevice         device;

  if (!(c->type == LAC_F64 ? emulated_open_strict(&device) : emulated_open(&device)))
    return;
  emulated_set_order(EMULATED_RANDOM, 3);
  lac_contract_run(c->row, &device, c->type, &result);
  emulated_set_order(EMULATED_FORWARD, 0);
  lac_device_close(&device);
  if (!result.passed)
    g_error("%s: %s", c->row->name, result.why);
  g_assert_cmpuint(result.n_compared, >, 0);
  g_assert_cmpfloat(result.worst, <=, 1);
}

static void
add_case(const LacContractRow *row, LacType type)
{
  const char      *suffix = row->in_double_alone ? "" : type == LAC_F32 ? "-f32" : "-f64";
  g_autofree char *path = g_strconcat("/quantum/device/", row->name, suffix, NULL);
  Case            *c = g_new(Case, 1); /* must outlive this function */

  *c = (Case){row, type};
  g_test_add_data_func_full(path, c, run_case, g_free);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (const LacContractRow *row = lac_electron_contract_rows; row->name != NULL; row++) {
    add_case(row, LAC_F64);
    if (!row->in_double_alone)
      add_case(row, LAC_F32);
  }
  return g_test_run();
}
