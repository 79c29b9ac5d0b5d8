"""Where the workers of an elastic PyTorch job find each other: ADDRESS PORT. It outlives each of them."""

import sys
import threading
from datetime import timedelta

from torch.distributed import TCPStore

store = TCPStore(sys.argv[1], int(sys.argv[2]), None, True, timedelta(seconds=60), wait_for_workers=False)
threading.Event().wait()
