"""Fashion-MNIST, the whole of it: found, checked and split the same way on every worker.

`python fashion_mnist.py FOLDER` downloads the four files where they are missing.
"""

import gzip
import hashlib
import os
import sys
import urllib.request
from pathlib import Path
from typing import NamedTuple

# SHA-256 of the files as gunzipped: how they were compressed does not matter.
FILES = {
    "train-images-idx3-ubyte": "c59f468a2f672dc815687fe0f83887768d799fd8a3f3276145d20f83aa44d888",
    "train-labels-idx1-ubyte": "bad3541b69d912435c50bb6ba87bec294ff4f6a2e1246121d8633921760443d9",
    "t10k-images-idx3-ubyte": "5b4141f0afbad91edebe8549f8fcffe087ea10ca49f1dbef5c9a5cd8815ce37b",
    "t10k-labels-idx1-ubyte": "0402a96d92fd2663957122ceb108a494c5af83dab82d92729df917d7dec38c34",
}
SOURCE = "https://storage.googleapis.com/tensorflow/tf-keras-datasets/"
DEBIAN = "/usr/share/datasets/fashion-mnist"
CLASSES = (
    "T-shirt/top", "Trouser", "Pullover", "Dress", "Coat",
    "Sandal", "Shirt", "Sneaker", "Bag", "Ankle boot",
)
VALIDATION_ROWS = 5_000
IMAGE_HEADER, LABEL_HEADER = 16, 8  # bytes before the first pixel, the first label


class Rows(NamedTuple):
    """Images as uint8 [n, 28, 28] and their labels as int64 [n]; a row's id is its place here."""

    images: "numpy.ndarray"
    labels: "numpy.ndarray"


def load():
    """Train (55,000 rows), validation (5,000) and test (10,000): fixed by row, so equal everywhere."""
    folder = place()
    known = read_rows(folder, "train")
    train = Rows(*(part[:-VALIDATION_ROWS] for part in known))
    validation = Rows(*(part[-VALIDATION_ROWS:] for part in known))
    return train, validation, read_rows(folder, "t10k")


def place():
    return Path(os.environ.get("MUSTER_DATA_FASHION", DEBIAN))


def read_rows(folder, kind):
    import numpy  # here, so that the download needs nothing but Python

    pixels = read_checked(folder, f"{kind}-images-idx3-ubyte")[IMAGE_HEADER:]
    labels = read_checked(folder, f"{kind}-labels-idx1-ubyte")[LABEL_HEADER:]
    return Rows(
        numpy.frombuffer(pixels, numpy.uint8).reshape(-1, 28, 28),
        numpy.frombuffer(labels, numpy.uint8).astype(numpy.int64),
    )


def read_checked(folder, name):
    path = Path(folder) / f"{name}.gz"
    if not path.exists():
        sys.exit(
            f"{path} is not there. Get Fashion-MNIST with `apt-get install dataset-fashion-mnist`"
            f" (it lies in {DEBIAN} then), or with `python fashion_mnist.py FOLDER`"
            " and give that folder as the job's data.fashion."
        )
    content = gzip.decompress(path.read_bytes())
    digest = hashlib.sha256(content).hexdigest()
    if digest != FILES[name]:
        sys.exit(f"{path} is damaged: SHA-256 of its content is {digest}, expected {FILES[name]}.")
    return content


def download(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in FILES:
        target = folder / f"{name}.gz"
        if not target.exists():
            print(f"{SOURCE}{name}.gz -> {target}")
            partial = target.with_suffix(".partial")
            try:
                urllib.request.urlretrieve(f"{SOURCE}{name}.gz", partial)
            except OSError as problem:
                sys.exit(f"{SOURCE}{name}.gz cannot be fetched: {problem}")
            partial.rename(target)
        read_checked(folder, name)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: python fashion_mnist.py FOLDER")
    download(Path(sys.argv[1]))
