/** Where requests wait when every replica of their group is over its rate. */
package io.curtail.selection.backlog;
