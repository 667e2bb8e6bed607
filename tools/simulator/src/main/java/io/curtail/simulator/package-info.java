/**
 * The selection code that ships, in simulated time: servers with queues, clients that rank, a
 * network with delays, and the experiments of the C3 paper and beyond.
 */
package io.curtail.simulator;
