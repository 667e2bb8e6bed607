/*
 * Copyright the Curtail authors.
 * SPDX-License-Identifier: Apache-2.0
 */
package io.curtail.engine.trials.fuzz;

import java.util.List;
import java.util.Random;
import java.util.function.Function;

/**
 * A type of CQL and how to make literals of it.
 *
 * @param cql as a schema writes it
 * @param form whether the column has one cell or many
 * @param comparable whether keys and elements of sets may have it
 * @param parts the element of a list or set, key and value of a map, fields of a user type
 */
record CqlType(
    String cql,
    Form form,
    boolean comparable,
    List<CqlType> parts,
    Function<Random, String> literals) {

  /** How a column of the type is stored. */
  enum Form {
    SINGLE,
    LIST,
    SET,
    MAP,
    USER
  }

  String literal(Random random) {
    return literals.apply(random);
  }

  /** Whether it is that type, or has it somewhere within. */
  boolean has(String name) {
    return cql.contains(name) || parts.stream().anyMatch(part -> part.has(name));
  }

  boolean isMultiCell() {
    return form != Form.SINGLE;
  }
}
