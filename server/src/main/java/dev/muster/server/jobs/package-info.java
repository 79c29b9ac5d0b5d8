/** What is served about jobs: submission and plans, documents, events, logs, commands. */
package dev.muster.server.jobs;
