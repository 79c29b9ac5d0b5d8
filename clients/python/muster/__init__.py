"""What training code may use of Muster: reports, where things lie, stop requests, unreadable records.

Needs nothing but Python 3.9. `muster.torch` and `muster.tensorflow` are imported by those who have the framework.
"""

from .environment import Environment, environment
from .records import BadRecordsError, Tally, in_step, skip_bad
from .reports import report
from .stacks import stacks_on_signal
from .stopping import StopRequest

__all__ = ["BadRecordsError", "Environment", "StopRequest", "Tally", "environment", "in_step", "report", "skip_bad", "stacks_on_signal"]
