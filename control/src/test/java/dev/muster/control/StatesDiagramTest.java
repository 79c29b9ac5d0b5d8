package dev.muster.control;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;

final class StatesDiagramTest {
    @Test
    void theDocumentIsWhatTheTableSays() {
        assertThat(Path.of("..").resolve(StatesDiagram.FILE))
                .as("run the main of StatesDiagram in the repository root to draw it anew")
                .hasContent(StatesDiagram.text());
    }
}
