/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of settings, and their application to a draft: every experiment of the registry needs a row of small
 * settings. */
#include "experiment-settings.h"

#define SMALL_IMAGING                                                                       \
  "grid=32 size=16 diameter=8 roi=16 apertures=7 snr=40 stop_at_noise=no calibrate_from=2 " \
  "judge=100000 pie_sweeps=6 raar_iterations=8 dm_iterations=7"

/* Settings for every molecule. The width is at least the electrons of one spin, seven in N2: with fewer features than
 * electrons around one nucleus psi is zero everywhere until trained, and its energies are only rounding. */
#define SMALL_QUANTUM                                                                      \
  "layers=1 width=8 pair_width=2 determinants=1 walkers=8 moves=2 burn_in=2 iterations=8 " \
  "evaluation=8 evaluation_moves=2 picture=16 volume=8 pretraining=2"

const ExperimentSettings small_settings[] = {
  {"conductivity",
   "grid=16 family=4 interval=0.02 observations=6 sensors=4 iterations=7 members=6"},
  {"kolmogorov",
   "grid=16 reynolds=20 forcing=2 snapshots=30 observations=12 members=8 start_members=12 "
   "start_times=5 lag=3 sensors=4 spin_up=1 "
   "surrogate_steps=8 surrogate_width=6 engines=enkf,pod,pinn,solver,surrogate "
   "viscosity_unknown=yes points=64 pool=3 width=6 depth=2 "
   "adam_steps=8 quasi_steps=6 refresh=5 watch=5 ensemble=2 held_out=25 term_weights=gradient "
   "balance_every=4 point_weights=rba causal=1 weigh_every=3 sampling=latin seek=both window=5 "
   "iterations=6"},
  {"burgers", "points=200 width=8 depth=2 adam_steps=10 quasi_steps=15 refresh=7 judge=3 "
              "learn_scaling=yes last_layer=yes "
              "sampling=sobol rule=rar first=soap anneal=yes "
              "fourier=axes harmonics=3 rwf=yes identify=yes sensors=5 every=20 term_weights=ntk "
              "balance_every=6 watch=4"},
  {"cylinder",
   "reynolds=50 diameter=8 breadth=6 upstream=3 to=3 half_height=1 snapshots=20 observations=8 "
   "interval=0.4 spin_up=1 sensors=4"},
  {"burgers2d", "grid=12 times=6 family=2 sensors=4 engines=enkf,pod,solver members=6 iterations=4 "
                "viscosity_unknown=yes"},
  {"taylor-green",
   "grid=12 times=6 family=4 sensors=4 members=6 engines=enkf,pinn,pod points=64 width=6 depth=2 "
   "adam_steps=6 quasi_steps=6 ensemble=2"},
  {"kovasznay",
   "grid=12 family=6 sensors=4 points=64 width=6 depth=2 adam_steps=6 quasi_steps=6 ensemble=2 "
   "engines=pod,pinn"},
  {"poiseuille",
   "grid=9 family=4 sensors=4 points=64 width=6 depth=2 adam_steps=6 quasi_steps=6 ensemble=2 "
   "engines=pod,pinn"},
  {"heat1d", "grid=17 times=6 family=4 sensors=3 points=64 width=6 depth=2 adam_steps=6 "
             "quasi_steps=6 ensemble=2 "
             "engines=pod,pinn,solver,enkf members=6 iterations=4 diffusivity_unknown=yes"},
  {"heat2d", "grid=12 times=6 family=4 sensors=4 engines=enkf,pod,solver members=6 iterations=4"},
  {"advection", "grid=32 times=6 family=4 sensors=4 engines=enkf,pod,surrogate members=6 "
                "surrogate_steps=8 surrogate_width=6 surrogate_optimiser=adam"},
  {"kdv", "grid=32 times=8 family=2 sensors=3 members=6 iterations=4 engines=enkf,pod,solver"},
  /* an even solution: of two mirrored positions, rounding alone would choose one */
  {"allen-cahn", "grid=32 times=8 family=2 sensors=3 members=6 engines=enkf,pod"},
  {"kuramoto-sivashinsky",
   "grid=48 spin_up=5 training=20 observations=8 sensors=3 members=6 engines=enkf,pod"},
  {"lorenz96", "variables=12 spin_up=2 training=30 observations=8 sensors=6 members=6 "
               "engines=enkf,ienks,pod,solver iterations=4 forcing_unknown=yes analysis=letkf "
               "ienks_members=7 ienks_lag=2"},
  {"smoke", "grid=16 viscosity=0.1 diffusivity=0.1 radius=0.8 observations=12 family=3 members=8 "
            "sensors=4 engines=enkf,pod,solver iterations=6"},
  {"decaying-turbulence", "grid=24 observations=8 family=3 members=8 sensors=4 "
                          "engines=enkf,pod,solver iterations=6 viscosity_unknown=yes"},
  {"cavity", "grid=16 points=64 condition_points=16 pool=3 width=6 depth=2 adam_steps=8 "
             "quasi_steps=6 refresh=5 sensors=2 ensemble=2"},
  {"obstacles", "cells=4 viscosity=10 points=64 condition_points=16 pool=3 width=6 depth=2 "
                "adam_steps=8 quasi_steps=6 refresh=5 sensors=4 ensemble=2"},
  {"channel-slice", "grid=12 times=4 points=64 pool=3 width=6 depth=2 adam_steps=8 quasi_steps=6 "
                    "refresh=5 sensors=4 ensemble=2"},
  {"recorded", "observations=8 sensors=4"},
  {"vorticity", "grid=12 times=4 points=64 pool=3 width=6 depth=2 adam_steps=8 quasi_steps=6 "
                "refresh=5 sensors=4 ensemble=2"},
  {"moon", SMALL_IMAGING " pattern=random"},
  {"usaf", SMALL_IMAGING " read_noise=0.01 bad_pixels=5 solver=pie,raar,dm aberrations=3"},
  {"siemens", SMALL_IMAGING " shape=obscured line_length=4 line_angle=30"},
  {"edge", SMALL_IMAGING " align=shift"},
  {"phantom", SMALL_IMAGING " unit=intensity shape=hexagon outline=disc"},
  {"points", SMALL_IMAGING " is_real=no phase=relief position_error=1"},
  {"europa", SMALL_IMAGING " solver=decoder decoder_steps=3 decoder_finish=1 decoder_retry_steps=2 "
                           "decoder_together=3 decoder_replays=2 decoder_latent=8"},
  {"titan", SMALL_IMAGING " solver=ml,rpie ml_iterations=5 rpie_sweeps=4"},
  {"betelgeuse", SMALL_IMAGING
   " is_real=no phase=relief solver=decoder decoder_start=circle decoder_start_steps=3 "
   "decoder_loss=composite decoder_steps=3 decoder_finish=1 decoder_retry_steps=2 "
   "decoder_together=3 decoder_latent=8"},
  {"neptune", SMALL_IMAGING},
  {"picture", SMALL_IMAGING " judge_by=exposures"},
  {"h", SMALL_QUANTUM},
  {"he", SMALL_QUANTUM " optimizer=kfac"},
  {"li", SMALL_QUANTUM " optimizer=adam"},
  {"be", SMALL_QUANTUM " proposal=langevin"},
  {"b", SMALL_QUANTUM " proposal=harmonic"},
  {"c", SMALL_QUANTUM " exchange=20 layers=2"},
  {"n", SMALL_QUANTUM " full_determinant=no jastrow=no"},
  {"o", SMALL_QUANTUM " rescale=yes"},
  {"f", SMALL_QUANTUM},
  {"ne", SMALL_QUANTUM},
  {"h2", SMALL_QUANTUM " determinants=2 layers=2"},
  {"lih", SMALL_QUANTUM " basis=6-31g"},
  {"li2", SMALL_QUANTUM},
  {"n2", SMALL_QUANTUM},
  {"co", SMALL_QUANTUM},
  {"h4", SMALL_QUANTUM},
  {"h10", SMALL_QUANTUM},
  {"h2o", SMALL_QUANTUM},
  {"ch4", SMALL_QUANTUM},
  {"nh3", SMALL_QUANTUM},
  {"molecule", SMALL_QUANTUM " charge=1"},
  {NULL},
};

const ExperimentSettings refused_settings[] = {
  {"conductivity", "grid=17", "odd"},
  {"conductivity", "interval=0.003", "multiple of time_step"},
  {"kolmogorov", "grid=17", "odd"},
  {"cavity", "sensors=0 judge_by=sensors", "needs some"},
  {"kolmogorov", "grid=16 forcing=2 sensors=257", "256 points"},
  {"kolmogorov", "grid=16 forcing=6", "not resolved"},
  {"kolmogorov", "time_step=0.02 interval=0.25", "multiple of time_step"},
  {"kolmogorov", "time_step=0.1 interval=0.01", "multiple of time_step"},
  {"kolmogorov", "snapshots=100 observations=41", "40 snapshots"},
  {"kolmogorov", "engines=pinn adam_steps=0 quasi_steps=0", "at least one"},
  {"kolmogorov", "engines=pinn width=128 depth=12", "at most 20000"},
  {"kolmogorov", "engines=pinn point_weights=sa", "set rule = fixed"},
  {"kolmogorov", "engines=pinn held_out=20", "ensemble to 2"},
  {"kolmogorov", "engines=pinn anneal=yes harmonics=0", "raise harmonics"},
  {"burgers", "adam_steps=0 quasi_steps=0", "at least one"},
  {"burgers", "width=128 depth=12", "at most 20000"},
  {"burgers", "identify=yes sensors=0", "found from measurements"},
  {"cylinder", "to=1", "half a diameter"},
  {"cylinder", "upstream=3 from=-3", "behind the inflow"},
  {"cylinder", "half_height=6", "does not fit"},
  {"cylinder", "observations=101", "100 snapshots"},
  {"smoke", "grid=17", "odd"},
  {"kuramoto-sivashinsky", "length=60", "does not resolve"},
  {"advection", "grid=24", "does not resolve"},
  {"taylor-green", "grid=17", "odd"},
  {"poiseuille", "drive=0", "nothing flows"},
  {"poiseuille", "drive=0 wall_speed=1 family=0 viscosity_unknown=yes", "needs a drive"},
  {"poiseuille", "drive=0 wall_speed=1", "needs a drive"},
  {"smoke", "time_step=0.02 interval=0.05", "multiple of time_step"},
  {"usaf", "grid=33", "even number"},
  {"usaf", "size=129", "to the whole grid"},
  {"usaf", "sensor_positions=200,0", "outside of the grid"},
  {"usaf", "low=1", "must be below high"},
  {"usaf", "solver=decoder decoder_loss=composite decoder_weight_l1=0.2", "add up to 0.5"},
  {"usaf", "phase=relief", "is_real = no"},
  {"usaf", "is_real=no phase=picture", "set phase_picture"},
  {"europa", "size=0 k_pixel=1e-9", "smaller than a pixel"},
  {"molecule", "geometry=H", "three coordinates"},
  {"molecule", "charge=7", "electron"},
  {"h2", "unpaired=1", "unpaired"},
  {"h2", "charge=-4", "electron"},
  {"h2", "volume=1", "too coarse"},
  {"n2", "width=6", "use width = 7 or more"},
  {"n", "width=4", "5 electrons of one spin"},
  {"n2", "walkers=8192 width=512 determinants=64 layers=8 pair_width=64", "GB"},
  {NULL},
};

const ExperimentSettings accepted_settings[] = {
  {"kolmogorov", "snapshots=100 observations=40"},
  {"kolmogorov", "grid=16 forcing=5 sensors=256"},
  {"kolmogorov", "engines=pinn width=128 depth=12 quasi=lbfgs"},
  {"kolmogorov", "engines=pinn point_weights=sa rule=fixed"},
  {"burgers", "width=128 depth=12 quasi=lbfgs"},
  {"burgers", "width=128 depth=12 quasi_steps=0"},
  {"cylinder", "from=-1 half_height=5.5"},
  {"h2", "charge=1"},
  {"n2", "width=7"},
  {"he", "unpaired=2"},
  {NULL},
};

void
apply_settings(LacDraft *draft, const char *settings)
{
  g_auto(GStrv) pairs = g_strsplit(settings, " ", -1);

  for (gsize i = 0; pairs[i]; i++) {
    g_auto(GStrv)     pair = g_strsplit(pairs[i], "=", 2);
    g_autoptr(GError) error = NULL;

    lac_draft_set(draft, pair[0], pair[1], &error);
    g_assert_no_error(error);
  }
}
