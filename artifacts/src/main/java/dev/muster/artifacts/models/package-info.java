/** Registered models: names with immutable versions. */
package dev.muster.artifacts.models;
