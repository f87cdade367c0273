/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Error domain and exit status of each error code. */
#include "base/error.h"

G_DEFINE_QUARK(lac_error, lac_error)

int
lac_error_exit_status(const GError *error)
{
  if (error == NULL || error->domain != LAC_ERROR)
    return 1;
  switch ((LacError) error->code) {
#define E(code, status, meaning) \
  case LAC_ERROR_##code: return status;
    LAC_ERROR_LIST(E)
#undef E
  }
  return 1;
}

gboolean
lac_refuse(GError **error, LacError code, const char *format, ...)
{
  va_list arguments;

  va_start(arguments, format);
  g_autofree char *sentence = g_strdup_vprintf(format, arguments);
  va_end(arguments);
  g_set_error_literal(error, LAC_ERROR, (int) code, sentence);
  return FALSE;
}
