"""Being asked to stop: by the file MUSTER_CONTROL_DIR/stop, which holds a step, or by SIGTERM."""

import signal
from pathlib import Path
from typing import Callable, List, Optional, Sequence

from .environment import environment

EXIT_CODE = 143  # for a process that left because it was asked to
SumOverGroup = Callable[[Sequence[float]], List[float]]


class StopRequest:
    """`wanted(step)` tells what this process sees; `agreed(step)` what all ranks decide together.

    Ranks read the file at different moments, so one may see it before a step and its neighbour after it: leaving on
    `wanted` alone leaves the neighbour waiting in a collective. `agreed` sums the wishes of all ranks after each step; the
    sum is the same number everywhere, so all leave after the same step, at the latest one step after the first saw it.
    """

    def __init__(self, sum_over_group: Optional[SumOverGroup] = None, catch_term: bool = True):
        self._sum = sum_over_group
        self._terminated = False
        folder = environment().control_dir
        self._file: Optional[Path] = folder / "stop" if folder else None
        if catch_term:
            signal.signal(signal.SIGTERM, self._terminate)

    def _terminate(self, *_: object) -> None:
        self._terminated = True

    def wanted(self, step: int) -> bool:
        """Whether this process was told to leave after the step that it has done."""
        return self._terminated or step >= self._step()

    def _step(self) -> float:
        """The step to leave after; infinity while nobody asked. A file without a number asks at once."""
        try:
            text = self._file.read_text().strip() if self._file else None
        except OSError:
            return float("inf")
        if text is None:
            return float("inf")
        return int(text) if text.isdigit() else 0

    def agreed(self, step: int) -> bool:
        """The same answer on every rank; every rank has to call it after every step, as it is a collective."""
        wish = self.wanted(step)
        return self._sum([float(wish)])[0] > 0 if self._sum else wish
