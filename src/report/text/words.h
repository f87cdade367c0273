/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The language of what is written: reports and figures speak that of the person, files for programs speak English. */
#pragma once

#include <glib.h>

#include <locale.h>

G_BEGIN_DECLS

/* Returns: (transfer none): @text in the language of the person, where the catalogue has it. */
const char *lac_word(const char *text);

/* What stands before its first semicolon, which in Chinese is a wide one; what follows explains. Returns: (transfer full): */
char *lac_word_dup_short(const char *text);

/* From here to the end of the block all words are English, and numbers are those of the C locale; of this thread alone. */
typedef locale_t LacEnglish;
LacEnglish       lac_english_begin(void);
void             lac_english_end(LacEnglish *before);
#define LAC_SPEAK_ENGLISH \
  __attribute__((cleanup(lac_english_end), unused)) LacEnglish english = lac_english_begin()

G_END_DECLS
