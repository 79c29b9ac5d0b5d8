"""XGBoost's tracker as a process of a Muster job: HOST PORT WORKERS SECONDS. Ends when all workers have."""

import socket
import sys

try:
    import xgboost
    from xgboost.tracker import RabitTracker
except ImportError as missing:
    sys.exit(f"{missing}: xgboost 2.1 or later has to be in the job's Python, as its tracker runs there too")

host, port, workers, seconds = sys.argv[1], int(sys.argv[2]), int(sys.argv[3]), int(sys.argv[4])
if tuple(int(part) for part in xgboost.__version__.split(".")[:2]) < (2, 1):
    sys.exit(f"xgboost {xgboost.__version__} is too old: Muster needs 2.1 or later")

tracker = RabitTracker(
    n_workers=workers,
    host_ip=socket.getaddrinfo(host, port)[0][4][0],
    port=port,
    sortby="task",
    timeout=seconds,
)
tracker.start()
tracker.wait_for()
