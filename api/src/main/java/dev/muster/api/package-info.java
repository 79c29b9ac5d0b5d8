/**
 * What the service and its clients exchange, see {@code openapi.yaml}: records, and one small JSON codec that turns them into text and
 * back. JDK only, without reflection, because the start of every command waits for it.
 *
 * <p>In JSON a field that has no value is {@code null} and never missing; times are ISO-8601 in UTC; states and causes are spelled as
 * in the contract. A reader of answers passes over fields it does not know; the service refuses unknown fields of a request.
 */
package dev.muster.api;
