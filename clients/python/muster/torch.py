"""Unreadable records under PyTorch's DataLoader, with ranks in step."""

from typing import Any, Callable, Iterator, List, NamedTuple, Optional, Sequence

import torch
import torch.distributed as dist
from torch.utils.data import Dataset, IterableDataset, default_collate
from torch.utils.data import DataLoader as TorchDataLoader

from .records import NO_PROGRESS, BadRecordsError, Tally, came_out_of_a_generator, ended_generator, told


def sum_over_group(values: Sequence[float]) -> List[float]:
    """Element-wise sum over all ranks; the values themselves where there is no group. A collective."""
    if not (dist.is_available() and dist.is_initialized() and dist.get_world_size() > 1):
        return list(values)
    device = torch.device("cuda", torch.cuda.current_device()) if dist.get_backend() == "nccl" else torch.device("cpu")
    summed = torch.tensor(list(values), dtype=torch.float64, device=device)
    dist.all_reduce(summed)
    return [float(value) for value in summed.tolist()]


ADVICE = "let __iter__ return an object whose __next__ goes on after an error"


class _Bad(NamedTuple):
    key: Any
    problem: str


class _Batch(NamedTuple):
    value: Any  # None when nothing of it could be read
    keys: List[Any]  # of its good rows
    bad: List[_Bad]


class _Row(NamedTuple):
    key: Any
    value: Any


class _Reading(Dataset):
    """Gives a bad record as a value instead of an error; runs in the loader's worker processes."""

    def __init__(self, dataset: Any):
        self.dataset = dataset

    def __len__(self) -> int:
        return len(self.dataset)

    def __getitem__(self, key: Any) -> Any:
        try:
            return _Row(key, self.dataset[key])
        except MemoryError:
            raise
        except Exception as raised:
            return _Bad(key, told(raised))


class _ReadingStream(IterableDataset):
    def __init__(self, dataset: Any):
        self.dataset = dataset

    def __iter__(self) -> Iterator[Any]:
        rows, in_a_row = iter(self.dataset), 0
        raised_inside: Optional[Exception] = None
        while in_a_row < NO_PROGRESS:
            try:
                row = next(rows)
            except StopIteration:
                if raised_inside:
                    raise ended_generator("a record", told(raised_inside), ADVICE) from raised_inside
                return
            except MemoryError:
                raise
            except Exception as raised:
                if hasattr(rows, "send"):
                    raise ended_generator("a record", told(raised), ADVICE) from raised
                in_a_row += 1
                raised_inside = raised if came_out_of_a_generator(raised) else None
                yield _Bad(None, told(raised))
                continue
            in_a_row, raised_inside = 0, None
            yield _Row(None, row)
        raise BadRecordsError(f"the dataset raised {in_a_row} times in a row")


class _Collate:
    """Fills a batch up with its own good rows, from the first on: its size stays what it was."""

    def __init__(self, collate: Callable[[List[Any]], Any], fill: bool):
        self.collate, self.fill = collate, fill

    def __call__(self, rows: List[Any]) -> _Batch:
        good = [row for row in rows if isinstance(row, _Row)]
        bad = [row for row in rows if isinstance(row, _Bad)]
        if not good:
            return _Batch(None, [], bad)
        size = len(rows) if self.fill else len(good)
        try:
            value = self.collate([good[place % len(good)].value for place in range(size)])
        except MemoryError:
            raise
        except Exception as raised:
            return _Batch(None, [], bad + [_Bad(row.key, told(raised)) for row in good])
        return _Batch(value, [row.key for row in good], bad)


class DataLoader:
    """PyTorch's DataLoader, its arguments and its batches, without bad records.

    With a map-style dataset there are as many batches, of the same sizes, as without bad records: a bad row's place is
    taken by a good row of its batch, and a batch without any good row by the last good one (the first good one, while
    there was none), read anew. So ranks that have equally many batches stay in step. An IterableDataset leaves bad records out,
    and gives exactly `steps` batches when that is said, beginning anew when it runs out.

    The tally's bounds are judged over all ranks, every `check_every` batches and at the end of a pass, by a small all-reduce.
    """

    def __init__(
        self,
        dataset: Any,
        *,
        tally: Optional[Tally] = None,
        steps: Optional[int] = None,
        check_every: int = 50,
        collate_fn: Optional[Callable[[List[Any]], Any]] = None,
        **arguments: Any,
    ):
        if arguments.get("batch_size", 1) is None:
            raise ValueError("batch_size is None: records are skipped within batches, so give a batch size")
        self._stream = isinstance(dataset, IterableDataset)
        if steps is not None and not self._stream:
            raise ValueError("steps is for an IterableDataset: a map-style dataset has as many batches as its sampler says")
        self.tally = tally or Tally(sum_over_group=sum_over_group)
        self._dataset, self._steps, self._check_every = dataset, steps, check_every
        self._collate = _Collate(collate_fn or default_collate, fill=not self._stream)
        reading = _ReadingStream(dataset) if self._stream else _Reading(dataset)
        self.loader = TorchDataLoader(reading, collate_fn=self._collate, **arguments)

    def __len__(self) -> int:
        return self._steps if self._steps is not None else len(self.loader)

    def __iter__(self) -> Iterator[Any]:
        done = 0
        for value in self._endless() if self._steps is not None else self._one_pass():
            yield value
            done += 1
            if done == self._steps:
                break
            if done % self._check_every == 0 and self._in_step():
                self.tally.check()
        if self._in_step() or not self.tally.over_group:
            self.tally.check(end_of_pass=True)

    def _in_step(self) -> bool:
        """Whether all ranks come here equally often, so that a collective is safe."""
        return not self._stream or self._steps is not None

    def _endless(self) -> Iterator[Any]:
        while True:
            some = False
            for value in self._one_pass():
                some = True
                yield value
            if not some:
                raise BadRecordsError("no batch of this rank's could be read")

    def _one_pass(self) -> Iterator[Any]:
        waiting: List[int] = []  # sizes of the batches before the first good one
        last: Optional[List[Any]] = None  # keys of the last good one
        for batch in self.loader:
            self._count(batch)
            if batch.value is not None:
                last = batch.keys
                for size in waiting:
                    yield self._again(last, size)
                waiting = []
                yield batch.value
            elif self._stream:
                continue
            elif last is None:
                waiting.append(len(batch.bad))
            else:
                yield self._again(last, len(batch.bad))
        if waiting:
            raise BadRecordsError(f"none of the {len(waiting)} batches of this rank could be read ({self.tally.bad} bad records)")

    def _count(self, batch: _Batch) -> None:
        self.tally.good(len(batch.keys))
        for bad in batch.bad:
            self.tally.skipped(bad.problem, bad.key)

    def _again(self, keys: List[Any], size: int) -> Any:
        """Rows that were good, read anew: those that were given away may have been changed in place."""
        return self._collate.collate([self._dataset[keys[place % len(keys)]] for place in range(size)])
