/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** How long tests wait, in one place. */
package io.curtail.waiting;
