/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * The {@code curtail} command, and those of its commands that are in no group.
 *
 * <p>This package may use all those below it. A group of commands has a package: {@code bench},
 * {@code engine}, {@code lab} and {@code simulate}, which do not know each other. What they share
 * is below them: {@code option} is what commands take, {@code output} what they say and keep.
 */
package io.curtail.cli;
