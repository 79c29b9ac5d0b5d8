package dev.muster.backend.kubernetes;

import dev.muster.model.JobSpec;
import dev.muster.model.LaunchPlan;
import dev.muster.model.Member;
import dev.muster.model.Part;
import dev.muster.model.Placement;
import dev.muster.model.Template;
import java.util.Map;
import java.util.Optional;

/**
 * What parts of a plan are in a pod that nobody delivers anything to. A part that is known only to who starts the pod is absent.
 *
 * @param spec  the job
 * @param ports of each member; without any, addresses are absent
 */
record ManifestParts(JobSpec spec, Map<Member, Map<String, Integer>> ports) {
    static ManifestParts of(JobSpec spec, LaunchPlan plan) {
        Placement placement = Places.of(spec.name(), "", spec, plan);
        return new ManifestParts(spec, placement.ports());
    }

    ManifestParts withoutAddresses() {
        return new ManifestParts(spec, Map.of());
    }

    Optional<String> text(Template template) {
        return template.render(this::part);
    }

    private Optional<String> part(Part part) {
        return switch (part) {
            case Part.Text(String text) -> Optional.of(text);
            case Part.HostOf(Member member) -> host(member);
            case Part.PortOf(Member member, String port) -> port(member, port);
            case Part.AddressOf(Member member, String port) ->
                host(member).flatMap(host -> port(member, port).map(number -> host + ":" + number));
            // Where the code is, is the image's secret.
            case Part.PathOf(Part.Place place) ->
                place == Part.Place.CODE ? Optional.empty() : Optional.of(PodPaths.of(place));
            case Part.DataPath(String name) -> Optional.ofNullable(spec.data().get(name));
            case Part.SecretValue ignored -> Optional.empty();
            case Part.FactOf(Part.Fact fact) -> fact(fact);
            case Part.WhereBash ignored -> Optional.empty();
        };
    }

    /** Below the headless Service, in whatever namespace it is applied. */
    private Optional<String> host(Member member) {
        return ports.isEmpty() ? Optional.empty() : Optional.of(Names.host(member) + "." + spec.name());
    }

    private Optional<String> port(Member member, String port) {
        return Optional.ofNullable(ports.getOrDefault(member, Map.of()).get(port))
                .map(number -> Integer.toString(number));
    }

    private Optional<String> fact(Part.Fact fact) {
        return switch (fact) {
            case JOB_ID -> Optional.of(spec.name());
            case ATTEMPT -> Optional.of("1");
            case PYTHON -> Optional.of("python3");
            case SHELL -> Optional.of("sh");
            case INTERFACE, OUTWARD_INTERFACE ->
                spec.options().network().flatMap(network -> network.networkInterface());
            case RESUME_FROM, PATH -> Optional.empty();
        };
    }
}
