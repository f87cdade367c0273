/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Outline of a quantum run: its channels and metrics. */
#include "experiment/quantum/laboratory/laboratory-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>

#define HARTREE        "Ha"
#define STANDARD_ERROR "energy_standard_error_hartree" /* key of the metric */

/* Optimisation steps below which no drift is reported. */
enum { LEAST_TRAIL = 8 };

static gsize
add(GArray *metrics, LacMetric metric)
{
  g_array_append_val(metrics, metric);
  return metrics->len - 1;
}

/* Adds the rows of the known energies: Hartree-Fock at the basis-set limit, if tabulated, and the reference.
 * @energy: placed relative to @zero in units of @scale */
static void
place_baselines(LacMetricPlacing     *placing,
                double                hartree_fock,
                const LacKnownEnergy *known,
                double                zero,
                double                scale)
{
  gsize n = 0;

  if (isfinite(hartree_fock)) {
    placing->baselines[n].label = N_("Hartree-Fock");
    placing->baselines[n++].value = scale * (hartree_fock - zero);
  }
  if (known) {
    placing->baselines[n].label = N_("Reference");
    placing->baselines[n].value = scale * (known->energy - zero);
  }
}

/* @known: (nullable); @hartree_fock: NaN: not tabulated */
static void
add_energies(GArray               *metrics,
             const LacKnownEnergy *known,
             double                hartree_fock,
             LacQuantumIndices    *indices)
{
  LacMetricPlacing energy = {LAC_COLUMN_MAIN, .method = N_("Neural wavefunction")};
  LacMetricPlacing off = {LAC_COLUMN_MAIN, LAC_RANK_LEAST, .heading = N_("Above reference"),
                          .standard_error = STANDARD_ERROR};

  place_baselines(&energy, hartree_fock, known, 0, 1);
  place_baselines(&off, hartree_fock, known, known ? known->energy : 0, 1e3);
  indices->energy = add(metrics, (LacMetric){"energy_hartree", N_("Energy"), HARTREE, FALSE, TRUE,
                                             known != NULL, known ? known->energy : 0, energy});
  indices->error = add(
    metrics, (LacMetric){STANDARD_ERROR, N_("Standard error of the energy"), HARTREE, TRUE, TRUE});
  indices->off =
    !known ? 0
           : add(metrics, (LacMetric){"energy_error_millihartree", N_("Energy above the reference"),
                                      "mHa", FALSE, TRUE, TRUE, 0, off});
  indices->error_of_error =
    add(metrics, (LacMetric){"energy_error_uncertainty_hartree",
                             N_("Uncertainty of the standard error"), HARTREE, TRUE, TRUE});
  indices->variance =
    add(metrics,
        (LacMetric){"variance_hartree2", N_("Variance of the local energy; 0 for an exact psi"),
                    "Ha²", TRUE, TRUE, .placing = {LAC_COLUMN_MAIN, .heading = N_("Variance")}});
  indices->low = add(
    metrics, (LacMetric){"local_energy_low_hartree", N_("Local energy, 5th percentile"), HARTREE});
  indices->high = add(metrics, (LacMetric){"local_energy_high_hartree",
                                           N_("Local energy, 95th percentile"), HARTREE});
}

static void
add_parts(GArray *metrics, LacQuantumIndices *indices)
{
  indices->virial =
    add(metrics, (LacMetric){"virial_ratio", N_("Virial ratio; 2 for atoms and molecules at rest"),
                             "1", FALSE, TRUE, TRUE, 2});
  indices->virial_error =
    add(metrics, (LacMetric){"virial_ratio_standard_error",
                             N_("Standard error of the virial ratio"), "1", TRUE, TRUE});
  indices->kinetic =
    add(metrics, (LacMetric){"kinetic_hartree", N_("Kinetic energy"), HARTREE, FALSE, TRUE});
  indices->attraction =
    add(metrics,
        (LacMetric){"attraction_hartree", N_("Attraction by the nuclei"), HARTREE, FALSE, TRUE});
  indices->repulsion =
    add(metrics,
        (LacMetric){"repulsion_hartree", N_("Repulsion among electrons"), HARTREE, FALSE, TRUE});
}

/* Returns TRUE when all distances scale with one named bond length. */
static gboolean
has_bond(const LacKnownMolecule *known)
{
  return known && known->bond > 0;
}

static void
add_observables(GArray                 *metrics,
                const LacMolecule      *molecule,
                const LacKnownMolecule *known,
                const LacQuantumParams *params,
                const LacKnownEnergy   *energy,
                LacQuantumIndices      *indices)
{
  const gboolean has_slope = energy && isfinite(energy->slope);
  double         centre[3];

  if (!known || known->n_nuclei > 1) {
    indices->dipole =
      add(metrics, (LacMetric){"dipole_debye", N_("Dipole moment"), "D", FALSE, TRUE});
    indices->dipole_error =
      add(metrics, (LacMetric){"dipole_standard_error_debye",
                               N_("Standard error of the dipole moment"), "D", TRUE, TRUE});
  }
  if (indices->dipole && params->symmetry && lac_dipole_find_forbidden(molecule, centre))
    indices->forbidden =
      add(metrics, (LacMetric){"forbidden_dipole_over_error",
                               N_("Dipole moment forbidden by symmetry, over its standard error"),
                               "1", FALSE, TRUE, TRUE, 0});
  if (has_bond(known)) {
    indices->stretch =
      add(metrics, (LacMetric){"stretch_force_hartree_per_bohr", N_("Force along the bond"),
                               "Ha/bohr", FALSE, TRUE, has_slope, has_slope ? -energy->slope : 0});
    indices->stretch_error =
      add(metrics, (LacMetric){"stretch_force_standard_error_hartree_per_bohr",
                               N_("Standard error of the force"), "Ha/bohr", TRUE, TRUE});
  }
  if (params->spin_squared) {
    indices->spin =
      add(metrics, (LacMetric){"spin_squared", N_("Total spin S²"), "1", FALSE, TRUE});
    indices->spin_error = add(metrics, (LacMetric){"spin_squared_standard_error",
                                                   N_("Standard error of S²"), "1", TRUE, TRUE});
  }
  if (params->spin_squared && params->symmetry)
    indices->excess =
      add(metrics, (LacMetric){"spin_squared_excess_over_error",
                               N_("S² above that of the spin, over its standard error"), "1", FALSE,
                               TRUE, TRUE, 0});
}

static void
add_space(GArray                 *metrics,
          const LacMolecule      *molecule,
          const LacQuantumParams *params,
          LacQuantumIndices      *indices)
{
  if (params->volume > 0)
    indices->inside =
      add(metrics, (LacMetric){"electrons_in_volume", N_("Electrons inside the 3D density grid"),
                               "1", FALSE, TRUE, TRUE, lac_molecule_get_n_electrons(molecule)});
  if (molecule->n_up == 0 || molecule->n_down == 0)
    return;
  indices->cusp =
    add(metrics, (LacMetric){"pair_cusp_per_bohr",
                             N_("Electron-electron cusp, unlike spins; 1 for an exact psi"),
                             "1/bohr", FALSE, TRUE, TRUE, 1});
  indices->cusp_error =
    add(metrics, (LacMetric){"pair_cusp_standard_error_per_bohr", N_("Standard error of the cusp"),
                             "1/bohr", TRUE, TRUE});
}

static void
add_sampling(GArray *metrics, const LacQuantumParams *params, LacQuantumIndices *indices)
{
  indices->acceptance =
    add(metrics, (LacMetric){"acceptance", N_("Acceptance rate"), "1", FALSE, TRUE});
  indices->width =
    add(metrics, (LacMetric){"move_width_bohr", N_("Move width"), "bohr", FALSE, TRUE});
  indices->correlation =
    add(metrics, (LacMetric){"correlation_steps", N_("Autocorrelation time"), "1", FALSE, TRUE});
  indices->dropped =
    add(metrics, (LacMetric){"dropped_walkers", N_("Walkers dropped (NaN)"), "1", FALSE, TRUE});
  if (params->iterations >= LEAST_TRAIL)
    indices->drift =
      add(metrics, (LacMetric){"drift_over_error", N_("Energy drift over its standard error"), "1",
                               FALSE, TRUE, TRUE, 0});
  if (params->iterations >= LEAST_TRAIL && params->settling) {
    indices->settling =
      add(metrics, (LacMetric){"drift_millihartree", N_("Energy drift at the end"), "mHa", FALSE,
                               TRUE, TRUE, 0});
    add(metrics, (LacMetric){"drift_resolution_millihartree", N_("Resolution of the energy drift"),
                             "mHa", FALSE, TRUE});
    add(metrics, (LacMetric){"settled_within_millihartree", N_("Energy settled to within"), "mHa",
                             FALSE, TRUE});
  }
  if (params->pretraining > 0)
    indices->pretraining =
      add(metrics, (LacMetric){"pretraining_loss", N_("Distance from the Hartree-Fock orbitals"),
                               "1", TRUE, FALSE});
}

/* Returns the molecule of the settings, or hydrogen as a stand-in for an invalid one. */
static LacMolecule *
shown_molecule(const LacExperiment *self, const LacQuantumParams *params)
{
  const LacNucleus nucleus = {.charge = 1};
  LacMolecule     *molecule = lac_quantum_molecule(self->data, params, NULL);

  return molecule ? molecule : lac_molecule_new("H", 1, &nucleus, 1, 0);
}

/* Returns the Hartree-Fock energy of a known molecule, which is tabulated at one bond length only; NaN: unknown. */
static double
find_hartree_fock(const LacKnownMolecule *known, const LacQuantumParams *params)
{
  if (has_bond(known) && fabs(params->bond_length - known->bond) > 1e-9)
    return NAN;
  return known->hartree_fock;
}

static GArray *
make_metrics(const LacExperiment *self, const LacQuantumParams *params, LacQuantumIndices *indices)
{
  GArray                *metrics = g_array_new(FALSE, FALSE, sizeof(LacMetric));
  g_autoptr(LacMolecule) molecule = shown_molecule(self, params);
  LacKnownEnergy         energy;
  const gboolean         is_known = lac_quantum_known_energy(self->data, params, &energy);

  *indices = (LacQuantumIndices){0};
  add_energies(metrics, is_known ? &energy : NULL,
               is_known ? find_hartree_fock(self->data, params) : (double) NAN, indices);
  add_parts(metrics, indices);
  add_observables(metrics, molecule, self->data, params, is_known ? &energy : NULL, indices);
  add_space(metrics, molecule, params, indices);
  add_sampling(metrics, params, indices);
  return metrics;
}

gsize
lac_quantum_find_indices(const LacExperiment *self,
                         gconstpointer        params,
                         LacQuantumIndices   *indices)
{
  g_autoptr(GArray) metrics = make_metrics(self, params, indices);

  return metrics->len;
}

static LacChannel
density_channel(const LacPictureAxes *axes)
{
  static const char *const names[] = {"x", "y", "z"};

  return (LacChannel){
    .key = "density",
    .label = N_("Projected electron density, decimal logarithm"),
    .unit = "log₁₀ 1/bohr²",
    .quantity = "density",
    .role = LAC_ROLE_RECONSTRUCTION,
    .colour_map = "ember",
    .axis_x = names[axes->across],
    .axis_y = names[axes->up],
    .axis_unit_x = "bohr",
    .axis_unit_y = "bohr",
  };
}

static LacChannel
spin_channel(const LacPictureAxes *axes)
{
  LacChannel channel = density_channel(axes);

  channel.key = channel.quantity = "spin_density";
  channel.label = N_("Spin up minus spin down");
  channel.unit = "1/bohr²";
  channel.colour_map = "balance";
  return channel;
}

static LacChannel
energy_channel(void)
{
  return (LacChannel){
    .key = "local_energy",
    .label = N_("Distribution of the local energy over the run"),
    .unit = "1",
    .quantity = "local_energy",
    .role = LAC_ROLE_RECONSTRUCTION,
    .colour_map = "ember",
    .axis_x = "step",
    .axis_y = "local energy",
    .axis_unit_x = "1",
    .axis_unit_y = HARTREE,
    .without_markers = TRUE,
  };
}

static LacChannel
volume_channel(const LacDensityGrid *grid)
{
  return (LacChannel){
    .key = "density_volume",
    .label = N_("3D electron density"),
    .unit = "1/bohr³",
    .quantity = "density_volume",
    .role = LAC_ROLE_RECONSTRUCTION,
    .colour_map = "ember",
    .axis_x = "x",
    .axis_y = "y",
    .axis_unit_x = "bohr",
    .axis_unit_y = "bohr",
    .without_markers = TRUE,
    .layers = {.n = grid->n[2],
               .low = grid->first[2],
               .high = grid->first[2] + grid->spacing * (double) (grid->n[2] - 1)},
  };
}

void
lac_quantum_outline(const LacExperiment *self, gconstpointer values, LacOutline *outline)
{
  const LacQuantumParams *params = values;
  LacMolecule            *molecule = shown_molecule(self, params);
  const LacPictureAxes    axes = lac_picture_axes(molecule);
  LacQuantumIndices       indices;
  GArray                 *metrics = make_metrics(self, params, &indices);
  const LacQuantumPlanes  planes = lac_quantum_find_planes(molecule, params);
  LacKnownEnergy          energy;
  const gboolean          is_known = lac_quantum_known_energy(self->data, params, &energy);

  outline->n_channels = planes.n;
  outline->channels = g_new0(LacChannel, outline->n_channels);
  outline->channels[LAC_PLANE_DENSITY] = density_channel(&axes);
  outline->channels[LAC_PLANE_SPIN] = spin_channel(&axes);
  outline->channels[LAC_PLANE_ENERGY] = energy_channel();
  lac_quantum_outline_charts(molecule, is_known ? &energy : NULL, outline->channels);
  if (planes.volume) {
    const LacDensityGrid grid = lac_quantum_grid(molecule, params);

    outline->channels[planes.volume] = volume_channel(&grid);
  }
  outline->n_metrics = metrics->len;
  outline->metrics = (LacMetric *) (gpointer) g_array_free(metrics, FALSE);
  outline->molecule = molecule;
}
