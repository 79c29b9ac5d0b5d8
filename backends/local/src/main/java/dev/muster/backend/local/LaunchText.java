package dev.muster.backend.local;

import dev.muster.spi.Rendered;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What a shim is sent to start its program: shell text in which every value stands in single quotes, so that no byte of it is
 * interpreted. It travels through a pipe and is never on disk, for it holds secrets.
 *
 * <p>A shell cannot pass an exact environment on: it changes PWD, OLDPWD, SHLVL, PATH and {@code _}, drops names it does not like and keeps
 * some to itself. So {@code env} takes away what shells add and sets the names that mean something to shells or loaders; all other
 * variables are exported, for what stands in {@code env}'s arguments can be seen by everybody for a moment.
 *
 * <p>Where the program runs as another user, what becomes that user runs as root, and a variable such as {@code LD_PRELOAD} would have the
 * user's code run there. So a shell that is that user already is sent the variables and the program.
 *
 * @param programs where {@code env} and {@code setsid} are
 */
record LaunchText(Path env, Path setsid) {
    private static final List<String> ADDED_BY_SHELLS = List.of("PWD", "OLDPWD", "SHLVL", "_", "PATH");
    private static final Pattern SHELL_NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Set<String> OF_SHELLS = Set.of(
            "PWD",
            "OLDPWD",
            "SHLVL",
            "_",
            "PATH",
            "IFS",
            "ENV",
            "CDPATH",
            "FCEDIT",
            "MAIL",
            "MAILCHECK",
            "MAILPATH",
            "OPTIND",
            "OPTARG",
            "OPTERR",
            "PPID",
            "UID",
            "EUID",
            "GROUPS",
            "LINENO",
            "RANDOM",
            "SRANDOM",
            "SECONDS",
            "EPOCHSECONDS",
            "EPOCHREALTIME",
            "HOSTNAME",
            "HOSTTYPE",
            "MACHTYPE",
            "OSTYPE",
            "DIRSTACK",
            "FUNCNAME",
            "FUNCNEST",
            "SHELLOPTS",
            "POSIXLY_CORRECT",
            "PIPESTATUS",
            "REPLY",
            "TMOUT",
            "IGNOREEOF",
            "GLOBIGNORE",
            "EXECIGNORE",
            "CHILD_MAX",
            "PS1",
            "PS2",
            "PS3",
            "PS4",
            "TERM",
            "TZ",
            "COLUMNS",
            "LINES",
            "READLINE_LINE",
            "READLINE_POINT",
            "MAPFILE",
            "COPROC",
            "TEXTDOMAIN");
    private static final List<String> PREFIXES_OF_SHELLS =
            List.of("BASH", "LD_", "LC_", "LANG", "HIST", "COMP_", "TEXTDOMAIN");

    /**
     * The whole text.
     *
     * @param work    working folder
     * @param cgroups groups the process enters
     * @param hold    file that lists who holds the group's reservations, where there is one
     * @param lingers whether orphans of the program become children of the shim
     * @param confinement of a program that runs as another user
     */
    String of(
            Rendered rendered,
            Path work,
            List<CgroupFolder> cgroups,
            Optional<Path> hold,
            boolean lingers,
            Optional<Confinement> confinement) {
        StringBuilder text = new StringBuilder();
        assign(text, "hold", hold.map(Path::toString).orElse(""));
        assign(
                text,
                "oom",
                cgroups.stream()
                        .filter(CgroupFolder::countsKills)
                        .findFirst()
                        .map(cgroup -> cgroup.killsFile().toString())
                        .orElse(""));
        assign(text, "lingers", lingers ? "1" : "");
        text.append("enter() {\n:");
        cgroups.forEach(cgroup ->
                text.append(" && echo 0 >").append(quote(cgroup.entrance().toString())));
        confinement.ifPresent(confined -> text.append(" && ").append(confined.enter()));
        text.append("\n}\nrun() {\ncd ").append(quote(work.toString())).append(" || exit 126\n");
        if (confinement.isPresent()) {
            List<String> shell = new ArrayList<>(confinement.get().become());
            shell.addAll(List.of(Programs.ofSystem().require("sh").toString(), "-s"));
            text.append("exec ").append(quote(setsid.toString())).append(" -- ");
            text.append(quoted(shell)).append("\n}\n");
            String program = "run() {\n" + variables(rendered) + "exec " + exact(rendered) + quoted(rendered.argv())
                    + "\n}\nrun </dev/null\n";
            text.append("send() {\nprintf %s ").append(quote(program)).append("\n}\nsends=1\n");
        } else {
            text.append(variables(rendered)).append("exec ").append(exact(rendered));
            text.append(quote(setsid.toString())).append(" -- ");
            text.append(quoted(rendered.argv())).append("\n}\nsends=\n");
        }
        return text.append("ready=1\n").toString();
    }

    /** Commands that export what means nothing to shells. */
    private static String variables(Rendered rendered) {
        StringBuilder text = new StringBuilder();
        rendered.env().forEach((name, value) -> {
            if (isExported(name)) {
                text.append("export ")
                        .append(name)
                        .append('=')
                        .append(quote(value))
                        .append('\n');
            }
        });
        return text.toString();
    }

    /** What runs a command with the environment made exact. */
    private String exact(Rendered rendered) {
        StringBuilder text = new StringBuilder(quote(env.toString()));
        ADDED_BY_SHELLS.forEach(name -> text.append(" -u ").append(name));
        text.append(" -- ");
        rendered.env().forEach((name, value) -> {
            if (!isExported(name)) {
                text.append(quote(name + "=" + value)).append(' ');
            }
        });
        return text.toString();
    }

    private static String quoted(List<String> words) {
        return words.stream().map(LaunchText::quote).collect(Collectors.joining(" "));
    }

    private static boolean isExported(String name) {
        return SHELL_NAME.matcher(name).matches()
                && !OF_SHELLS.contains(name)
                && PREFIXES_OF_SHELLS.stream().noneMatch(name::startsWith);
    }

    private static void assign(StringBuilder text, String name, String value) {
        text.append(name).append('=').append(quote(value)).append('\n');
    }

    static String quote(String value) {
        return "'" + value.replace("'", "'\\''") + "'";
    }
}
