/** Decides which waiting jobs start, which make room, and why the others wait. Pure: reads no clock, no port, nothing that changes meanwhile. */
package dev.muster.control.schedule;
