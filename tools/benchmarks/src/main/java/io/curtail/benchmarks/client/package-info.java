/** The highest rate that one session sustains against many simulated nodes. */
package io.curtail.benchmarks.client;
