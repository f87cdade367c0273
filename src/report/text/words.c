/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The locale of a thread selects the message catalogue; the C locale has none. */
#define _POSIX_C_SOURCE 200809L
#include "report/text/words.h"

#include "field/composed-label.h"

#include <string.h>

const char *
lac_word(const char *text)
{
  g_return_val_if_fail(text != NULL, "");
  return lac_label_translate(text);
}

char *
lac_word_dup_short(const char *text)
{
  const char *word = lac_word(text);
  const char *wide = strstr(word, "；");
  const gsize plain = strcspn(word, ";");

  return g_strndup(word, wide != NULL ? MIN(plain, (gsize) (wide - word)) : plain);
}

LacEnglish
lac_english_begin(void)
{
  static locale_t c;
  static gsize    is_made = 0;
  if (g_once_init_enter(&is_made)) {
    c = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
    g_once_init_leave(&is_made, 1);
  }
  return c != (locale_t) 0 ? uselocale(c) : (locale_t) 0;
}

void
lac_english_end(LacEnglish *before)
{
  if (*before != (locale_t) 0)
    uselocale(*before);
}
