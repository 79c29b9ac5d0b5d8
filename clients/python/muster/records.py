"""Unreadable records are skipped, counted, reported, and too many of them fail the training."""

import inspect
import sys
from numbers import Real
from typing import Any, Callable, Hashable, Iterable, Iterator, List, Optional, Sequence, Set, TypeVar

from .environment import environment
from .reports import report

T = TypeVar("T")
SHOWN = 10  # bad records that are named in the log
ADVICE = "let the generator yield raw records and give what can fail as parse="
NO_PROGRESS = 1000  # errors in a row after which a source is taken for one that does not move on


class BadRecordsError(RuntimeError):
    """More records were unreadable than the bounds allow."""


class Tally:
    """How many records were read and how many of them were bad.

    Bounds: `at_most` bad records; `at_most_fraction` of the records read, judged once `enough` were read and at the end of a
    pass. A record that has a number counts once, however often it is met; one without counts each time.

    Without `sum_over_group` the bounds hold for this process and are judged with each bad record. With it they hold for
    all ranks together, judged in `check`, a collective: all ranks raise the same error at the same step.
    """

    def __init__(
        self,
        at_most: Optional[int] = None,
        at_most_fraction: Optional[float] = 0.01,
        enough: int = 100,
        sum_over_group: Optional[Callable[[Sequence[float]], List[float]]] = None,
    ):
        if at_most is not None and not (_is_number(at_most) and at_most >= 0):
            raise ValueError(f"at_most is {at_most!r}: give a number from 0, or None for no such bound")
        if at_most_fraction is not None and not (_is_number(at_most_fraction) and 0 <= at_most_fraction <= 1):
            raise ValueError(f"at_most_fraction is {at_most_fraction!r}: give a fraction from 0 to 1, or None for no such bound")
        self.at_most, self.at_most_fraction, self.enough = at_most, at_most_fraction, enough
        self.read = 0  # records met, bad ones among them
        self.bad = 0  # what is reported
        self._met_bad = 0  # bad ones met, each as often as it was met
        self._known: Set[Hashable] = set()
        self._first: Optional[str] = None
        self._reported = 0
        self._sum = sum_over_group
        self._shares_reports = environment().shares_reports
        self._rank = environment().rank

    @property
    def over_group(self) -> bool:
        return self._sum is not None

    def good(self, count: int = 1) -> None:
        self.read += count

    def skipped(self, problem: object, key: Optional[Hashable] = None, count: int = 1) -> None:
        """Counts one bad record, or `count` without numbers. `key` is the record's number in its source."""
        self.read += count
        self._met_bad += count
        if key is not None and key in self._known:
            return
        if key is not None:
            self._known.add(key)
        self.bad += count
        self._tell(problem, key)
        if not self.over_group:
            self._report(self.bad)
            self._judge(self.bad, self._met_bad, self.read, "")

    def check(self, end_of_pass: bool = False) -> None:
        """Raises BadRecordsError when a bound is passed. Over a group a collective: every rank calls it equally often."""
        bad, met_bad, read, of = self.bad, self._met_bad, self.read, ""
        if self._sum:
            bad, met_bad, read = (int(number) for number in self._sum([float(bad), float(met_bad), float(read)]))
            of = " over all ranks"
        self._report(bad)
        self._judge(bad, met_bad, read, of, end_of_pass)

    def _report(self, over_group: int) -> None:
        """Each rank reports its own. Where ranks share a report file the first one reports for all."""
        mine = self.bad
        if self._sum and self._shares_reports:
            mine = over_group if self._rank == 0 else 0
        if mine != self._reported:
            self._reported = mine
            report(bad_records=mine)

    def _judge(self, bad: int, met_bad: int, read: int, of: str, end_of_pass: bool = False) -> None:
        why = None
        if self.at_most is not None and bad > self.at_most:
            why = f"at most {self.at_most} are allowed (at_most)"
        elif self.at_most_fraction is not None and (read >= self.enough or end_of_pass) and met_bad > self.at_most_fraction * read:
            why = f"at most {self.at_most_fraction:.4g} of them are allowed (at_most_fraction)"
        if why:
            first = f"; the first here was {self._first}" if self._first else ""
            raise BadRecordsError(f"{bad} bad records of {read} read{of}: {why}{first}")

    def _tell(self, problem: object, key: Optional[Hashable]) -> None:
        name = "a record" if key is None else f"record {key}"
        said = told(problem) if isinstance(problem, BaseException) else str(problem)
        said = " ".join(said.split())[:300]
        self._first = self._first or f"{name} ({said})"
        if self.bad <= SHOWN:
            end = " (further ones are only counted)" if self.bad == SHOWN else ""
            print(f"muster: {name} is bad and skipped: {said}{end}", file=sys.stderr, flush=True)


def _is_number(value: object) -> bool:
    return isinstance(value, Real)


def told(problem: BaseException) -> str:
    """An exception for people; some cannot say what they are."""
    try:
        return f"{type(problem).__name__}: {problem}"
    except Exception:
        return type(problem).__name__


def came_out_of_a_generator(problem: BaseException) -> bool:
    """Whether what was asked for a record is a generator that raised, below map, zip and the like: those have no frames. It is at its end then."""
    frames = problem.__traceback__.tb_next if problem.__traceback__ else None
    return frames is not None and bool(frames.tb_frame.f_code.co_flags & inspect.CO_GENERATOR)


def ended_generator(name: str, problem: str, advice: str) -> BadRecordsError:
    return BadRecordsError(f"{name} ended its generator ({problem}), so the rest cannot be read: {advice}")


def skip_bad(source: Iterable[Any], parse: Optional[Callable[[Any], T]] = None, tally: Optional[Tally] = None) -> Iterator[T]:
    """The good records of any iterable. A record is bad when `parse`, or the source's own next(), raises.

    A generator that raises is at its end, also one below map or zip, so what could fail belongs into `parse`; without that this
    says so. Ranks do not stay in step by this alone: see `in_step`.
    """
    tally = tally or Tally()
    records = iter(source)
    position, in_a_row = -1, 0
    raised_inside: Optional[Exception] = None
    while True:
        position += 1
        try:
            record = next(records)
        except StopIteration:
            if raised_inside:
                raise ended_generator(f"record {position - 1}", told(raised_inside), ADVICE) from raised_inside
            break
        except MemoryError:
            raise
        except Exception as problem:
            if inspect.isgenerator(records):
                raise ended_generator(f"record {position}", told(problem), ADVICE) from problem
            in_a_row += 1
            tally.skipped(problem, position)
            if in_a_row >= NO_PROGRESS:
                raise BadRecordsError(f"the source raised {in_a_row} times in a row, the last time {told(problem)}") from problem
            raised_inside = problem if came_out_of_a_generator(problem) else None
            continue
        in_a_row, raised_inside = 0, None
        try:
            value = parse(record) if parse else record
        except MemoryError:
            raise
        except Exception as problem:
            tally.skipped(problem, position)
            continue
        tally.good()
        yield value
    if not tally.over_group:
        tally.check(end_of_pass=True)


def in_step(batches: Iterable[T], steps: int, tally: Optional[Tally] = None, check_every: int = 50) -> Iterator[T]:
    """Exactly `steps` batches, so that every rank calls its collectives equally often, whatever each had to skip.

    `steps` has to be the same on all ranks, so it is worked out from what is planned (rows // (ranks * batch)), not from
    what turns out to be readable. A rank that runs out early starts its source again; a list or an object whose
    __iter__ begins anew does, a generator cannot. With a tally over the group, all ranks judge the bounds every
    `check_every` steps and at the end.
    """
    done = 0
    while done < steps:
        before = done
        for batch in batches:
            yield batch
            done += 1
            if tally and tally.over_group and (done % check_every == 0 or done == steps):
                tally.check(end_of_pass=done == steps)
            if done == steps:
                return
        if done == before:
            again = " when it was started again: give an iterable that begins anew, not a generator" if done else ""
            raise BadRecordsError(f"the source gave no readable batch{again} (step {done} of {steps})")
