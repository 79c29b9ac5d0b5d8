/** What all frameworks share: who has which rank, the variables every process is given, and how a plan is put together from them. */
package dev.muster.frameworks.launch;
