/** Where the nodes are: addresses, zones and the latencies between them. */
package io.curtail.lab.network;
