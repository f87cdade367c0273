/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names of laboratories, tiers and metrics of the benchmark. */
#include "report/bench/names.h"

#include "report/bench/table.h"

#include <glib/gi18n-lib.h>

#include <string.h>

static const struct {
  const char *metric, *label, *phrase;
} metrics[] = {
  {"step_seconds", N_("Step"), N_("the step")},
  {"forward_seconds", N_("Forward"), N_("the forward pass")},
  {"backward_seconds", N_("Backward"), N_("the backward pass")},
  {"setup_seconds", N_("Set-up"), N_("the set-up")},
  {"all_epochs_seconds", N_("All epochs"), N_("the whole training")},
  {"all_samples_seconds", N_("All samples"), N_("the whole training")},
  {"training_peak_resident_bytes", N_("Peak memory"), N_("the peak memory")},
  {"training_grown_bytes", N_("Memory growth"), N_("the memory growth")},
  {"sensor_selection_seconds", N_("Sensor selection"), N_("the sensor selection")},
  {"sensor_selection_peak_resident_bytes", N_("Peak memory of the sensor selection"),
   N_("the peak memory of the sensor selection")},
  {"sensor_selection_grown_bytes", N_("Memory growth of the sensor selection"),
   N_("the memory growth of the sensor selection")},
  {"pinn.loss", N_("Loss"), N_("the loss")},
  {"pinn.relative_l2", N_("Relative L2 error"), N_("the relative L2 error")},
  {"pinn.residual", N_("Residual"), N_("the residual")},
  {"trained_error", N_("Error after training"), N_("the error after training")},
  {"trained_residual", N_("Residual after training"), N_("the residual after training")},
  {"psnr_db", N_("PSNR"), N_("the PSNR")},
  {"ssim", N_("SSIM"), N_("the SSIM")},
  {"energy_error_millihartree", N_("Energy error"), N_("the energy error")},
  {"energy_error_over_bar", N_("Energy error in standard errors"),
   N_("the energy error in standard errors")},
  {"placement_gain", N_("Gain over random placement"), N_("the gain over random placement")},
  {"prism_speedup", N_("Speed-up of the PRISM workload"), N_("the speed-up of the PRISM workload")},
  {"prism_hit_rate", N_("Cache hits of the PRISM workload"),
   N_("the cache hits of the PRISM workload")},
  {"prism_peak_bytes", N_("Peak memory of the PRISM workload"),
   N_("the peak memory of the PRISM workload")},
  {"prism_psnr_difference_db", N_("PSNR difference of the PRISM workload"),
   N_("the PSNR difference of the PRISM workload")},
  {"cutout_disk_seconds", N_("Bytes of a cut-out"), N_("reading the bytes of a cut-out")},
  {"cutout_decode_seconds", N_("Cut-out into memory"), N_("reading a cut-out into memory")},
  {"cutout_pod_seconds", N_("POD of a cut-out"), N_("the POD of a cut-out")},
  {"cutout_streamed_seconds", N_("Streamed cut-out"), N_("the streamed cut-out")},
  {"streamed_over_disk", N_("Streamed cut-out over disk"),
   N_("the streamed cut-out over the disk")},
  {"projected_cutout_seconds", N_("Whole cut-out, projected"), N_("the projected whole cut-out")},
  {"speedup", N_("Speed-up"), N_("the speed-up")},
  {LAC_GROWTH_METRIC, N_("Exponent of time"), N_("the exponent of time")},
  {"memory_exponent", N_("Exponent of memory"), N_("the exponent of memory")},
  {"time_theory", N_("Exponent of time by theory"), N_("the exponent of time by theory")},
  {"memory_theory", N_("Exponent of memory by theory"), N_("the exponent of memory by theory")},
  {"time_deviation", N_("Error of the exponent of time"), N_("the error of the exponent of time")},
  {"memory_deviation", N_("Error of the exponent of memory"),
   N_("the error of the exponent of memory")},
  {"rate_at_smallest", N_("Rate at the smallest size"), N_("the rate at the smallest size")},
  {"rate_at_largest", N_("Rate at the largest size"), N_("the rate at the largest size")},
};

const char *const lac_bench_laboratory_keys[] = {"flow", "imaging", "quantum", NULL};
const char *const lac_bench_tier_keys[] = {"small", "medium", "large", NULL};

static const struct {
  const char *key, *label;
} words[] = {
  {"flow", N_("Flow")},
  {"imaging", N_("Imaging")},
  {"quantum", N_("Quantum")},
  {"growth", N_("Growth")},
  {"small", N_("small")},
  {"medium", N_("medium")},
  {"large", N_("large")},
  {"step", N_("step")},
  {"cutout", N_("cut-out")},
  {"enkf_analysis", N_("EnKF analysis")},
  {"solver_step", N_("solver step")},
  {"pod", N_("POD")},
  {"qr_placement", N_("QR placement")},
  {"pinn_step", N_("PINN step")},
  {"raar_step", N_("RAAR step")},
  {"pie_sweep", N_("PIE sweep")},
  {"forward_laplacian", N_("forward Laplacian")},
  {"gram_matrix", N_("Gram matrix")},
  {"trace_json", N_("JSON trace")},
  {"trace_perfetto", N_("Perfetto trace")},
  {"fft_plans", N_("FFT plans")},
  {"imaging_fft_plans", N_("imaging FFT plans")},
  {"sensor_selection", N_("sensor selection")},
  {"sensor_selection_uv", N_("sensor selection, two components")},
};

/* Returns the key as words: a key of a later version, or of a benchmark that writes its own file. */
static char *
dup_words(const char *key)
{
  g_autofree char *text = g_strdup(key);

  for (gsize i = 0; i < 2; i++) {
    static const char *const units[] = {"_seconds", "_bytes"};

    if (g_str_has_suffix(text, units[i]))
      text[strlen(text) - strlen(units[i])] = '\0';
  }
  return g_strdelimit(g_steal_pointer(&text), "_", ' ');
}

char *
lac_bench_dup_metric(const char *metric)
{
  for (gsize i = 0; i < G_N_ELEMENTS(metrics); i++)
    if (g_str_equal(metrics[i].metric, metric))
      return g_strdup(_(metrics[i].label));
  return dup_words(metric);
}

char *
lac_bench_dup_metric_phrase(const char *metric)
{
  for (gsize i = 0; i < G_N_ELEMENTS(metrics); i++)
    if (g_str_equal(metrics[i].metric, metric))
      return g_strdup(_(metrics[i].phrase));
  return dup_words(metric);
}

static char *
dup_part(const char *name, guint part)
{
  g_auto(GStrv) parts = g_strsplit(name, "/", 3);

  if (part >= g_strv_length(parts))
    return g_strdup("");
  for (gsize i = 0; i < G_N_ELEMENTS(words); i++)
    if (g_str_equal(words[i].key, parts[part]))
      return g_strdup(_(words[i].label));
  return dup_words(parts[part]);
}

char *
lac_bench_dup_laboratory(const char *name)
{
  return dup_part(name, 0);
}

char *
lac_bench_dup_tier(const char *name)
{
  return dup_part(name, 1);
}

char *
lac_bench_dup_item(const char *name)
{
  return dup_part(name, 2);
}
