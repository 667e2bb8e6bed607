/** Runs inside a lab node, through hooks that stock Cassandra offers. */
package io.curtail.lab.hooks;
