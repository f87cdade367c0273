/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Table of journals, from the publishers' artwork instructions, with their sources. */
#include "report/figure/journal.h"

#include <glib/gi18n-lib.h>

/* Sources of the widths, read in November 2026. */
#define NATURE  "research-figure-guide.nature.com/figures/building-and-exporting-figure-panels"
#define IEEE    "ieeeauthorcenter.ieee.org: Size Requirements for Graphics"
#define AIP     "asastore.aip.org/authors/preparing-graphics"
#define ACS     "pubs.acs.org/paragonplus/submission/general/graphics_prep.html"
#define RSC     "rsc.org/Publishing/ReSourCe/AuthorGuidelines/Illustrations/sect1.asp"
#define PLOS    "journals.plos.org/plosmedicine/s/figures"
#define AANDA   "aanda.org/for-authors/latex-issues/figures"
#define FROM_US LAC_JOURNAL_OWN
#define UNREAD  NULL /* the publisher's page could not be read: commonly quoted values */

/* PLOS accepts any width between 66.8 mm and this. */
static const LacJournal journals[] = {
  {"nature", "Nature", {89, 0, 183}, 170, 7, 0.6, 300, NATURE},
  {"science", "Science", {57, 121, 184}, 235, 7, 0.6, 300, UNREAD},
  {"pnas", "PNAS", {87, 114, 178}, 225, 7, 0.6, 300, UNREAD},
  {"ieee", "IEEE", {88.9, 0, 182}, 216, 8, 0.6, 300, IEEE},
  {"elsevier", "Elsevier", {90, 140, 190}, 240, 7, 0.6, 300, UNREAD},
  {"aps", "APS, Physical Review", {86, 140, 178}, 235, 8, 0.6, 600, UNREAD},
  {"aip", "AIP Publishing", {85, 0, 170}, 211, 8, 0.6, 600, AIP},
  {"acs", "ACS", {82.5, 0, 177.8}, 241, 7, 0.6, 600, ACS},
  {"rsc", "Royal Society of Chemistry", {83, 0, 171}, 233, 7, 0.6, 600, RSC},
  {"springer", "Springer", {84, 0, 174}, 234, 8, 0.6, 300, UNREAD},
  {"plos", "PLOS", {0, 132, 190.5}, 222.3, 8, 0.6, 300, PLOS},
  {"aa", "Astronomy & Astrophysics", {88, 120, 180}, 0, 8, 0.6, 300, AANDA},
  {"slide", N_("Slide, 16:9"), {76, 0, 154}, 80, 9, 0.8, 200, FROM_US},
};

static const char *const words[LAC_N_COLUMNS] = {"single", "one-and-a-half", "double"};

const LacJournal *
lac_journals(gsize *n)
{
  *n = G_N_ELEMENTS(journals);
  return journals;
}

const LacJournal *
lac_journal_find(const char *key)
{
  for (gsize i = 0; key != NULL && i < G_N_ELEMENTS(journals); i++)
    if (g_str_equal(journals[i].key, key))
      return &journals[i];
  return NULL;
}

gboolean
lac_columns_find(const char *word, LacColumns *columns)
{
  for (*columns = 0; *columns < LAC_N_COLUMNS; (*columns)++)
    if (g_strcmp0(words[*columns], word) == 0)
      return TRUE;
  *columns = LAC_COLUMNS_TWO;
  return FALSE;
}

const char *
lac_columns_word(LacColumns columns)
{
  return words[columns];
}
