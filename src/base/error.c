/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error domain and its exit statuses. */
#include "base/error.h"

G_DEFINE_QUARK(lac_error, lac_error)

int
lac_error_exit_status(const GError *error)
{
  static const int statuses[] = {
#define E(code, status, meaning) [LAC_ERROR_##code] = (status),
    LAC_ERROR_LIST(E)
#undef E
  };

  if (error->domain != LAC_ERROR || error->code < 0 || error->code >= (int) G_N_ELEMENTS(statuses))
    return 1;
  return statuses[error->code];
}
