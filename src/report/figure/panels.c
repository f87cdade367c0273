/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Selection of the panels of a figure. */
#include "field/derived.h"
#include "report/figure/panels-private.h"
#include "report/plot/plot.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define NONE (-1)

/* Input and state of the selection. */
typedef struct {
  LacFigurePanels  *panels;
  const LacRunFile *run;
  const LacFrame   *frame;
  gsize             channel;
  char              letter;
} Choice;

LacPanels
lac_panels_find(const char *word)
{
  for (LacPanels i = 0; word != NULL && i < LAC_N_PANELS; i++)
    if (g_str_equal(lac_panels_word(i), word))
      return i;
  return LAC_PANELS_ALL;
}

gboolean
lac_figure_find_velocity(const LacRunFile *run, gsize of, gsize pair[2])
{
  g_autofree LacChannel *channels = g_new(LacChannel, run->n_channels);

  for (gsize i = 0; i < run->n_channels; i++)
    channels[i] = lac_run_file_get_channel(run, i);
  return lac_velocity_of(channels, run->n_channels, of, pair);
}

gboolean
lac_figure_has_velocity(const LacRunFile *run)
{
  gsize pair[2];

  for (gsize i = 0; i < run->n_channels; i++)
    if (lac_figure_find_velocity(run, i, pair))
      return TRUE;
  return FALSE;
}

/* Returns TRUE when channel @i has the quantity and shape of the chosen one. */
static gboolean
is_alike(const Choice *choice, gsize i)
{
  const LacPlane *a = &choice->frame->planes[i], *b = &choice->frame->planes[choice->channel];

  return a->nx == b->nx && a->ny == b->ny &&
         g_strcmp0(choice->run->channels[i].quantity,
                   choice->run->channels[choice->channel].quantity) == 0;
}

static gboolean
is_source(const Choice *choice, gsize i)
{
  const LacRole role = choice->run->channels[i].role;

  return (role == LAC_ROLE_RECONSTRUCTION || role == LAC_ROLE_BASELINE) && is_alike(choice, i);
}

/* Returns the first true field of the quantity, if it has the same shape and is not the chosen channel; NONE
 * otherwise. */
static gssize
find_truth(const Choice *choice)
{
  const LacRunChannel *channels = choice->run->channels;
  gsize                i = 0;

  while (i < choice->run->n_channels &&
         (channels[i].role != LAC_ROLE_TRUTH ||
          g_strcmp0(channels[i].quantity, channels[choice->channel].quantity) != 0))
    i++;
  return i < choice->run->n_channels && i != choice->channel && is_alike(choice, i) ? (gssize) i
                                                                                    : NONE;
}

static gssize
find_first_source(const Choice *choice)
{
  for (gsize i = 0; i < choice->run->n_channels; i++)
    if (i != choice->channel && is_source(choice, i))
      return (gssize) i;
  return NONE;
}

static const char *
label_of(const Choice *choice, gsize channel)
{
  return lac_word(choice->run->channels[channel].label);
}

static void
add_panel(LacFigurePanels *all, const LacFigurePanel *panel)
{
  all->n_fields += !panel->is_error;
  all->n_columns = MAX(all->n_columns, panel->column + 1);
  all->n_rows = MAX(all->n_rows, panel->row + 1);
  all->panels[all->n_panels++] = *panel;
}

static void
add_field(Choice *choice, gsize channel)
{
  if (choice->panels->n_columns >= LAC_FIGURE_MOST_COLUMNS)
    return;
  const LacFigurePanel panel = {
    .plane = &choice->frame->planes[channel],
    .title = g_strdup(label_of(choice, channel)),
    .source = channel,
    .column = choice->panels->n_columns,
    .is_lowest = TRUE,
  };

  add_panel(choice->panels, &panel);
}

/* @title: (transfer full) */
static void
add_error(LacFigurePanels *all,
          const LacPlane  *field,
          const LacPlane  *truth,
          LacFigurePanel   panel,
          char            *title)
{
  LacPlane *error = &all->errors[all->n_errors++];
  double    low, high;

  *error = *field;
  error->data = g_new(float, truth->nx * truth->ny);
  for (gsize i = 0; i < truth->nx * truth->ny; i++)
    error->data[i] = field->data[i] - truth->data[i];
  lac_scale_of(error, TRUE, &low, &high);
  all->error_high = MAX(all->error_high, high);
  panel.plane = error;
  panel.title = title;
  panel.is_error = panel.is_lowest = TRUE;
  add_panel(all, &panel);
}

/* Adds the error of the field in @column: below it or, for a single field, beside it. */
static void
add_error_of(Choice *choice, gsize column)
{
  LacFigurePanels     *all = choice->panels;
  const gboolean       is_below = all->n_fields > 2;
  const LacFigurePanel panel = {.source = all->panels[column].source,
                                .column = is_below ? column : column + 1,
                                .row = is_below};
  char                *title =
    g_strdup_printf(_("Error, (%c) − (%c)"), choice->letter + (int) column, choice->letter);

  all->panels[column].is_lowest = !is_below;
  add_error(all, all->panels[column].plane, all->panels[0].plane, panel, title);
}

/* Adds a difference in the next column. */
static void
add_difference(Choice *choice, gsize channel, gsize reference)
{
  LacFigurePanels     *all = choice->panels;
  const LacPlane      *planes = choice->frame->planes;
  const LacFigurePanel panel = {.source = channel, .column = all->n_columns};

  if (all->n_columns < LAC_FIGURE_MOST_COLUMNS)
    add_error(all, &planes[channel], &planes[reference], panel,
              g_strdup_printf("%s − %s", label_of(choice, channel), label_of(choice, reference)));
}

static void
choose_all(Choice *choice, gsize truth)
{
  gsize n_fields;

  add_field(choice, truth);
  add_field(choice, choice->channel);
  for (gsize i = 0; i < choice->run->n_channels; i++)
    if (i != choice->channel && is_source(choice, i))
      add_field(choice, i);
  n_fields = choice->panels->n_fields;
  for (gsize i = 1; i < n_fields; i++)
    add_error_of(choice, i);
}

static void
choose_errors(Choice *choice, gsize truth)
{
  add_field(choice, truth);
  for (gsize i = 0; i < choice->run->n_channels; i++)
    if (is_source(choice, i))
      add_difference(choice, i, truth);
}

static void
choose_deviations(Choice *choice)
{
  for (gsize i = 0; i < choice->run->n_channels; i++)
    if (choice->run->channels[i].role == LAC_ROLE_OTHER && is_alike(choice, i))
      add_field(choice, i);
}

/* Selects the panels; falls back to the channel alone where they are not available. */
static void
choose(Choice *choice, LacPanels panels)
{
  const LacRole role = choice->run->channels[choice->channel].role;
  const gssize  truth = role != LAC_ROLE_OTHER ? find_truth(choice) : NONE;
  const gssize  reference =
    truth != NONE || role == LAC_ROLE_OTHER ? truth : find_first_source(choice);

  if (panels == LAC_PANELS_DEVIATION)
    choose_deviations(choice);
  else if (panels == LAC_PANELS_ALL && truth != NONE)
    choose_all(choice, (gsize) truth);
  else if (panels == LAC_PANELS_ERRORS && truth != NONE)
    choose_errors(choice, (gsize) truth);
  else if (panels == LAC_PANELS_DIFFERENCE && reference != NONE)
    add_difference(choice, choice->channel, (gsize) reference);
  else if (panels == LAC_PANELS_PAIR && reference != NONE)
    add_field(choice, (gsize) reference);
  if (choice->panels->n_panels == 0 || (panels == LAC_PANELS_PAIR && reference != NONE))
    add_field(choice, choice->channel);
}

static void
add_velocities(Choice *choice)
{
  for (gsize i = 0; i < choice->panels->n_panels; i++) {
    LacFigurePanel *panel = &choice->panels->panels[i];
    LacVectorPlane  velocity;
    gsize           pair[2];

    if (lac_figure_find_velocity(choice->run, panel->source, pair) &&
        lac_vector_plane_init(&velocity, choice->frame, pair,
                              choice->run->channels[pair[0]].periodic))
      panel->velocity = velocity;
  }
}

void
lac_figure_panels_init(LacFigurePanels      *panels,
                       const LacRunFile     *run,
                       const LacFrame       *frame,
                       const LacFigurePlace *place,
                       char                  letter)
{
  Choice choice = {panels, run, frame, place->channel, letter};

  memset(panels, 0, sizeof *panels);
  choose(&choice, lac_panels_find(place->look != NULL ? place->look->panels : NULL));
  add_velocities(&choice);
}

void
lac_figure_panels_clear(LacFigurePanels *panels)
{
  for (gsize i = 0; i < panels->n_panels; i++)
    g_free(panels->panels[i].title);
  for (gsize i = 0; i < panels->n_errors; i++)
    g_free(panels->errors[i].data);
}
