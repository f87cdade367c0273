/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Walkers on the emulated CUDA device, with threads in random order, and on the strict backend, compared with the CPU in double
 * precision. */
#include "emulated.h"

#include "backend/registry.h"
#include "experiment/quantum/sampling/electron-contract.h"

typedef struct {
  const LacContractRow *row;
  LacType               type;
  gboolean              is_emulated;
} Case;

/* On the emulated device in double precision, also with the checks of the strict backend. */
static gboolean
open_device(const Case *c, LacDevice *device)
{
  if (!c->is_emulated)
    return lac_device_open(device, "strict", NULL);
  return c->type == LAC_F64 ? emulated_open_strict(device) : emulated_open(device);
}

static void
run_case(gconstpointer data)
{
  const Case       *c = data;
  LacContractResult result;
  LacDevice         device;

  if (!open_device(c, &device))
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
add_case(const LacContractRow *row, LacType type, gboolean is_emulated)
{
  const char      *suffix = row->in_double_alone ? "" : type == LAC_F32 ? "-f32" : "-f64";
  g_autofree char *path =
    g_strconcat("/quantum/", is_emulated ? "device" : "strict", "/", row->name, suffix, NULL);
  Case *c = g_new(Case, 1); /* must outlive this function */

  *c = (Case){row, type, is_emulated};
  g_test_add_data_func_full(path, c, run_case, g_free);
}

int
main(int argc, char **argv)
{
  g_test_init(&argc, &argv, NULL);
  for (const LacContractRow *row = lac_electron_contract_rows; row->name != NULL; row++)
    for (gboolean is_emulated = FALSE; is_emulated <= TRUE; is_emulated++) {
      add_case(row, LAC_F64, is_emulated);
      if (!row->in_double_alone)
        add_case(row, LAC_F32, is_emulated);
    }
  return g_test_run();
}
