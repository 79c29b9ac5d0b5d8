/** Tables of fields and the forms of their values; nothing here knows what a job is. */
package dev.muster.spec.form;
