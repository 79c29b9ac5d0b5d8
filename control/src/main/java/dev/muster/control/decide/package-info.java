/** What happens to jobs next: pure functions of records, observations and the time. No IO, no clock, no randomness, no threads. */
package dev.muster.control.decide;
