package dev.muster.backend.docker;

import dev.muster.backend.docker.DockerApi.Refusal;
import dev.muster.model.JobId;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;

/** How files of processes get to their containers and back. */
sealed interface Delivery permits MountedFiles, CopiedFiles {
    /** The word that stands for it on containers. */
    String word();

    /** Makes what has to be there before the container is, and adds what it mounts. Made anew when it was broken off. */
    void prepare(Launch launch, Rendered rendered, ArrayNode mounts) throws IOException, BackendException, Refusal;

    /** Puts into the container, which is made and not started, what it starts with. */
    void deliver(Launch launch, Rendered rendered, String container) throws IOException, BackendException, Refusal;

    /** Makes ready what a process that is held ready in a container finds there when it becomes this attempt. Asked again it changes nothing. */
    void offer(Found held, ProcessKey to) throws IOException, BackendException, Refusal;

    /** It did not become the attempt. */
    void withdraw(Found held, ProcessKey to) throws IOException;

    /** It became the attempt, whose files its container's are from now on. */
    void taken(Found held, ProcessKey to) throws IOException;

    /** The container runs: what it writes has to come, what the service writes for it has to get there. Asked again and again. */
    void follow(Found running);

    /** The container is over: returns when log and reports are whole. */
    void drain(Found ended) throws IOException, BackendException, Refusal;

    /** Brings models and checkpoints of what is over. */
    void collect(JobId job, List<Found> containers) throws IOException, BackendException, Refusal;

    /** The job's containers are gone; what else was made for it goes too. */
    void remove(JobId job) throws IOException, BackendException, Refusal;

    /** Forgets an attempt whose container is not there any more. */
    void forget(ProcessKey key);

    /** Stops whatever it does by itself. */
    void close();
}
