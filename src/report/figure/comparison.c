/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Figure of several runs: one channel of each, with a common scale for fields of one shape, and a common curve. */
#include "field/frame.h"
#include "report/canvas/canvas.h"
#include "report/canvas/palette.h"
#include "report/figure/figure-private.h"
#include "report/text/words.h"

#include <glib/gi18n-lib.h>

#include <string.h>

#define GAP  1.2                              /* between parts, relative to the font size */
#define MOST (3 * (LAC_FIGURE_MOST_RUNS + 1)) /* channels shown, and their velocities */

/* Runs merged into one: the true field, then each run's field, then the velocities. Borrows all but its labels. */
typedef struct {
  LacRunFile    run;
  LacRunChannel channels[MOST];
  LacFrame      frame;
  LacPlane      planes[MOST];
  char         *labels[MOST];
  gsize         n, shown; /* number of channels; the first after the true field */
} Joint;

static const LacPlane *
get_plane(const LacFigureScene *scene, gsize r)
{
  return &scene->frames[r]->planes[scene->channels[r]];
}

static const LacRunChannel *
get_channel(const LacFigureScene *scene, gsize r)
{
  return &scene->runs[r]->channels[scene->channels[r]];
}

/* Returns TRUE when all fields have one shape and can be subtracted. */
static gboolean
can_be_joined(const LacFigureScene *scene)
{
  const LacPlane *first = get_plane(scene, 0);

  for (gsize r = 0; r < scene->n_runs; r++) {
    const LacRunChannel *channel = get_channel(scene, r);
    const LacPlane      *plane = get_plane(scene, r);

    if (channel->layers.n > 0 || channel->chart.n > 0 || plane->nx != first->nx ||
        plane->ny != first->ny)
      return FALSE;
  }
  return TRUE;
}

static void
add_plane(Joint               *joint,
          const LacRunChannel *channel,
          const LacPlane      *plane,
          LacRole              role,
          char                *label)
{
  joint->labels[joint->n] = label;
  joint->channels[joint->n] = *channel;
  joint->channels[joint->n].label = label;
  joint->channels[joint->n].role = role;
  joint->planes[joint->n++] = *plane;
}

static gssize
find_truth(const LacFigureScene *scene)
{
  const LacRunFile    *run = scene->runs[0];
  const LacRunChannel *shown = get_channel(scene, 0);
  const LacPanels      panels = lac_panels_find(scene->spec->look.panels);

  if (panels == LAC_PANELS_PAIR || panels == LAC_PANELS_DIFFERENCE) /* panels of the runs only */
    return -1;
  for (gsize i = 0; i < run->n_channels; i++)
    if (run->channels[i].role == LAC_ROLE_TRUTH && i != scene->channels[0] &&
        g_strcmp0(run->channels[i].quantity, shown->quantity) == 0 &&
        scene->frames[0]->planes[i].nx == get_plane(scene, 0)->nx &&
        scene->frames[0]->planes[i].ny == get_plane(scene, 0)->ny)
      return (gssize) i;
  return -1;
}

/* Adds the velocity belonging to channel @of of run @r, to be drawn over channel @shown of @joint. */
static void
add_velocity(Joint *joint, const LacFigureScene *scene, gsize r, gsize of, gsize shown)
{
  const LacRunFile *run = scene->runs[r];
  gsize             pair[2];

  if (!lac_figure_find_velocity(run, of, pair))
    return;
  for (gsize i = 0; i < G_N_ELEMENTS(pair); i++)
    if (g_strcmp0(run->channels[pair[i]].quantity, joint->channels[shown].quantity) != 0)
      add_plane(joint, &run->channels[pair[i]], &scene->frames[r]->planes[pair[i]],
                joint->channels[shown].role, g_strdup(joint->labels[shown]));
}

/* Numbers runs with equal labels, for the reader and for the search of their velocities. @first: channel */
static void
number_namesakes(Joint *joint, gsize first)
{
  for (gsize i = first + 1; i < joint->n; i++) {
    gsize k = first;

    while (k < i && !g_str_equal(joint->labels[k], joint->labels[i]))
      k++;
    if (k == i)
      continue;
    char *numbered = g_strdup_printf("%s #%" G_GSIZE_FORMAT, joint->labels[i], i - first + 1);
    g_free(joint->labels[i]);
    joint->labels[i] = joint->channels[i].label = numbered;
  }
}

/* Without a true field the first run is the reference. */
static void
joint_init(Joint *joint, const LacFigureScene *scene)
{
  const gssize         truth = find_truth(scene);
  const LacRunChannel *shown = get_channel(scene, 0);

  memset(joint, 0, sizeof *joint);
  joint->run = *scene->runs[0];
  joint->run.channels = joint->channels;
  joint->frame = *scene->frames[0];
  joint->frame.planes = joint->planes;
  if (truth >= 0)
    add_plane(joint, &scene->runs[0]->channels[truth], &scene->frames[0]->planes[truth],
              LAC_ROLE_TRUTH, g_strdup(scene->runs[0]->channels[truth].label));
  for (gsize r = 0; r < scene->n_runs; r++)
    add_plane(joint, shown, get_plane(scene, r),
              joint->n == 0 ? LAC_ROLE_TRUTH : LAC_ROLE_RECONSTRUCTION,
              lac_figure_dup_difference(scene, r, 2));
  number_namesakes(joint, truth >= 0);
  if (truth >= 0)
    add_velocity(joint, scene, 0, (gsize) truth, 0);
  for (gsize r = 0; r < scene->n_runs; r++)
    add_velocity(joint, scene, r, scene->channels[r], r + (truth >= 0));
  joint->run.n_channels = joint->frame.n_planes = joint->n;
  joint->shown = 1;
}

static void
joint_clear(Joint *joint)
{
  for (gsize i = 0; i < joint->n; i++)
    g_free(joint->labels[i]);
}

LacFigureScales
lac_figure_measure_comparison(const LacFigureScene *scene)
{
  Joint           joint;
  LacFigureScales scales = {0};

  if (!can_be_joined(scene))
    return scales;
  joint_init(&joint, scene);
  scales = lac_figure_measure(&joint.run, &joint.frame, joint.shown, &scene->spec->look);
  joint_clear(&joint);
  return scales;
}

/* Stacks volumes, charts, and fields of different shapes. Returns: the height used. */
static double
draw_stack(LacDrawing           *drawing,
           const LacFigureScene *scene,
           const LacFigurePlace *place,
           char                 *letter)
{
  double y = place->y;

  for (gsize r = 0; r < scene->n_runs; r++) {
    const gboolean   is_volume = get_channel(scene, r)->layers.n > 0;
    g_autofree char *difference = lac_figure_dup_difference(scene, r, 4);
    LacFigurePlace   part = *place;

    part.y = y + 1.6 * place->font_size;
    part.caption = FALSE;
    part.channel = scene->channels[r];
    part.letter = *letter;
    if (drawing != NULL) {
      g_autofree char *fitted =
        lac_text_dup_fitted(difference, place->font_size, TRUE, place->width);
      lac_draw_text_bold(drawing, place->x, y + place->font_size, LAC_ALIGN_LEFT, place->font_size,
                         lac_palette_paper.foreground, fitted);
    }
    y = part.y + lac_figure_draw(drawing, scene->runs[r], scene->frames[r], &part) +
        GAP * place->font_size;
    *letter += is_volume ? 2 : 1;
  }
  return y - place->y;
}

static double
draw_fields(LacDrawing           *drawing,
            const LacFigureScene *scene,
            const LacFigurePlace *place,
            char                 *letter)
{
  Joint          joint;
  LacFigurePlace part = *place;
  double         height;

  if (!can_be_joined(scene))
    return draw_stack(drawing, scene, place, letter);
  joint_init(&joint, scene);
  part.caption = FALSE;
  part.channel = joint.shown;
  part.letter = *letter;
  height = lac_figure_draw(drawing, &joint.run, &joint.frame, &part);
  *letter += (char) lac_figure_count_panels(&joint.run, &joint.frame, &part);
  joint_clear(&joint);
  return height + GAP * place->font_size;
}

static char *
make_caption(const LacFigureScene *scene, gboolean has_curve)
{
  const LacRunFile *run = scene->runs[0];
  GString          *text = g_string_new(NULL);
  g_autofree char  *first = g_strdup_printf("%" G_GINT64_FORMAT, scene->frames[0]->step);

  g_string_printf(text, _("%s (%s), step %s of the first run"), lac_word(run->title),
                  run->experiment, first);
  for (gsize r = 1; r < scene->n_runs; r++) {
    g_autofree char *step = g_strdup_printf("%" G_GINT64_FORMAT, scene->frames[r]->step);
    g_string_append_printf(text, r == 1 ? _(" beside step %s") : _(" and %s"), step);
  }
  g_string_append(text, scene->spec->against_seconds ? _(", nearest in compute time.")
                                                     : _(", nearest in steps."));
  if (can_be_joined(scene))
    g_string_append(
      text, find_truth(scene) >= 0
              ? _(" All fields share the colour scale of the true field; errors have their own.")
              : _(" All runs share the colour scale of the first; differences have their own."));
  lac_figure_append_runs(scene, text);
  if (has_curve)
    g_string_append(text, _(" Last panel: progress of each run."));
  return g_string_free(text, FALSE);
}

double
lac_figure_draw_comparison(LacDrawing           *drawing,
                           const LacFigureScene *scene,
                           const LacFigurePlace *place)
{
  char           letter = 'a';
  LacFigurePlace below = *place;
  double         curve;

  below.y += draw_fields(drawing, scene, place, &letter);
  below.letter = letter;
  curve = lac_figure_draw_key_curve(drawing, scene, &below);
  below.y += curve;
  g_autofree char *caption = make_caption(scene, curve > 0);
  below.y += lac_figure_draw_caption(drawing, place, below.y, caption);
  return below.y - place->y;
}
