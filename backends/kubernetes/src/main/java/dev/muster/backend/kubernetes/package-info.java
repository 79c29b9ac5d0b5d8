/** Runs launch plans as pods of a Kubernetes cluster. */
package dev.muster.backend.kubernetes;
