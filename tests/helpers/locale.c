/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a test in the locale LACUNA_TEST_LOCALE, without changes to its main(). */
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>

__attribute__((constructor)) static void
take_the_locale(void)
{
  const char *name = getenv("LACUNA_TEST_LOCALE");
  if (name == NULL || setlocale(LC_ALL, name) != NULL)
    return;
  printf("Bail out! the locale %s was not made when this build was configured: the package locales "
         "was missing\n",
         name);
  exit(EXIT_FAILURE);
}
