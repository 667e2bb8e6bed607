/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Experiments on a live cluster: what a policy or a cluster does under a condition, beside another
 * one, in randomised blocks, with intervals, rules for discarding runs, and a report.
 */
package io.curtail.lab.scenario;
