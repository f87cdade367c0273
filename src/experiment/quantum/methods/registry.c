/* SPDX-License-Identifier: GPL-3.0-or-later */
/* List of methods. */
#include "experiment/quantum/methods/energy-method.h"

extern const LacEnergyMethod lac_energy_method_spring;
extern const LacEnergyMethod lac_energy_method_kfac;
extern const LacEnergyMethod lac_energy_method_adam;

static const LacEnergyMethod *const methods[] = {
  &lac_energy_method_spring,
  &lac_energy_method_kfac,
  &lac_energy_method_adam,
};

const LacEnergyMethod *const *
lac_energy_methods(gsize *n_methods)
{
  *n_methods = G_N_ELEMENTS(methods);
  return methods;
}
