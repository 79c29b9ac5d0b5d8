package dev.muster.backend.local;

import dev.muster.backend.local.Shims.Shim;
import dev.muster.model.Cause;
import dev.muster.model.Member;
import dev.muster.model.ProcessKey;
import dev.muster.spi.BackendException;
import dev.muster.spi.Launch;
import dev.muster.spi.Rendered;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Starts one attempt: a shim claims it, then its folders are made, then the shim is told what to run. Whoever fails in between takes the
 * claim back, so that nothing was started.
 */
record Starter(Shims shims, Workspace workspace, Places places) {
    /**
     * Where things of an attempt go.
     *
     * @param cgroups groups that may be made
     * @param events  where shims wake the service
     * @param own     names and folders of this home
     */
    record Places(Cgroups cgroups, EventFolder events, Own own) {
        List<CgroupFolder> makeCgroups(Launch launch) throws BackendException {
            ProcessKey key = launch.key();
            try {
                return cgroups.make(
                        CgroupRemains.name(own.name(), key), launch.spec().resources(key.name()));
            } catch (IOException refused) {
                throw Failures.of("the limits of " + key.name() + " could not be set", Cause.LAUNCH_FAILED, refused);
            }
        }
    }

    /** Starts the attempt; gives the shim, or nothing when another has it. */
    Optional<Process> start(Launch launch, Rendered rendered, AttemptFolder folder, Path hold, Optional<OsUser> user)
            throws BackendException {
        checkCanBePassed(launch.key(), rendered);
        Shim shim = spawn(launch, folder, user);
        return switch (shim.answer()) {
            case CLAIMED -> {
                launch(shim, launch, rendered, folder, hold, user);
                yield Optional.of(shim.process());
            }
            case TAKEN -> Optional.empty();
            case FAILED ->
                throw Failures.failed(
                        Cause.LAUNCH_FAILED,
                        "the start of " + launch.key().name() + " could not be written down; see "
                                + folder.path().resolve("shim.log"));
        };
    }

    /** The kernel ends every argument and variable at its first byte 0. */
    private static void checkCanBePassed(ProcessKey key, Rendered rendered) throws BackendException {
        if (rendered.argv().isEmpty()) {
            throw Failures.refused(Cause.LAUNCH_FAILED, key.name() + " has no program to run");
        }
        if (rendered.argv().stream().anyMatch(word -> word.indexOf(0) >= 0)) {
            throw Failures.refused(
                    Cause.LAUNCH_FAILED,
                    "an argument of " + key.name() + " holds a byte 0, which no program can be given");
        }
        for (Map.Entry<String, String> variable : rendered.env().entrySet()) {
            String name = variable.getKey();
            if (name.isEmpty()
                    || name.indexOf('=') >= 0
                    || name.indexOf(0) >= 0
                    || variable.getValue().indexOf(0) >= 0) {
                throw Failures.refused(
                        Cause.LAUNCH_FAILED,
                        "env." + name + " of " + key.name()
                                + " cannot be passed: a name is not empty and without =, neither holds a byte 0");
            }
        }
    }

    private Shim spawn(Launch launch, AttemptFolder folder, Optional<OsUser> user) throws BackendException {
        ProcessKey key = launch.key();
        try {
            Files.createDirectories(folder.path());
            return shims.spawn(
                    folder.path(), workspace.folders().log(key), places.events().prefix(key), user.isPresent());
        } catch (IOException failed) {
            throw Failures.of(key.name() + " could not be started", Cause.LAUNCH_FAILED, failed);
        }
    }

    private void launch(
            Shim shim, Launch launch, Rendered rendered, AttemptFolder folder, Path hold, Optional<OsUser> user)
            throws BackendException {
        ProcessKey key = launch.key();
        boolean launched = false;
        try {
            workspace.prepare(launch, rendered, user);
            List<CgroupFolder> cgroups = places.makeCgroups(launch);
            folder.write(facts(launch, rendered, cgroups));
            String text = shims.text()
                    .of(
                            rendered,
                            workspace.folders().code(key),
                            cgroups,
                            Optional.of(hold),
                            shims.lingers(),
                            user.map(each -> workspace.confinement(
                                    launch,
                                    each,
                                    places.own().events(),
                                    places.own().stage())));
            shim.launch(text);
            launched = true;
        } catch (IOException failed) {
            throw Failures.of(key.name() + " could not be started", Cause.LAUNCH_FAILED, failed);
        } finally {
            if (!launched) {
                abandon(shim);
            }
        }
    }

    Facts facts(Launch launch, Rendered rendered, List<CgroupFolder> cgroups) {
        ProcessKey key = launch.key();
        return new Facts(
                address(launch),
                JoinSign.of(launch.plan().join(), key.name().member(), launch.placement()),
                cgroups,
                workspace.unrunnable(key, rendered));
    }

    /** Where peers reach the process: with its port where it has exactly one. */
    private static String address(Launch launch) {
        Member member = launch.key().name().member();
        String host = launch.placement().hosts().getOrDefault(member, "");
        Collection<Integer> ports =
                launch.placement().ports().getOrDefault(member, Map.of()).values();
        if (ports.size() != 1) {
            return host;
        }
        return (host.contains(":") ? "[" + host + "]" : host) + ":"
                + ports.iterator().next();
    }

    private static void abandon(Shim shim) {
        try {
            shim.abandon();
        } catch (IOException gone) {
            // The shim sees the end of its input as well.
            return;
        }
    }
}
