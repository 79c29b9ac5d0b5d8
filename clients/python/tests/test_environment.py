import os
import tempfile
import unittest
from pathlib import Path
from unittest.mock import patch

import muster


class Facts(unittest.TestCase):
    def test_outside_muster_it_is_one_process_in_its_folder(self):
        facts = muster.environment({})
        self.assertEqual((facts.rank, facts.world_size, facts.is_chief, facts.attempt), (0, 1, True, 1))
        self.assertEqual((facts.model_dir, facts.checkpoint_dir, facts.resume_from), (Path("model"), Path("checkpoints"), None))

    def test_what_muster_says(self):
        facts = muster.environment({
            "MUSTER_JOB_ID": "j", "MUSTER_RANK": "1", "MUSTER_WORLD_SIZE": "3", "MUSTER_IS_CHIEF": "false", "MUSTER_ATTEMPT": "2",
            "MUSTER_MODEL_DIR": "/m", "MUSTER_CHECKPOINT_DIR": "/c", "MUSTER_RESUME_FROM": "/c/ckpt-7",
            "MUSTER_CHECKPOINT_EVERY_SECONDS": "10", "MUSTER_DATA_FASHION_MNIST": "/d",
        })
        self.assertEqual((facts.rank, facts.world_size, facts.is_chief, facts.attempt), (1, 3, False, 2))
        self.assertEqual((facts.resume_from, facts.checkpoint_every, facts.data("fashion-mnist")), ("/c/ckpt-7", 10.0, "/d"))
        self.assertEqual(facts.data("other", "/e"), "/e")
        with self.assertRaisesRegex(KeyError, "MUSTER_DATA_OTHER is not set"):
            facts.data("other")

    def test_a_process_without_rank_has_none(self):
        self.assertIsNone(muster.environment({"MUSTER_JOB_ID": "j", "MUSTER_ROLE": "ps", "MUSTER_WORLD_SIZE": "3"}).rank)

    def test_ranks_below_torchrun_and_mpirun_are_theirs(self):
        launcher = {"MUSTER_JOB_ID": "j", "MUSTER_RANK": "0", "MUSTER_WORLD_SIZE": "1", "MUSTER_IS_CHIEF": "true"}
        torchrun = muster.environment({**launcher, "TORCHELASTIC_RUN_ID": "x", "RANK": "1", "WORLD_SIZE": "2"})
        self.assertEqual((torchrun.rank, torchrun.world_size, torchrun.is_chief, torchrun.shares_reports), (1, 2, False, True))
        mpi = muster.environment({**launcher, "OMPI_COMM_WORLD_RANK": "3", "OMPI_COMM_WORLD_SIZE": "4"})
        self.assertEqual((mpi.rank, mpi.world_size, mpi.shares_reports), (3, 4, True))


class Stopping(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.file = Path(folder.name) / "stop"
        patch.dict(os.environ, {"MUSTER_CONTROL_DIR": folder.name}).start()
        self.addCleanup(patch.stopall)

    def test_the_file_holds_the_step_after_which_to_leave(self):
        stop = muster.StopRequest(catch_term=False)
        self.assertFalse(stop.wanted(100))
        self.file.write_text("120\n")
        self.assertEqual([stop.wanted(step) for step in (119, 120, 121)], [False, True, True])

    def test_a_file_without_a_number_asks_at_once(self):
        self.file.write_text("")
        self.assertTrue(muster.StopRequest(catch_term=False).wanted(0))

    def test_one_rank_that_sees_it_takes_all_along(self):
        others = 0.0
        stop = muster.StopRequest(lambda wishes: [wishes[0] + others], catch_term=False)
        self.assertFalse(stop.agreed(5))
        others = 1.0  # a neighbour saw the file, this rank did not yet
        self.assertTrue(stop.agreed(5))

    def test_sigterm_asks_too(self):
        import signal
        before = signal.getsignal(signal.SIGTERM)
        self.addCleanup(signal.signal, signal.SIGTERM, before)
        stop = muster.StopRequest()
        os.kill(os.getpid(), signal.SIGTERM)
        self.assertTrue(stop.wanted(0))
