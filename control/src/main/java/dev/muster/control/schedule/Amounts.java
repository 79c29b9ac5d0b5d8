package dev.muster.control.schedule;

import dev.muster.model.Capacity;

/** Comparing what is asked for with what is there, thing by thing. What is not asked for never lacks, even where too much of it is held. */
final class Amounts {
    /** As good as no bound; sums of a few of them do not overflow. */
    static final Capacity BOUNDLESS = new Capacity(1 << 28, 1L << 60, 1L << 60, 1 << 28);

    private Amounts() {}

    /** What is missing of the demand, 0 for each thing of which there is enough. */
    static Capacity lacking(Capacity demand, Capacity room) {
        return new Capacity(
                (int) lacking(demand.processes(), room.processes()),
                lacking(demand.milliCpus(), room.milliCpus()),
                lacking(demand.memoryBytes(), room.memoryBytes()),
                (int) lacking(demand.gpus(), room.gpus()));
    }

    private static long lacking(long asked, long there) {
        return asked > 0 && asked > there ? asked - Math.max(0, there) : 0;
    }

    static boolean fits(Capacity demand, Capacity room) {
        return (demand.processes() <= 0 || demand.processes() <= room.processes())
                && (demand.milliCpus() <= 0 || demand.milliCpus() <= room.milliCpus())
                && (demand.memoryBytes() <= 0 || demand.memoryBytes() <= room.memoryBytes())
                && (demand.gpus() <= 0 || demand.gpus() <= room.gpus());
    }

    static Capacity least(Capacity one, Capacity other) {
        return new Capacity(
                Math.min(one.processes(), other.processes()),
                Math.min(one.milliCpus(), other.milliCpus()),
                Math.min(one.memoryBytes(), other.memoryBytes()),
                Math.min(one.gpus(), other.gpus()));
    }

    static Capacity most(Capacity one, Capacity other) {
        return new Capacity(
                Math.max(one.processes(), other.processes()),
                Math.max(one.milliCpus(), other.milliCpus()),
                Math.max(one.memoryBytes(), other.memoryBytes()),
                Math.max(one.gpus(), other.gpus()));
    }

    /** Whether both are more than 0 of the same thing. */
    static boolean overlap(Capacity one, Capacity other) {
        return one.processes() > 0 && other.processes() > 0
                || one.milliCpus() > 0 && other.milliCpus() > 0
                || one.memoryBytes() > 0 && other.memoryBytes() > 0
                || one.gpus() > 0 && other.gpus() > 0;
    }
}
