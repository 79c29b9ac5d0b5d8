"""Unreadable records under tf.data, counted, with workers in step. Tried with TensorFlow 2.21."""

from typing import Any, Callable, Optional

import tensorflow as tf

from .records import Tally

END = -1  # stands for a number after the last record


def skip_bad(dataset: Any, parse: Callable[..., Any], tally: Optional[Tally] = None, num_parallel_calls: Optional[int] = None) -> Any:
    """`dataset.map(parse)` without the records that `parse` fails on; it gives tensors, alone or in tuples and dictionaries.

    `dataset.map(parse).ignore_errors()` drops such a record without a word, and with it what the source fails on: of a damaged
    file all that follows. Here each record is parsed in a data set of its own, where only its own error is passed over; an
    error of the source stays one. Python is called for a bad record and at the end of a pass, never for a good one.

    Over a bound the pipeline itself raises. With a tally over a group call `tally.check()` between steps, on all ranks.
    """
    progress = _Progress(tally or Tally())
    nothing = _nothing(dataset.map(parse).element_spec)

    def parse_one(number: Any, record: Any) -> Any:
        fields = record if isinstance(record, tuple) else (record,)
        parsed = tf.data.Dataset.from_tensors(fields).map(parse).map(_as_good).ignore_errors()
        good, value = parsed.concatenate(tf.data.Dataset.from_tensors((False, nothing))).take(1).get_single_element()
        return number, good, value

    in_order = {} if num_parallel_calls is None else {"num_parallel_calls": num_parallel_calls, "deterministic": True}
    numbered = dataset.enumerate().map(parse_one, **in_order)
    end = tf.data.Dataset.from_tensors((tf.constant(END, tf.int64), False, nothing))
    followed = numbered.concatenate(end).scan(tf.constant(0, tf.int64), progress.follow)
    return followed.filter(_is_good).map(_value)


def in_step(dataset: Any, batch: int, steps: int) -> Any:
    """Exactly `steps` full batches: a worker that had to skip takes its next records, and begins anew when it runs out.

    `steps` has to be the same on all workers: work it out from what is planned, rows // (workers * batch).
    """
    return dataset.repeat().batch(batch, drop_remainder=True).take(steps)


class _Progress:
    """Tells the tally how far the pipeline has come, and which records were bad."""

    def __init__(self, tally: Tally):
        self.tally, self.told = tally, 0  # records of this pass that the tally knows of

    def follow(self, read: Any, element: Any) -> Any:
        """For scan: the number of records read so far, and the element."""
        number, good, value = element

        def tell() -> Any:
            return tf.ensure_shape(tf.py_function(self._tell, [read, number], tf.bool), [])

        return tf.where(number == END, read, number + 1), (tf.cond(good, lambda: good, tell), value)

    def _tell(self, read: Any, number: Any) -> bool:
        reached = int(read)
        if reached < self.told:  # the pipeline began anew before its end
            self.told = 0
        self.tally.good(reached - self.told)
        if int(number) == END:
            self.told = 0
            if not self.tally.over_group:
                self.tally.check(end_of_pass=True)
        else:
            self.told = reached + 1
            self.tally.skipped("it could not be parsed", reached)
        return False


def _as_good(*parsed: Any) -> Any:
    return True, parsed if len(parsed) > 1 else parsed[0]


def _is_good(good: Any, _: Any) -> Any:
    return good


def _value(_: Any, value: Any) -> Any:
    return value


def _nothing(spec: Any) -> Any:
    """A record of this kind without content."""
    return tf.nest.map_structure(lambda each: tf.zeros([size or 0 for size in each.shape], each.dtype), spec)
