/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
/**
 * What is compared: policies of the client, modes of the nodes, both on storage with random times.
 * Arms of storage engines are in {@code io.curtail.lab.engine}.
 */
package io.curtail.lab.arm;
