/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of commands. */
#include "app/commands.h"

#include <glib/gi18n-lib.h>

static const LacCommand commands[] = {
  {"win.show-page('experiments')", "<Control>1", N_("Experiments"), N_("Pages")},
  {"win.show-page('setup')", "<Control>2", N_("Set-up"), N_("Pages")},
  {"win.show-page('live')", "<Control>3", N_("Live"), N_("Pages")},
  {"win.show-page('timeline')", "<Control>4", N_("Timeline"), N_("Pages")},
  {"win.show-page('compare')", "<Control>5", N_("Compare"), N_("Pages")},
  {"win.show-page('runs')", "<Control>6", N_("Runs"), N_("Pages")},
  {"win.show-page('sweep')", "<Control>7", N_("Sweep"), N_("Pages")},
  {"win.show-queue", "<Control>8", N_("Queue of runs"), N_("Pages")},
  {"win.find", "<Control>f", N_("Search experiments, runs, or the spans of the timeline"),
   N_("Pages")},
  {"win.place-sensors", "<Control>k", N_("Place sensors by hand"), N_("Run")},
  {"win.build-sweep", "<Control><Shift>w", N_("Build a sweep of several runs"), N_("Run")},
  {"win.show-parameters", "", N_("Back to the parameters"), N_("Run")},
  {"win.reset-parameters", "", N_("Back to every default"), N_("Run")},
  {"win.show-presets", "<Control><Shift>k", N_("Presets of the set-up"), N_("Run")},
  {"win.import-plan", "", N_("Import a set-up from YAML"), N_("Run")},
  {"win.export-plan", "", N_("Export the set-up as YAML"), N_("Run")},
  {"win.retry", "", N_("Retry what ended badly, as suggested"), N_("Run")},
  {"win.start-default", "", N_("Start the default experiment"), N_("Run")},
  {"win.launch", "<Control>Return", N_("Launch what is set up"), N_("Run")},
  {"win.queue-add", "<Control><Shift>q", N_("Add what is set up to the queue"), N_("Run")},
  {"win.queue-start", "", N_("Start the queue"), N_("Run")},
  {"win.pause", "<Control>p", N_("Pause or resume"), N_("Run")},
  {"win.step", "<Control>period", N_("One step"), N_("Run")},
  {"win.checkpoint", "<Control>s", N_("Checkpoint"), N_("Run")},
  {"win.stop", "<Control>Escape", N_("Stop after a checkpoint"), N_("Run")},
  {"win.view('fields')", "<Control>l", N_("Fields on one scale"), N_("View")},
  {"win.view('errors')", "<Control>b", N_("Errors of the reconstructions"), N_("View")},
  {"win.view('deviation')", "<Control>u", N_("Uncertainty of the reconstructions"), N_("View")},
  {"win.view('swipe')", "", N_("Truth and reconstruction with a handle between them"), N_("View")},
  {"win.view('fade')", "", N_("Truth and reconstruction through each other"), N_("View")},
  {"win.view('flicker')", "", N_("Truth and reconstruction in turn"), N_("View")},
  {"win.view('difference')", "", N_("Their difference only"), N_("View")},
  {"win.view('large')", "", N_("One field, large"), N_("View")},
  {"win.play-frames", "", N_("Play the kept frames, or stop that"), N_("View")},
  {"win.smooth", "<Control>m", N_("Interpolate between cells"), N_("View")},
  {"win.isolines", "", N_("Isolines"), N_("View")},
  {"win.arrows", "", N_("Arrows of the velocity"), N_("View")},
  {"win.streamlines", "", N_("Streamlines"), N_("View")},
  {"win.flow-texture", "", N_("Texture along the flow"), N_("View")},
  {"win.axes", "", N_("Axes with units"), N_("View")},
  {"win.line", "", N_("A line to read the fields along, then the next one"), N_("View")},
  {"win.limits('auto')", "", N_("Scale: by itself"), N_("View")},
  {"win.limits('all')", "", N_("Scale: locked at all values shown"), N_("View")},
  {"win.limits('percentile')", "", N_("Scale: locked without the outer hundredths"), N_("View")},
  {"win.transfer('linear')", "", N_("Scale: linear"), N_("View")},
  {"win.transfer('log')", "", N_("Scale: logarithmic"), N_("View")},
  {"win.transfer('symlog')", "", N_("Scale: logarithmic both ways"), N_("View")},
  {"win.transfer('asinh')", "", N_("Scale: asinh"), N_("View")},
  {"win.transfer('root')", "", N_("Scale: root"), N_("View")},
  {"win.see-as('all')", "", N_("Colours as they are"), N_("View")},
  {"win.see-as('deuteranopia')", "", N_("Colours as seen with deuteranopia (no green cones)"),
   N_("View")},
  {"win.see-as('protanopia')", "", N_("Colours as seen with protanopia (no red cones)"),
   N_("View")},
  {"win.see-as('tritanopia')", "", N_("Colours as seen with tritanopia (no blue cones)"),
   N_("View")},
  {"win.see-as('grey')", "", N_("Colours as printed in grey"), N_("View")},
  {"win.zoom-in", "<Control>plus <Control>equal", N_("Closer"), N_("View")},
  {"win.zoom-out", "<Control>minus", N_("Further"), N_("View")},
  {"win.zoom-fit", "<Control>0", N_("Show everything"), N_("View")},
  {"win.open", "<Control>o", N_("Open a run"), N_("Files")},
  {"win.open-data", "<Control><Shift>o", N_("Open data or a trace"), N_("Files")},
  {"win.clear-recent", "", N_("Forget recent files"), N_("Files")},
  {"win.close-trace", "", N_("Close the trace of another program"), N_("Files")},
  {"win.export-figure", "<Control>e", N_("Export a figure"), N_("Files")},
  {"win.export-report", "<Control>r", N_("Export a report"), N_("Files")},
  {"win.export-data", "<Control>d", N_("Export the data"), N_("Files")},
  {"win.export-film", "<Control><Shift>e", N_("Export a film"), N_("Files")},
  {"win.export-trace", "<Control>t", N_("Export the trace"), N_("Files")},
  {"win.runs-open", "<Control><Shift>Return", N_("Open the chosen run"), N_("Runs")},
  {"win.runs-resume", "", N_("Resume the chosen run"), N_("Runs")},
  {"win.runs-again", "<Control><Shift>r", N_("Run it again exactly"), N_("Runs")},
  {"win.runs-duplicate", "<Control><Shift>c", N_("Set up a copy of it"), N_("Runs")},
  {"win.runs-compare", "<Control><Shift>b", N_("Compare the chosen runs"), N_("Runs")},
  {"win.compare-swap", "", N_("Comparison: the two change places"), N_("Runs")},
  {"win.compare-link('step')", "", N_("Comparison: frames of the same step"), N_("Runs")},
  {"win.compare-link('time')", "", N_("Comparison: frames of the same compute time"), N_("Runs")},
  {"win.compare-axis('step')", "", N_("Comparison: curves over steps"), N_("Runs")},
  {"win.compare-axis('seconds')", "", N_("Comparison: curves over seconds"), N_("Runs")},
  {"win.compare-figure", "", N_("Comparison: export a figure"), N_("Runs")},
  {"win.compare-export", "", N_("Comparison: export a report"), N_("Runs")},
  {"win.runs-pin", "", N_("Baseline of its experiment, or no longer"), N_("Runs")},
  {"win.runs-delete", "", N_("Delete the chosen runs"), N_("Runs")},
  {"win.runs-undo-delete", "", N_("Undo the deletion"), N_("Runs")},
  {"win.runs-group('none')", "", N_("Runs: one list"), N_("Runs")},
  {"win.runs-group('experiment')", "", N_("Runs: group by experiment"), N_("Runs")},
  {"win.runs-group('laboratory')", "", N_("Runs: group by laboratory"), N_("Runs")},
  {"win.runs-group('outcome')", "", N_("Runs: group by outcome"), N_("Runs")},
  {"win.runs-group('tag')", "", N_("Runs: group by tag"), N_("Runs")},
  {"win.runs-group('day')", "", N_("Runs: group by day"), N_("Runs")},
  {"win.runs-unfold", "", N_("Runs: unfold all groups"), N_("Runs")},
  {"win.runs-fold", "", N_("Runs: fold all groups"), N_("Runs")},
  {"win.runs-show-folder", "", N_("Show the folder of the runs"), N_("Runs")},
  {"win.runs-choose-folder", "", N_("Choose the folder of the runs"), N_("Runs")},
  {"win.show-commands", "<Control><Shift>p", N_("Find a command"), N_("Window")},
  {"win.show-preferences", "<Control>comma", N_("Preferences"), N_("Window")},
  {"win.show-help", "F1", N_("Help for this page"), N_("Window")},
  {"win.show-shortcuts", "<Control>question", N_("Keyboard shortcuts"), N_("Window")},
  {"win.forget-stalls", "", N_("Count the stalls of the window anew"), N_("Window")},
  {"win.show-tour", "", N_("Tour of three steps"), N_("Window")},
  {"win.record", "", N_("Record what is done, or end the recording"), N_("Window")},
  {"win.replay", "", N_("Replay a recorded sitting"), N_("Window")},
  {"win.skip-tour", "", N_("Offer the tour no more"), N_("Window")},
  {"win.close", "<Control>w", N_("Close the window"), N_("Window")},
  {"app.about", "", N_("About Lacuna"), N_("Window")},
  {"app.quit", "<Control>q", N_("Quit"), N_("Window")},
};

const LacCommand *
lac_commands(gsize *n)
{
  *n = G_N_ELEMENTS(commands);
  return commands;
}

void
lac_commands_install(GtkApplication *application)
{
  for (gsize i = 0; i < G_N_ELEMENTS(commands); i++) {
    if (*commands[i].accels == '\0')
      continue;
    g_auto(GStrv) accels = g_strsplit(commands[i].accels, " ", -1);
    gtk_application_set_accels_for_action(application, commands[i].action,
                                          (const char *const *) accels);
  }
}
