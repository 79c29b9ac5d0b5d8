package dev.muster.server.access;

import dev.muster.api.AuditDocument;
import java.util.List;
import java.util.OptionalLong;

/**
 * Some lines of the audit.
 *
 * @param lines newest first
 * @param next  position before which older ones lie; empty when there are none
 */
public record AuditPage(List<AuditDocument> lines, OptionalLong next) {
    public AuditPage {
        lines = List.copyOf(lines);
    }
}
