package dev.muster.control.schedule;

import dev.muster.model.Capacity;
import dev.muster.model.Queue;
import java.util.List;
import java.util.Set;

/**
 * A queue as it stands.
 *
 * @param queue    its settings
 * @param used     what its jobs hold
 * @param borrowed the part of it that goes beyond its quota; nothing for a queue without one
 * @param waiting  jobs that wait
 * @param active   jobs that hold capacity
 * @param users    who has jobs in it, by name
 */
public record QueueView(Queue queue, Capacity used, Capacity borrowed, int waiting, int active, List<User> users) {
    public QueueView {
        users = List.copyOf(users);
    }

    /**
     * A user in a queue.
     *
     * @param name    who
     * @param used    what the jobs of this user hold
     * @param share   the largest part of any one thing that these hold, 0 to 1
     * @param past    the mean of that share in the past, recent times weighing more
     * @param waiting jobs that wait
     * @param active  jobs that hold capacity
     * @param projects those that the jobs counted here are of
     */
    public record User(
            String name, Capacity used, double share, double past, int waiting, int active, Set<String> projects) {
        public User {
            projects = Set.copyOf(projects);
        }
    }
}
