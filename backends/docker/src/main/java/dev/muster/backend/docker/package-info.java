/** Backend docker: launch plans as containers of a dockerd, near or far. */
package dev.muster.backend.docker;
