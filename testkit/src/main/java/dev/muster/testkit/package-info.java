/** What tests share: conformance kits, fakes and the simulated clock. */
package dev.muster.testkit;
