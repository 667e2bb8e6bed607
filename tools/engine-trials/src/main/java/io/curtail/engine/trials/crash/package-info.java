/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Kills and power cuts under load: what was answered must be there, and nothing else. */
package io.curtail.engine.trials.crash;
