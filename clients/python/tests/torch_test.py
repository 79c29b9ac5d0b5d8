"""With PyTorch; `clients/python/test` runs it. The two-rank cases start real processes that meet over Gloo."""

import io
import os
import subprocess
import sys
import tempfile
import unittest
from contextlib import redirect_stderr
from pathlib import Path
from unittest.mock import patch

import torch
from torch.utils.data import Dataset, IterableDataset

from muster import BadRecordsError, Tally
from muster.torch import DataLoader


class Rows(Dataset):
    def __init__(self, count, bad=()):
        self.count, self.bad = count, frozenset(bad)

    def __len__(self):
        return self.count

    def __getitem__(self, row):
        if row in self.bad:
            raise OSError(f"row {row} is torn")
        return torch.tensor(float(row))


class Stream(IterableDataset):
    def __init__(self, count, bad=()):
        self.count, self.bad = count, frozenset(bad)

    def __iter__(self):
        return self.Cursor(self)

    class Cursor:
        def __init__(self, stream):
            self.stream, self.row = stream, -1

        def __iter__(self):
            return self

        def __next__(self):
            self.row += 1
            if self.row >= self.stream.count:
                raise StopIteration
            if self.row in self.stream.bad:
                raise OSError("torn")
            return torch.tensor(float(self.row))


def free():
    return Tally(at_most_fraction=None)


class Loading(unittest.TestCase):
    def setUp(self):
        patch("muster.records.report").start()
        patch("muster.records.Tally._tell").start()
        self.addCleanup(patch.stopall)

    def test_without_bad_records_it_is_pytorchs_loader(self):
        mine = DataLoader(Rows(10), batch_size=4, tally=free())
        plain = torch.utils.data.DataLoader(Rows(10), batch_size=4)
        self.assertEqual([b.tolist() for b in mine], [b.tolist() for b in plain])
        self.assertEqual(len(mine), 3)

    def test_a35_a_bad_rows_place_is_taken_by_a_good_one_of_its_batch(self):
        tally = free()
        batches = [b.tolist() for b in DataLoader(Rows(10, [1, 9]), batch_size=4, tally=tally)]
        self.assertEqual(batches, [[0, 2, 3, 0], [4, 5, 6, 7], [8, 8]])
        self.assertEqual((tally.bad, tally.read), (2, 10))

    def test_a35_a_batch_without_a_good_row_is_replaced_by_the_last_good_one(self):
        batches = [b.tolist() for b in DataLoader(Rows(8, [4, 5]), batch_size=2, tally=free())]
        self.assertEqual(batches, [[0, 1], [2, 3], [2, 3], [6, 7]])

    def test_a35_before_the_first_good_batch_that_one_comes_early(self):
        batches = [b.tolist() for b in DataLoader(Rows(6, [0, 1, 2, 3]), batch_size=2, tally=free())]
        self.assertEqual(batches, [[4, 5], [4, 5], [4, 5]])

    def test_a_replacement_does_not_suffer_from_a_change_in_place(self):
        seen = []
        for batch in DataLoader(Rows(4, [2, 3]), batch_size=2, tally=free()):
            seen.append(batch.tolist())
            batch.mul_(100)
        self.assertEqual(seen, [[0, 1], [0, 1]])

    def test_a35_counted_also_from_the_loaders_processes_and_once_over_epochs(self):
        tally = free()
        loader = DataLoader(Rows(40, range(0, 40, 10)), batch_size=4, num_workers=2, tally=tally)
        for _ in range(2):
            self.assertEqual(len(list(loader)), 10)
        self.assertEqual((tally.bad, tally.read), (4, 80))

    def test_a_batch_that_cannot_be_put_together_is_bad_as_a_whole(self):
        def collate(rows):
            if any(row == 2 for row in rows):
                raise ValueError("shapes differ")
            return torch.stack(rows)
        tally = free()
        batches = [b.tolist() for b in DataLoader(Rows(6), batch_size=2, collate_fn=collate, tally=tally)]
        self.assertEqual((batches, tally.bad), ([[0, 1], [0, 1], [4, 5]], 2))

    def test_a35_too_many_fail(self):
        patch.stopall()
        patch("muster.records.report").start()
        with self.assertRaisesRegex(BadRecordsError, "3 bad records of 10 read over all ranks: at most 2 .*OSError: row 0 is torn"):
            with redirect_stderr(io.StringIO()):
                list(DataLoader(Rows(10, [0, 1, 2]), batch_size=5, tally=Tally(at_most=2, at_most_fraction=None, sum_over_group=list)))

    def test_a_rank_without_any_good_batch_fails(self):
        with self.assertRaisesRegex(BadRecordsError, "none of the 2 batches"):
            list(DataLoader(Rows(4, range(4)), batch_size=2, tally=free()))

    def test_a35_a_stream_leaves_bad_records_out_and_gives_the_planned_steps(self):
        tally = free()
        batches = [b.tolist() for b in DataLoader(Stream(6, [0, 3]), batch_size=2, steps=5, tally=tally)]
        self.assertEqual(batches, [[1], [2], [4, 5], [1], [2]])

    def test_a_stream_fed_by_a_generator_that_raised_has_lost_the_rest_and_that_is_said(self):
        class Mapped(IterableDataset):
            def __iter__(self):
                def torn():
                    yield "1"
                    raise OSError("torn")

                return map(float, torn())

        with self.assertRaisesRegex(BadRecordsError, "a record ended its generator .OSError: torn.*__next__"):
            list(DataLoader(Mapped(), batch_size=2, tally=free()))

    def test_the_same_gradient_on_average(self):
        """Over all orders of the rows the mean of filled batches is the mean of the good rows."""
        from itertools import permutations
        good, total, count = [1.0, 2.0, 3.0], 0.0, 0
        for order in permutations(range(4)):
            for batch in DataLoader(Rows(4, [0]), batch_size=2, sampler=list(order), tally=free()):
                total, count = total + batch.mean().item(), count + 1
        self.assertAlmostEqual(total / count, sum(good) / 3, places=12)


RANK = """
import sys, torch, torch.distributed as dist
from torch import nn
from torch.nn.parallel import DistributedDataParallel
from torch.utils.data import DistributedSampler
sys.path.insert(0, sys.argv[1])
from torch_test import Rows
from muster import BadRecordsError, Tally
from muster.torch import DataLoader, sum_over_group
dist.init_process_group("gloo")
rows = Rows(64, eval(sys.argv[2]))
model = DistributedDataParallel(nn.Linear(1, 1))
optimizer = torch.optim.SGD(model.parameters(), 0.0001)
tally = Tally(at_most=int(sys.argv[3]), at_most_fraction=None, sum_over_group=sum_over_group)
sampler = DistributedSampler(rows, shuffle=False)
steps = 0
try:
    for batch in DataLoader(rows, batch_size=4, sampler=sampler, tally=tally, check_every=3):
        optimizer.zero_grad()
        model(batch[:, None]).mean().backward()
        optimizer.step()
        steps += 1
    print("ended", steps, tally.bad, model.module.weight.item())
except BadRecordsError as problem:
    print("refused", steps, problem)
"""


class TwoRanks(unittest.TestCase):
    def ranks(self, bad, at_most):
        package = Path(__file__).resolve().parents[1]
        with tempfile.TemporaryDirectory() as folder:
            env = {**os.environ, "PYTHONPATH": str(package), "OMP_NUM_THREADS": "1", "WORLD_SIZE": "2", "MASTER_ADDR": "127.0.0.1",
                   "MASTER_PORT": str(29000 + os.getpid() % 900), "MUSTER_REPORT_FILE": f"{folder}/reports"}
            command = [sys.executable, "-c", RANK, str(package / "tests"), bad, str(at_most)]
            started = [subprocess.Popen(command, env={**env, "RANK": str(rank)}, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                                        text=True) for rank in range(2)]
            try:
                said = [process.communicate(timeout=120) for process in started]
            finally:
                for process in started:
                    process.kill()
            self.assertEqual([p.returncode for p in started], [0, 0], said)
            return [out.split() for out, _ in said]

    def test_a35_ranks_take_equally_many_steps_though_only_one_has_bad_rows(self):
        # Rank 0 has the even rows: a whole batch of its is bad, and single rows.
        first, second = self.ranks("[0, 2, 4, 6, 20, 40]", 100)
        self.assertEqual((first[:3], second[:3]), (["ended", "8", "6"], ["ended", "8", "0"]))
        self.assertEqual(first[3], second[3], "replicas are equal")

    def test_a35_all_ranks_refuse_at_the_same_step(self):
        first, second = self.ranks("range(0, 64, 8)", 2)
        self.assertEqual((first[:2], second[:2]), (["refused", "3"], ["refused", "3"]))
        self.assertIn("over all ranks", " ".join(second))


if __name__ == "__main__":
    unittest.main()
