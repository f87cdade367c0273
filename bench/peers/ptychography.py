#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Reconstructs the same exposures by our methods, pty-chi and PtyLab, and prints decibels.

Exposures are made here in double precision, with apertures at whole pixels, so that all forward models agree to
rounding: u = F^-1 (A_c F o) on a d x d detector. The peers see the dual problem: their object is the conjugate of the
spectrum, their probe the aperture. No method has a prior on the object, neither that it is real nor its outline. The error is that of
the image's modulus within the covered band, for a peak of 1, against the truth within that band; with noise or a
fault, against the picture itself. The peers start from the central exposure, ours from a uniform
object. With --time: milliseconds of processor time a sweep instead, one thread, set-up left out, as a user runs each
program. Needs numpy, h5py, scikit-image; PtyLab, ptychi where installed."""
import argparse
import contextlib
import io
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time
import warnings

import h5py
import numpy as np

warnings.filterwarnings("ignore")
GOLDEN_ANGLE = np.deg2rad(137.508)


# ---- exposures ----

def to_spectrum(image):
    return np.fft.fftshift(np.fft.fft2(np.fft.ifftshift(image, axes=(-2, -1)), norm="ortho"), axes=(-2, -1))


def to_image(spectrum):
    return np.fft.fftshift(np.fft.ifft2(np.fft.ifftshift(spectrum, axes=(-2, -1)), norm="ortho"), axes=(-2, -1))


def draw_bars(size):
    """Groups of three bars, horizontal and vertical, of 3 to 9 pixels: 0 and 1 only."""
    image = np.zeros((size, size))
    y = 6
    for width in (9, 7, 5, 4, 3):
        for bar in range(3):
            at = 10 + 2 * bar * width
            image[y:y + 5 * width, at:at + width] = 1
            image[y + 2 * bar * width:y + (2 * bar + 1) * width, size // 2 + 2:size // 2 + 2 + 5 * width] = 1
        y += 5 * width - (width > 5) * width + 4
        if y > size - 6:
            break
    return image


def take_picture(name, size):
    from skimage import data, transform
    image = transform.resize(getattr(data, name)().astype(float), (size, size), anti_aliasing=True)
    image = np.sqrt(np.clip((image - image.min()) / (image.max() - image.min()), 0, 1))
    return image


def take_fermat(n, reach):
    """Whole pixels."""
    k = np.arange(n)
    radius = reach * np.sqrt(k / max(1, n - 1))
    return np.rint(np.stack([radius * np.sin(k * GOLDEN_ANGLE), radius * np.cos(k * GOLDEN_ANGLE)], 1))


def make_disc(size, radius, centre=(0.0, 0.0)):
    y, x = np.mgrid[:size, :size] - size // 2
    return (y - centre[0]) ** 2 + (x - centre[1]) ** 2 <= radius ** 2


class Problem:
    def __init__(self, name, image, grid, diameter, n, reach, detector, decibels=None, fault=None, seed=1):
        self.name, self.grid, self.radius, self.detector = name, grid, diameter / 2, detector
        self.fault, self.decibels = fault, decibels
        self.support = image.shape[0]
        margin = (grid - self.support) // 2
        self.truth = np.pad(image, margin)
        self.centres = take_fermat(n, reach)
        spectrum = to_spectrum(self.truth)
        rng = np.random.default_rng(seed)
        true_centres = self.centres.copy()
        if fault == "positions":
            true_centres = true_centres + rng.integers(-1, 2, true_centres.shape)
            true_centres[0] = 0
        if fault == "scale":
            true_centres = np.rint(1.05 * true_centres)
        aperture = make_disc(detector, self.radius)
        pupil = aperture.astype(complex)
        if fault == "pupil":
            y, x = (np.mgrid[:detector, :detector] - detector // 2) / self.radius
            pupil *= np.exp(1j * (0.7 * np.sqrt(3) * (2 * (x * x + y * y) - 1) + 0.4 * np.sqrt(6) * (x * x - y * y)))
        fields = np.stack([to_image(self.cut(spectrum, c) * pupil) for c in true_centres])
        self.intensity = np.abs(fields) ** 2
        if decibels is not None:
            shot = self.intensity + np.abs(fields) * rng.standard_normal(self.intensity.shape) / 10 ** (decibels / 20)
            self.intensity = np.maximum(0, shot)
        if fault == "dead":
            self.intensity[[5, n // 2]] = 0
        covered = np.zeros((grid, grid), bool)
        for centre in true_centres:
            covered |= make_disc(grid, self.radius, centre)
        self.covered, self.spectrum, self.aperture = covered, spectrum, aperture

    def widen(self, spectrum):
        """With room for the detector's window around every aperture."""
        return np.pad(spectrum, self.detector)

    def narrow(self, spectrum):
        return spectrum[self.detector:-self.detector, self.detector:-self.detector]

    def cut(self, spectrum, centre):
        y, x = (centre + self.grid // 2 + self.detector // 2).astype(int)
        return self.widen(spectrum)[y:y + self.detector, x:x + self.detector]

    def begin(self):
        """The spectrum of the central exposure, as the peers want it."""
        part = self.aperture * to_spectrum(np.sqrt(self.intensity[0]))
        before = self.grid // 2 + self.detector // 2
        return np.pad(part, (before, self.grid + self.detector - before))

    def score(self, spectrum):
        is_clean = self.decibels is None and not self.fault
        true = self.crop(to_image(self.spectrum * self.covered if is_clean else self.spectrum))
        found = self.crop(to_image(spectrum * self.covered))
        return -10 * np.log10(max(np.mean((np.abs(found) - np.abs(true)) ** 2), 1e-30))

    def crop(self, image):
        margin = (self.grid - self.support) // 2
        return image[margin:margin + self.support, margin:margin + self.support]

    def write(self, path):
        with h5py.File(path, "w") as file:
            file["stack"], file["centres"] = self.intensity, self.centres
            file.attrs.update(unit="intensity", diameter=2 * self.radius, grid=self.grid, support=self.grid,
                              shape="circle")
            if self.decibels is not None:
                file.attrs["snr"] = float(self.decibels)


# ---- programs ----

def run_ours(program, problem, method, steps, settings, precision):
    with tempfile.TemporaryDirectory() as folder:
        problem.write(f"{folder}/exposures.h5")
        keys = {"pie": "pie_sweeps", "rpie": "rpie_sweeps"}
        values = {"measurements": f"{folder}/exposures.h5", "solver": method, "bounds": "no", "is_real": "no",
                  keys.get(method, f"{method}_iterations"): steps, "stop_at_noise": "no", "judge": steps, **settings}
        command = [program, "run", "picture", "--out", folder, "--threads", "1", "--precision", precision, "--quiet"]
        for key, value in values.items():
            command += ["--set", f"{key}={value}"]
        begin = resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        if done.returncode:
            sys.exit(done.stderr)
        run = next(pathlib.Path(folder).glob("*/run.h5"))
        with h5py.File(run) as file:
            frames = file["frames"]
            parts = {key: frames[key]["values"][-1] for key in frames
                     if isinstance(frames[key], h5py.Group) and frames[key].attrs.get("role") == "reconstruction"}
        seconds = end.ru_utime + end.ru_stime - begin.ru_utime - begin.ru_stime
        names = sorted(parts)
        amplitude = parts[next(n for n in names if "phase" not in n)].astype(float)
        phase = [n for n in names if "phase" in n]
        image = amplitude * np.exp(1j * parts[phase[0]].astype(float)) if phase else amplitude
        margin = (problem.grid - image.shape[0]) // 2
        return to_spectrum(np.pad(image[::-1], margin)), seconds  # rows of a frame go upwards


def run_ptylab(problem, engine, steps):
    import PtyLab
    from PtyLab import Engines
    data = PtyLab.ExperimentalData("test:nodata", "CPM")
    data.ptychogram = problem.intensity.astype(np.float32)
    data.encoder = problem.centres.copy()
    data.wavelength, data.zo, data.dxd = 1.0, 1.0, 1.0 / problem.detector
    data._setData()
    params = PtyLab.Params()
    params.gpuSwitch = False
    state = PtyLab.Reconstruction(data, params)
    state.No = problem.grid + 2 * problem.detector
    state.npsm = state.nosm = state.nlambda = state.nslice = 1
    state.initialProbe, state.initialObject = "circ", "ones"
    state.initializeObjectProbe()
    state.object[...] = np.conj(problem.begin())
    state.probe[...] = problem.aperture
    monitor = PtyLab.DummyMonitor() if hasattr(PtyLab, "DummyMonitor") else PtyLab.Monitor.Monitor.DummyMonitor()
    solver = getattr(Engines, engine)(state, data, params, monitor)
    solver.numIterations = steps
    solver.betaObject, solver.betaProbe = 1.0, 0.0
    if engine == "qNewton":
        solver.regObject = 1e-6
    params.probePowerCorrectionSwitch = params.modulusEnforcedProbeSwitch = False
    params.comStabilizationSwitch = False
    if problem.fault in ("positions", "scale"):
        params.positionCorrectionSwitch = True
    begin = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        solver.reconstruct()
    return problem.narrow(np.conj(np.squeeze(state.object))), time.process_time() - begin


def run_ptychi(problem, method, steps):
    import logging
    import torch
    import ptychi.api as api
    from ptychi.api.task import PtychographyTask
    logging.disable(logging.WARNING)
    torch.set_num_threads(1)
    options = {"ePIE": api.EPIEOptions, "LSQML": api.LSQMLOptions, "BH-CG": api.BHOptions}[method]()
    n = len(problem.centres)
    settings = options.reconstructor_options
    settings.num_epochs = steps
    settings.batch_size = {"ePIE": 1, "LSQML": 5, "BH-CG": n}[method]
    settings.default_device = api.Devices.CPU
    settings.default_dtype = api.Dtypes.FLOAT64
    settings.random_seed = 1
    settings.displayed_loss_function = None
    if method == "ePIE":
        options.object_options.alpha = 1.0
    if method == "LSQML":
        settings.rescale_probe_intensity_in_first_epoch = False
    if method == "BH-CG":
        settings.method = "CG"
    options.object_options.remove_object_probe_ambiguity.enabled = False
    options.object_options.step_size = 1
    options.probe_options.optimizable = False
    options.probe_options.power_constraint.enabled = False
    options.probe_position_options.optimizable = problem.fault in ("positions", "scale")
    begin = time.process_time()
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        task = PtychographyTask(
            options, diffraction_data=problem.intensity * problem.detector ** 2, object_data=np.conj(problem.begin())[None],
            probe_data=problem.aperture[None, None].astype(complex),  # its transform is not unitary
            probe_position_y_px=problem.centres[:, 0], probe_position_x_px=problem.centres[:, 1])
        task.run()
    spectrum = np.asarray(task.get_data_to_cpu("object", as_numpy=True))[0]
    return problem.narrow(np.conj(spectrum)), time.process_time() - begin


# ---- table ----

def make_problems():
    camera, moon = take_picture("camera", 256), take_picture("moon", 128)
    small = take_picture("camera", 128)
    return {
        "bars 128": lambda: Problem("bars 128", draw_bars(128), 128, 30.26, 25, 39.87, 64),
        "camera 256": lambda: Problem("camera 256", camera, 256, 70, 25, 80, 144),
        "moon 128 in 256": lambda: Problem("moon 128 in 256", moon, 256, 70, 25, 80, 144),
        "camera 256, 30 dB": lambda: Problem("camera 256, 30 dB", camera, 256, 70, 25, 80, 144, decibels=30),
        "pupil": lambda: Problem("pupil", small, 128, 36, 49, 40, 80, fault="pupil"),
        "positions": lambda: Problem("positions", small, 128, 36, 49, 40, 80, fault="positions"),
        "dead": lambda: Problem("dead", small, 128, 36, 49, 40, 80, fault="dead"),
        "scale": lambda: Problem("scale", small, 128, 36, 49, 40, 80, fault="scale"),
    }


FAULT_SETTINGS = {
    "pupil": {"aberrations": 5},
    "positions": {"position_error": 2},
    "scale": {"position_error": 3},
}


def measure(options, problem, name, method, steps):
    if name == "ours":
        settings = dict(FAULT_SETTINGS.get(problem.fault, {}))
        if method == "rpie" and problem.fault == "pupil":
            settings = {}
        settings.update(pair.split("=", 1) for pair in options.set)
        return run_ours(options.program, problem, method, steps, settings, options.precision)
    if name == "ptychi":
        return run_ptychi(problem, method, steps)
    return run_ptylab(problem, method, steps)


TIMED = {128: (36, 40, 72), 256: (70, 80, 144), 512: (140, 160, 288)}  # size of the object: diameter, reach, detector


def time_sweeps(options):
    """A run of 50 sweeps, the default, minus one of 1, over 49: set-up cancels, the frames of a run do not."""
    print(f"milliseconds a sweep, median of 3; ours in precision {options.precision}, the others in single")
    for size, (diameter, reach, detector) in TIMED.items():
        for n in options.exposures:
            problem = Problem(f"camera {size}", take_picture("camera", size), size, diameter, n, reach, detector)
            print(f"\ncamera {size}, {n} exposures of {detector}²")
            for word in options.methods.split(","):
                name, method = word.split(":")
                try:
                    times = [(measure(options, problem, name, method, 50)[1] - measure(options, problem, name, method, 1)[1]) / 49
                             for _ in range(3)]
                except ImportError as error:
                    print(f"  {name:7} {method:8} not installed: {error.name}")
                    continue
                print(f"  {name:7} {method:8} {1000 * statistics.median(times):7.1f}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program", help="build/lacuna")
    parser.add_argument("--iterations", type=int, default=20)
    parser.add_argument("--case", action="append", help="only this one; may be repeated")
    parser.add_argument("--methods", default="ours:pie,ours:rpie,ours:raar,ours:dm,ours:ml,ours:cg,ptychi:ePIE,"
                        "ptychi:LSQML,ptychi:BH-CG,ptylab:ePIE,ptylab:qNewton")
    parser.add_argument("--set", action="append", default=[], help="KEY=VALUE for our runs")
    parser.add_argument("--precision", default="auto", help="of our runs: f32 for single, as the others")
    parser.add_argument("--time", action="store_true", help="milliseconds a sweep instead")
    parser.add_argument("--exposures", type=int, nargs="+", default=[25], help="their numbers, for --time")
    options = parser.parse_args()
    options.program = os.path.abspath(options.program)
    if options.time:
        time_sweeps(options)
        return
    problems = make_problems()
    print(f"{options.iterations} iterations; dB (seconds)")
    for case in options.case or problems:
        problem = problems[case]()
        start = problem.score(problem.narrow(problem.begin()))
        print(f"\n{case}: {len(problem.centres)} exposures of {problem.detector}², covered "
              f"{100 * problem.covered.mean():.0f} %, the central one alone {start:.1f}")
        for word in options.methods.split(","):
            name, method = word.split(":")
            try:
                spectrum, seconds = measure(options, problem, name, method, options.iterations)
                print(f"  {name:7} {method:8} {problem.score(spectrum):7.1f}  ({seconds:.1f} s)", flush=True)
            except ImportError as error:
                print(f"  {name:7} {method:8} not installed: {error.name}")


if __name__ == "__main__":
    main()
