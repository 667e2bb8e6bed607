/**
 * Which replica gets the next read: what is known of each replica ({@link
 * io.curtail.selection.ReplicaLoad}), the policies that rank replicas by it ({@link
 * io.curtail.selection.RankingPolicy}, by name in {@link io.curtail.selection.Policies}), and the
 * feedback that servers attach to their answers.
 *
 * <p>The same code runs in a driver, in a coordinator and in the simulator. It imports {@code
 * java.*} only, starts no thread, does no I/O and has no clock: time (monotonic nanoseconds of the
 * caller's host) and randomness are arguments.
 */
package io.curtail.selection;
