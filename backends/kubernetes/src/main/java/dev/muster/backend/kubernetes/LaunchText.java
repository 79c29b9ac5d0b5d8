package dev.muster.backend.kubernetes;

import dev.muster.spi.Rendered;
import java.util.List;
import java.util.Map;

/**
 * What a pod's shim reads to start its program: a shell function in which every value stands in single quotes, so that no byte of it is
 * interpreted. It makes the plan's files, finds the program as the kernel would, and says what is wrong where it cannot be run; the variables are
 * set by {@code env}, for a shell cannot pass an exact environment on.
 */
final class LaunchText {
    private static final String BUSYBOX = "/muster/bin/busybox";
    private static final List<String> ADDED_BY_SHELLS = List.of("PWD", "OLDPWD", "SHLVL", "_");

    private LaunchText() {}

    static String of(Rendered rendered) {
        StringBuilder text = new StringBuilder("start() {\ncd /muster/code || exit 126\n");
        for (Map.Entry<String, String> file : rendered.files().entrySet()) {
            String path = quote("/muster/code/" + file.getKey());
            text.append(BUSYBOX).append(" mkdir -p ").append(quote(parent("/muster/code/" + file.getKey())));
            text.append(" && printf %s ")
                    .append(quote(file.getValue()))
                    .append(" >")
                    .append(path)
                    .append(" || exit 126\n");
        }
        String path = rendered.env().get("PATH");
        text.append("search=").append(path == null ? "$PATH" : quote(path)).append('\n');
        text.append("program=").append(quote(rendered.argv().getFirst())).append('\n');
        text.append(FIND);
        text.append("exec ").append(BUSYBOX).append(" setsid ").append(BUSYBOX).append(" env");
        ADDED_BY_SHELLS.forEach(name -> text.append(" -u ").append(name));
        text.append(" --");
        rendered.env().forEach((name, value) -> text.append(' ').append(quote(name + "=" + value)));
        text.append(" \"$found\"");
        rendered.argv().stream().skip(1).forEach(word -> text.append(' ').append(quote(word)));
        return text.append("\n}\n").toString();
    }

    private static final String FIND = """
            refuse() {
                printf %s "$2" >/muster/state/message
                exit "$1"
            }
            found=
            case $program in
                */*)
                    found=$program
                    [ -e "$found" ] || refuse 127 "there is no program $program in the image (a relative path is read from the working folder, the copy of the code)"
                    ;;
                *)
                    set -f
                    IFS=:
                    for folder in $search; do
                        if [ -z "$found" ] && [ -f "${folder:-.}/$program" ] && [ -x "${folder:-.}/$program" ]; then
                            found=${folder:-.}/$program
                        fi
                    done
                    unset IFS
                    set +f
                    [ -n "$found" ] || refuse 127 "there is no program $program on PATH ($search) in the image: put it there, or name it by its path"
                    ;;
            esac
            if [ -e /launch/requirements ]; then
                set -f
                IFS=:
                python=
                for folder in $search; do
                    [ -n "$python" ] || [ ! -x "${folder:-.}/python3" ] || python=${folder:-.}/python3
                done
                unset IFS
                set +f
                [ -n "$python" ] || refuse 127 "the job has Python requirements and the image has no python3 on PATH ($search)"
                unmet=$("$python" /launch/requirements.py /launch/requirements 2>&1) || refuse 127 "$unmet"
            fi
            if [ -d "$found" ] || [ ! -x "$found" ]; then
                refuse 126 "$program may not be executed: make it executable (chmod +x), or name its interpreter first"
            fi
            """;

    private static String parent(String path) {
        return path.substring(0, path.lastIndexOf('/'));
    }

    static String quote(String value) {
        return "'" + value.replace("'", "'\\''") + "'";
    }
}
