/** JSON (RFC 8259) as values, read strictly and written compactly. */
package dev.muster.formats.json;
