/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Language of output: reports and figures use the user's language, machine-readable files English. */
#pragma once

#include <glib.h>

#include <locale.h>

G_BEGIN_DECLS

/* Returns: (transfer none): @text translated to the user's language, if the catalogue has it. */
const char *lac_word(const char *text);

/* Returns: (transfer full): the text before the first semicolon (full-width in Chinese), without the explanation
 * after it. */
char *lac_word_dup_short(const char *text);

/* LAC_SPEAK_ENGLISH switches this thread to English texts and C-locale numbers until the end of the block. */
typedef locale_t LacEnglish;
LacEnglish       lac_english_begin(void);
void             lac_english_end(LacEnglish *before);
#define LAC_SPEAK_ENGLISH \
  __attribute__((cleanup(lac_english_end), unused)) LacEnglish english = lac_english_begin()

G_END_DECLS
