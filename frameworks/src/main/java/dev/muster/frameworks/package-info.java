/** Pure launch plans, one package for each training framework. */
package dev.muster.frameworks;
