package dev.muster.backend.kubernetes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

class ListingTest {
    @Test
    void filesAreReadWithSpacesAndGroupedByEntry() {
        Listing listing = Listing.parse("3 100 ./step-1/part one\n4 101 ./step-1/deep/part\n5 102 ./checkpoint\n");
        assertThat(listing.of("step-1"))
                .isEqualTo(Map.of(
                        "step-1/part one", new Listing.Stat(3, 100), "step-1/deep/part", new Listing.Stat(4, 101)));
        assertThat(Listing.entry("checkpoint")).isEqualTo("checkpoint");
    }

    @Test
    void whatIsNoFileOfTheFolderIsPassedOver() {
        assertThat(Listing.parse("find: warning\nx 1 ./a\n3 100 /etc/passwd\n3 100 ./a/../../b\n")
                        .files())
                .isEmpty();
    }
}
