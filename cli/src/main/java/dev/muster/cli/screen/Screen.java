package dev.muster.cli.screen;

/** What standard output is. */
public interface Screen {
    /** Columns to fit tables to where there is no terminal. */
    int UNBOUNDED = Integer.MAX_VALUE;

    /** Whether a person looks at it. */
    boolean isTerminal();

    /** Whether it is a terminal whose cursor may be moved. */
    boolean canDraw();

    /** Its width now; {@link #UNBOUNDED} where there is no terminal. */
    int columns();

    /** Its height now. */
    int rows();
}
