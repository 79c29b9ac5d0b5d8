/** What the training of the ahead-of-time cache needs: a service that says the same whatever is asked. */
package dev.muster.cli.training;
