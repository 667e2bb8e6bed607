/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * A cluster of nodes with and without the storage engine under load, to which all is done that
 * operators and faults do, in an order that a seed decides, while what was answered is compared
 * with what can be read.
 */
package io.curtail.lab.chaos;
