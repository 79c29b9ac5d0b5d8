/** The fields of a job, how a specification is put together from them, and the rules that hold between them. */
package dev.muster.spec.job;
