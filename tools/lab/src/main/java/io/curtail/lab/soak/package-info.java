/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/** Nodes with curtail-server under load and faults for long: does anything stay behind? */
package io.curtail.lab.soak;
