/** Runs launch plans as processes of this machine. */
package dev.muster.backend.local;
