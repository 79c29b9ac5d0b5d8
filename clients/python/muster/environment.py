"""What a process was told by Muster, with defaults that let the same script run without it."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Mapping, Optional, Tuple


@dataclass(frozen=True)
class Environment:
    """Facts of this process. Outside Muster it is rank 0 of a world of one, and its folders lie in the working folder."""

    job_id: Optional[str]
    job_name: Optional[str]
    role: Optional[str]
    index: int
    rank: Optional[int]  # None for a process without rank: parameter server, evaluator, launcher, sidecar
    world_size: int
    attempt: int
    is_chief: bool
    model_dir: Path  # new and empty; the chief's becomes the model
    checkpoint_dir: Path  # one for the job, shared by its processes and attempts
    checkpoint_every: Optional[float]  # seconds
    resume_from: Optional[str]  # what the framework's restore takes; None: begin anew
    control_dir: Optional[Path]
    report_file: Optional[Path]
    shares_reports: bool  # several ranks write to one report file (torchrun, mpirun): rank 0 reports for all
    variables: Mapping[str, str]

    def data(self, name: str, default: Optional[str] = None) -> str:
        """Where the job's `data.NAME` lies."""
        variable = "MUSTER_DATA_" + "".join(c if c.isascii() and c.isalnum() else "_" for c in name).upper()
        found = self.variables.get(variable, default)
        if found is None:
            raise KeyError(f"{variable} is not set: name the data in the job text as `data: {{{name}: ...}}`, or give a default")
        return found


def environment(variables: Optional[Mapping[str, str]] = None) -> Environment:
    """Reads the variables of this process, or those given."""
    known = dict(os.environ if variables is None else variables)
    rank, world = _place(known)
    every = known.get("MUSTER_CHECKPOINT_EVERY_SECONDS")
    return Environment(
        job_id=known.get("MUSTER_JOB_ID"),
        job_name=known.get("MUSTER_JOB_NAME"),
        role=known.get("MUSTER_ROLE"),
        index=int(known.get("MUSTER_INDEX", 0)),
        rank=rank,
        world_size=world,
        attempt=int(known.get("MUSTER_ATTEMPT", 1)),
        is_chief=rank == 0 if _launched_by_framework(known) else known.get("MUSTER_IS_CHIEF", "true") == "true",
        model_dir=Path(known.get("MUSTER_MODEL_DIR", "model")),
        checkpoint_dir=Path(known.get("MUSTER_CHECKPOINT_DIR", "checkpoints")),
        checkpoint_every=float(every) if every else None,
        resume_from=known.get("MUSTER_RESUME_FROM") or None,
        control_dir=_path(known.get("MUSTER_CONTROL_DIR")),
        report_file=_path(known.get("MUSTER_REPORT_FILE")),
        shares_reports=_launched_by_framework(known),
        variables=known,
    )


def _launched_by_framework(known: Mapping[str, str]) -> bool:
    """Whether torchrun or mpirun started this rank: then Muster's variables speak of their launcher."""
    return "TORCHELASTIC_RUN_ID" in known or "OMPI_COMM_WORLD_RANK" in known


def _place(known: Mapping[str, str]) -> Tuple[Optional[int], int]:
    if "TORCHELASTIC_RUN_ID" in known:
        return int(known["RANK"]), int(known["WORLD_SIZE"])
    if "OMPI_COMM_WORLD_RANK" in known:
        return int(known["OMPI_COMM_WORLD_RANK"]), int(known["OMPI_COMM_WORLD_SIZE"])
    if "MUSTER_RANK" in known:
        return int(known["MUSTER_RANK"]), int(known["MUSTER_WORLD_SIZE"])
    return (None if "MUSTER_JOB_ID" in known else 0), int(known.get("MUSTER_WORLD_SIZE", 1))


def _path(text: Optional[str]) -> Optional[Path]:
    return Path(text) if text else None
