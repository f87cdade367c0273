#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The progressive decoder's training step in PyTorch: the same layers, loss and Adam as bench-decoder. Prints the version, then wall and CPU
milliseconds, a line for each step."""
import argparse
import time

import torch
from torch import nn


class Decoder(nn.Module):
    def __init__(self, grid, output):
        super().__init__()
        channels, side = grid // 2, 4
        layers = [nn.ConvTranspose2d(grid, channels, 4, 1, 0, bias=False), nn.BatchNorm2d(channels), nn.ReLU()]
        while side < output:
            layers += [nn.ConvTranspose2d(channels, channels // 2, 4, 2, 1, bias=False), nn.BatchNorm2d(channels // 2), nn.ReLU()]
            channels, side = channels // 2, side * 2
        while channels > 2:
            layers += [nn.Conv2d(channels, channels // 2, 3, 1, 1, bias=False), nn.BatchNorm2d(channels // 2), nn.ReLU()]
            channels //= 2
        layers += [nn.Conv2d(channels, 1, 3, 1, 1), nn.Sigmoid()]
        self.layers = nn.Sequential(*layers)
        self.latent = nn.Parameter(torch.randn(1, grid, 1, 1))

    def forward(self):
        return self.layers(self.latent)


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("mode", choices=["plain", "fused", "channels-last"], help="Adam as it comes; in one kernel; and NHWC")
    parser.add_argument("--grid", type=int, default=1024)
    parser.add_argument("--output", type=int, default=512)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--steps", type=int, default=7)
    options = parser.parse_args()
    torch.set_flush_denormal(True)  # before threads are created, which inherit the setting: Adam's moments contain many denormals
    torch.set_num_threads(options.threads)
    torch.manual_seed(1)
    decoder = Decoder(options.grid, options.output)
    if options.mode == "channels-last":
        decoder = decoder.to(memory_format=torch.channels_last)
    adam = torch.optim.Adam(decoder.parameters(), 1e-3, **({} if options.mode == "plain" else {"fused": True}))
    stripes = (torch.arange(options.output) % 2).float().expand(1, 1, options.output, options.output).contiguous()
    print(f"torch {torch.__version__}, {sum(p.numel() for p in decoder.parameters())} parameters")
    for step in range(options.steps + 3):
        wall, cpu = time.perf_counter(), time.process_time()
        adam.zero_grad()
        (decoder() - stripes).abs().mean().backward()
        adam.step()
        if step >= 3:
            print((time.perf_counter() - wall) * 1e3, (time.process_time() - cpu) * 1e3)


if __name__ == "__main__":
    main()
