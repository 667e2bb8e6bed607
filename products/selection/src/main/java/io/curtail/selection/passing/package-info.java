/**
 * Passing a read on: a server where it would have to wait gives it to another replica, so that a
 * client's old knowledge costs one hop and not a queue. No read is ever served twice.
 */
package io.curtail.selection.passing;
