/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What measuring arms side by side in blocks has in common, whether the nodes are real or
 * simulated.
 */
package io.curtail.campaign;
