/**
 * How fast a client may send to a server: C3's cubic rate control, the alternatives to it, and the
 * token bucket under them. One {@link io.curtail.selection.rate.RateControl} per client and server.
 */
package io.curtail.selection.rate;
