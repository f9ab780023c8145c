"""Writes trained networks as the bots read them, in half precision, which plays the same.

python export.py net.bin equity.bin weights.npz
"""

import sys

import numpy as np

HIDDEN, SECOND, BINS, INPUTS, NEEDS = 96, 32, 48, 538, 101

parts = {
    "value1": (INPUTS, HIDDEN),
    "value1_bias": (HIDDEN,),
    "value2": (SECOND, HIDDEN),
    "value2_bias": (SECOND,),
    "value3": (SECOND,),
    "value3_bias": (1,),
    "knock1": (INPUTS, HIDDEN),
    "knock1_bias": (HIDDEN,),
    "knock2": (BINS, HIDDEN),
    "knock2_bias": (BINS,),
    "hand1": (INPUTS, HIDDEN),
    "hand1_bias": (HIDDEN,),
    "hand2": (52, HIDDEN),
    "hand2_bias": (52,),
}

floats = np.fromfile(sys.argv[1], dtype=np.float32)
weights = {}
for name, shape in parts.items():
    part, floats = np.split(floats, [np.prod(shape)])
    weights[name] = part.reshape(shape)
    if name.endswith("2"):
        weights[name] = weights[name].T
assert floats.size == 0, "the sizes are not those of network.h"
equity = np.fromfile(sys.argv[2], dtype=np.float32).reshape(NEEDS, NEEDS)
equity[:, 0], equity[0, :] = 0, 1
weights["equity"] = equity
np.savez_compressed(sys.argv[3], **{name: w.astype(np.float16) for name, w in weights.items()})
