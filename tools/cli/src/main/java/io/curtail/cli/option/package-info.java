/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What several commands take: options that mean the same in each, and what is made of them; may use
 * no other package of the command line.
 */
package io.curtail.cli.option;
