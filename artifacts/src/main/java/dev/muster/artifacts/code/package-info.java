/** Snapshots of training code, kept by the digest of their content. */
package dev.muster.artifacts.code;
