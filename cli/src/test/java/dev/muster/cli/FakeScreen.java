package dev.muster.cli;

import dev.muster.cli.screen.Screen;

/** A screen of a fixed size. */
public record FakeScreen(boolean canDraw, int columns, int rows) implements Screen {
    @Override
    public boolean isTerminal() {
        return canDraw;
    }
}
