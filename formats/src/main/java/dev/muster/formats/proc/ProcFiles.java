package dev.muster.formats.proc;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/** {@code /proc} of some processes (proc(5)), where it is or as it was read elsewhere. A process may end meanwhile; then there is no answer. */
public interface ProcFiles {
    /** Content of a file of the process, such as {@code status}; empty when it is gone, empty or may not be read. */
    Optional<String> text(long pid, String file);

    /** Thread ids of the process, its main one first. */
    List<Long> threads(long pid);

    /** Inodes of the sockets the process has open. */
    Set<String> sockets(long pid);

    /** File name of the program the process runs. */
    Optional<String> program(long pid);

    /** The command line, its words parted by blanks. */
    default Optional<String> commandLine(long pid) {
        return text(pid, "cmdline").map(words -> words.replace('\0', ' ').strip());
    }
}
