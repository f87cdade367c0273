/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Entries between semicolons, words between blanks. */
#include "experiment/quantum/geometry.h"

#include "base/error.h"

#include <math.h>
#include <string.h>

static gboolean
parse_entry(const char *entry, double unit, LacNucleus *nucleus, GError **error)
{
  g_auto(GStrv) words = g_strsplit_set(entry, " \t,", -1);
  const char   *found[5];
  guint         n = 0;

  for (guint i = 0; words[i]; i++)
    if (*words[i] && n < G_N_ELEMENTS(found))
      found[n++] = words[i];
  if (n != 4) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "geometry: \"%s\" is not an element and three coordinates, as in \"H 0 0 1.4\"",
                entry);
    return FALSE;
  }
  nucleus->charge = lac_element_find(found[0]);
  if (!nucleus->charge) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "geometry: \"%s\" is no element known here; there are H, He, Li, Be, B, C, N, O, "
                "F and Ne",
                found[0]);
    return FALSE;
  }
  for (guint c = 0; c < 3; c++) {
    char        *end;
    const double value = g_ascii_strtod(found[c + 1], &end);

    if (*end != '\0' || !isfinite(value)) {
      g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                  "geometry: \"%s\" in \"%s\" is not a number", found[c + 1], entry);
      return FALSE;
    }
    nucleus->position[c] = value * unit;
  }
  return TRUE;
}

LacNucleus *
lac_geometry_parse(const char *text, double unit, guint *n_nuclei, GError **error)
{
  g_auto(GStrv)     entries = g_strsplit_set(text ? text : "", ";\n", -1);
  g_autoptr(GArray) nuclei = g_array_new(FALSE, FALSE, sizeof(LacNucleus));

  for (guint i = 0; entries[i]; i++) {
    LacNucleus nucleus;

    g_strstrip(entries[i]);
    if (!*entries[i])
      continue;
    if (!parse_entry(entries[i], unit, &nucleus, error))
      return NULL;
    g_array_append_val(nuclei, nucleus);
  }
  if (!nuclei->len) {
    g_set_error(error, LAC_ERROR, LAC_ERROR_OUT_OF_RANGE,
                "geometry is empty; write one nucleus or more, as in \"H 0 0 0; H 0 0 1.4\"");
    return NULL;
  }
  *n_nuclei = nuclei->len;
  return (LacNucleus *) (gpointer) g_array_free(g_steal_pointer(&nuclei), FALSE);
}
