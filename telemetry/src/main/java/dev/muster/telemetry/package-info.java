/** Reads what processes report: progress, metrics and logs. */
package dev.muster.telemetry;
