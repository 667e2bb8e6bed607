/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * Random schemas and statements, the same to a table of the engine and to a stock one beside it.
 */
package io.curtail.engine.trials.fuzz;
