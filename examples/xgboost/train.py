"""Gradient-boosted trees on scikit-learn's breast-cancer data, the rows shared out between the workers.

XGBoost reads no variable by itself: the four DMLC_ variables are handed to its communicator here. Every worker ends with the same
model; the chief (rank 0) saves it and compares it with the one that a single process trains on all rows.
"""

import hashlib
import json
import os
from pathlib import Path

import numpy as np
import xgboost
from sklearn.datasets import load_breast_cancer
from sklearn.model_selection import train_test_split
from xgboost import collective

ROUNDS = 20
PARAMETERS = {
    "objective": "binary:logistic",
    "eval_metric": "logloss",
    "tree_method": "hist",
    "max_depth": 4,
    "eta": 0.3,
    "base_score": 0.5,
    "nthread": 1,
}


def rows():
    """Training and test rows, the same on every worker."""
    features, labels = load_breast_cancer(return_X_y=True)
    return train_test_split(features, labels, test_size=0.25, random_state=7, stratify=labels)


class Report(xgboost.callback.TrainingCallback):
    """Tells Muster the progress; only the chief's counts."""

    def after_iteration(self, model, epoch, evals_log):
        loss = evals_log["train"]["logloss"][-1]
        print("::muster::" + json.dumps({"step": epoch + 1, "total": ROUNDS, "metrics": {"loss": loss}}), flush=True)
        return False


def train():
    rank, world = collective.get_rank(), collective.get_world_size()
    train_x, test_x, train_y, test_y = rows()
    mine = np.arange(rank, len(train_y), world)
    data = xgboost.DMatrix(train_x[mine], train_y[mine])
    model = xgboost.train(
        PARAMETERS, data, ROUNDS, evals=[(data, "train")], callbacks=[Report()], verbose_eval=False
    )
    probability = model.predict(xgboost.DMatrix(test_x))
    accuracy = float(np.mean((probability > 0.5) == test_y))
    trees = "".join(model.get_dump(with_stats=False))
    print(f"rank {rank} of {world}: rows {mine[0]}, {mine[1]}, ... ({len(mine)}), weights {hashlib.sha256(trees.encode()).hexdigest()[:16]}, "
          f"steps {model.num_boosted_rounds()}", flush=True)
    if os.environ.get("MUSTER_IS_CHIEF", "true") == "true":
        print("::muster::" + json.dumps({"step": ROUNDS, "total": ROUNDS, "metrics": {"test_accuracy": accuracy}}), flush=True)
        model.save_model(Path(os.environ.get("MUSTER_MODEL_DIR", ".")) / "model.ubj")
    return probability


def train_alone():
    """The same on one process and all rows."""
    train_x, test_x, train_y, _ = rows()
    model = xgboost.train(PARAMETERS, xgboost.DMatrix(train_x, train_y), ROUNDS)
    return model.predict(xgboost.DMatrix(test_x))


def main():
    if "DMLC_TRACKER_URI" not in os.environ:
        train()
        return
    with collective.CommunicatorContext(
        dmlc_communicator="rabit",
        dmlc_tracker_uri=os.environ["DMLC_TRACKER_URI"],
        dmlc_tracker_port=int(os.environ["DMLC_TRACKER_PORT"]),
        dmlc_task_id=os.environ["DMLC_TASK_ID"],
    ):
        together, rank = train(), collective.get_rank()
    if rank == 0:
        apart = float(np.max(np.abs(together - train_alone())))
        print(f"largest difference from the single-process model: {apart:.4f}", flush=True)


main()
