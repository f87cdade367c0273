/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contracted Gaussians at their nuclei: from a row of a table to normalised functions, and their values. */
#include "base/error.h"
#include "experiment/quantum/hartree-fock/hartree-fock-private.h"

#include <glib/gi18n-lib.h>

#include <math.h>
#include <string.h>

static const struct {
  const char        *name;
  const LacShellRow *rows;
  gsize              n_rows;
} bases[] = {
  {"sto-3g", lac_sto_3g, LAC_STO_3G_ROWS},
  {"6-31g", lac_6_31g, LAC_6_31G_ROWS},
};

/* Norms of the primitives, then of their sum: the overlap of two of them at one centre is N_a N_b (pi/p)^(3/2), times 1/(2p) for p. */
static void
normalise(LacShell *shell)
{
  double sum = 0;

  for (guint i = 0; i < shell->n; i++) {
    double a = shell->exponents[i];

    shell->coefficients[i] *= pow(2 * a / G_PI, 0.75) * (shell->angular ? sqrt(4 * a) : 1);
  }
  for (guint i = 0; i < shell->n; i++)
    for (guint j = 0; j < shell->n; j++) {
      double p = shell->exponents[i] + shell->exponents[j];

      sum += shell->coefficients[i] * shell->coefficients[j] * pow(G_PI / p, 1.5) *
             (shell->angular ? 1 / (2 * p) : 1);
    }
  for (guint i = 0; i < shell->n; i++)
    shell->coefficients[i] /= sqrt(sum);
}

static gboolean
add_nucleus(LacBasis          *basis,
            GArray            *shells,
            const LacShellRow *rows,
            gsize              n_rows,
            const LacNucleus  *nucleus)
{
  guint before = shells->len;

  for (gsize i = 0; i < n_rows; i++) {
    LacShell shell = {.angular = rows[i].angular, .n = rows[i].n, .first = basis->n_functions};

    if (rows[i].charge != nucleus->charge)
      continue;
    memcpy(shell.centre, nucleus->position, sizeof shell.centre);
    memcpy(shell.exponents, rows[i].exponents, sizeof shell.exponents);
    memcpy(shell.coefficients, rows[i].coefficients, sizeof shell.coefficients);
    normalise(&shell);
    g_array_append_val(shells, shell);
    basis->n_functions += 2 * shell.angular + 1;
  }
  return shells->len > before;
}

gboolean
lac_basis_build(LacBasis *basis, const LacMolecule *molecule, const char *name, GError **error)
{
  g_autoptr(GArray) shells = g_array_new(FALSE, FALSE, sizeof(LacShell));
  gsize             which = 0;

  memset(basis, 0, sizeof *basis);
  while (which < G_N_ELEMENTS(bases) && g_ascii_strcasecmp(bases[which].name, name) != 0)
    which++;
  if (which == G_N_ELEMENTS(bases)) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_UNKNOWN_KEY,
                _("There is no basis “%s”: sto-3g and 6-31g are known."), name);
    return FALSE;
  }
  for (guint i = 0; i < molecule->n_nuclei; i++)
    if (!add_nucleus(basis, shells, bases[which].rows, bases[which].n_rows, &molecule->nuclei[i])) {
      g_set_error(
        error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
        _("The basis %s has no functions for a nucleus of charge %u: it covers hydrogen to neon."),
        bases[which].name, molecule->nuclei[i].charge);
      return FALSE;
    }
  basis->n_shells = shells->len;
  basis->shells = (LacShell *) g_array_steal(shells, NULL);
  return TRUE;
}

void
lac_basis_clear(LacBasis *basis)
{
  g_clear_pointer(&basis->shells, g_free);
}

void
lac_basis_values(const LacBasis *basis, const double point[3], double *values)
{
  for (guint s = 0; s < basis->n_shells; s++) {
    const LacShell *shell = &basis->shells[s];
    double          offset[3], square = 0, radial = 0;

    for (guint k = 0; k < 3; k++) {
      offset[k] = point[k] - shell->centre[k];
      square += offset[k] * offset[k];
    }
    for (guint i = 0; i < shell->n; i++)
      radial += shell->coefficients[i] * exp(-shell->exponents[i] * square);
    if (shell->angular == 0) {
      values[shell->first] = radial;
      continue;
    }
    for (guint k = 0; k < 3; k++)
      values[shell->first + k] = radial * offset[k];
  }
}
