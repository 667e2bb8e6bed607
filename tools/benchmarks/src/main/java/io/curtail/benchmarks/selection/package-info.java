/** What ranking replicas and recording a response cost. */
package io.curtail.benchmarks.selection;
