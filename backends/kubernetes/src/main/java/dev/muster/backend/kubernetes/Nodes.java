package dev.muster.backend.kubernetes;

import dev.muster.model.Capacity;
import io.fabric8.kubernetes.api.model.Container;
import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What the nodes have, less what pods of others use, and which nodes do not answer; looked at every few seconds. Without the right to list nodes nothing is
 * known of them: capacity has no bound then, and the scheduler alone decides.
 */
final class Nodes implements AutoCloseable {
    static final Capacity UNBOUNDED =
            new Capacity(Integer.MAX_VALUE / 2, Long.MAX_VALUE / 4, Long.MAX_VALUE / 4, Integer.MAX_VALUE / 2);

    /** In which it is known what became of a node that does not answer, and so of what ran there. */
    static final Duration STATE_KNOWN = Duration.ofSeconds(60);

    /**
     * While the API server was away no node could tell it that it lives, so all seem to be lost when it is back, until the next time that their kubelets
     * tell: every 10 s.
     */
    private static final Duration SIGN_OF_LIFE = Duration.ofSeconds(25);

    private static final Logger LOG = System.getLogger(Nodes.class.getName());
    private static final long PERIOD_SECONDS = 5;
    private static final int FORBIDDEN = 403;

    private final KubernetesConfig config;
    private final Cluster cluster;
    private final ScheduledExecutorService lookout = Executors.newSingleThreadScheduledExecutor(
            Thread.ofPlatform().daemon().name("nodes").factory());
    private volatile Optional<Capacity> capacity = Optional.empty();
    private volatile Set<String> lost = Set.of();
    private boolean forbidden;
    private boolean broken;
    private Instant trustedFrom = Instant.MIN;

    Nodes(KubernetesConfig config, Cluster cluster) {
        this.config = config;
        this.cluster = cluster;
    }

    void start() {
        lookout.scheduleWithFixedDelay(this::look, 0, PERIOD_SECONDS, TimeUnit.SECONDS);
    }

    /** The newest known; what cannot be known does not bound. */
    Capacity capacity() {
        if (config.capacity().isPresent()) {
            return config.capacity().get();
        }
        if (capacity.isEmpty()) {
            look();
        }
        return capacity.orElse(UNBOUNDED);
    }

    /** Nodes that pods of ours may be on and that do not answer or are gone. */
    Set<String> lost() {
        return lost;
    }

    synchronized void look() {
        if (forbidden) {
            return;
        }
        try {
            List<Node> nodes = cluster.client().nodes().list().getItems();
            if (broken) {
                broken = false;
                trustedFrom = config.clock().now().plus(SIGN_OF_LIFE);
            }
            boolean trusted = !config.clock().now().isBefore(trustedFrom);
            lost = nodes.stream()
                    .filter(node -> !isReady(node))
                    .map(node -> node.getMetadata().getName())
                    .filter(name -> trusted || lost.contains(name))
                    .collect(Collectors.toUnmodifiableSet());
            capacity = Optional.of(sum(nodes));
        } catch (KubernetesClientException answer) {
            broken = true;
            if (answer.getCode() == FORBIDDEN) {
                forbidden = true;
                LOG.log(
                        Level.WARNING,
                        "the service may not list nodes and pods, so it does not know what the cluster has: "
                                + Failures.said(answer));
            }
        }
    }

    private static boolean isReady(Node node) {
        return node.getStatus().getConditions().stream()
                .anyMatch(each ->
                        each.getType().equals("Ready") && each.getStatus().equals("True"));
    }

    private Capacity sum(List<Node> nodes) {
        Set<String> usable = new HashSet<>();
        Map<String, BigDecimal> total = new HashMap<>();
        for (Node node : nodes) {
            boolean schedulable = !Boolean.TRUE.equals(node.getSpec().getUnschedulable())
                    && node.getSpec().getTaints().stream()
                            .noneMatch(taint -> taint.getEffect().equals("NoExecute"));
            if (schedulable && isReady(node)) {
                usable.add(node.getMetadata().getName());
                add(total, node.getStatus().getAllocatable(), BigDecimal.ONE);
            }
        }
        for (Pod pod : podsOfOthers()) {
            if (usable.contains(String.valueOf(pod.getSpec().getNodeName()))) {
                add(total, Map.of("pods", new Quantity("1")), BigDecimal.ONE.negate());
                Stream.concat(
                                pod.getSpec().getContainers().stream(),
                                pod.getSpec().getInitContainers().stream()
                                        .filter(each -> "Always".equals(each.getRestartPolicy())))
                        .map(Container::getResources)
                        .filter(resources -> resources != null && resources.getRequests() != null)
                        .forEach(resources -> add(total, resources.getRequests(), BigDecimal.ONE.negate()));
            }
        }
        return new Capacity(
                whole(total, "pods").intValue(),
                thousandths(total).longValue(),
                whole(total, "memory").longValue(),
                whole(total, config.gpuResource()).intValue());
    }

    /** Those that hold what they asked for; the API server leaves out the others, which may be many more. */
    private List<Pod> podsOfOthers() {
        return cluster.client()
                .pods()
                .inAnyNamespace()
                .withoutLabel(Labels.INSTANCE, config.instance())
                .withoutField("status.phase", "Succeeded")
                .withoutField("status.phase", "Failed")
                .list()
                .getItems();
    }

    private static void add(Map<String, BigDecimal> total, Map<String, Quantity> amounts, BigDecimal sign) {
        amounts.forEach(
                (name, amount) -> total.merge(name, amount.getNumericalAmount().multiply(sign), BigDecimal::add));
    }

    private static BigDecimal whole(Map<String, BigDecimal> total, String name) {
        return total.getOrDefault(name, BigDecimal.ZERO).max(BigDecimal.ZERO);
    }

    private static BigDecimal thousandths(Map<String, BigDecimal> total) {
        return whole(total, "cpu").movePointRight(3);
    }

    @Override
    public void close() {
        lookout.shutdownNow();
    }
}
