"""XGBoost on two workers, a tree a step; rank 0 saves every five trees."""

import os
import time

import numpy as np
import xgboost
from xgboost import collective

import muster

me = muster.environment()
END = int(os.environ["STEPS"])


class Slowly(xgboost.callback.TrainingCallback):
    def after_iteration(self, model, epoch, evals_log):
        step = model.num_boosted_rounds()
        print(f"step {step}", flush=True)
        muster.report(step=step, total=END)
        if step % 5 == 0 and me.rank == 0:
            name = f"step-{step}.json"
            model.save_model(me.checkpoint_dir / "tmp.json")
            os.rename(me.checkpoint_dir / "tmp.json", me.checkpoint_dir / name)
            muster.report(checkpoint=name, step=step)
        time.sleep(0.2)
        return False


with collective.CommunicatorContext(
    dmlc_communicator="rabit", dmlc_tracker_uri=os.environ["DMLC_TRACKER_URI"],
    dmlc_tracker_port=int(os.environ["DMLC_TRACKER_PORT"]), dmlc_task_id=os.environ["DMLC_TASK_ID"],
):
    rows = np.random.default_rng(me.rank).normal(size=(200, 5))
    data = xgboost.DMatrix(rows, (rows.sum(axis=1) > 0).astype(float))
    before = me.resume_from and xgboost.Booster(model_file=me.resume_from)
    done = before.num_boosted_rounds() if before else 0
    if before:
        print(f"resumed from step {done}", flush=True)
    xgboost.train({"objective": "binary:logistic", "nthread": 1}, data, END - done, xgb_model=before, callbacks=[Slowly()])
