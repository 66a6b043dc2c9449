// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

/** Thrown when a text ends in the middle of a statement, which may continue in the next line. */
final class IncompleteStatementException extends IllegalArgumentException {
  private static final long serialVersionUID = 1L;

  /** Names what is missing. */
  IncompleteStatementException(String missing) {
    super("a statement is not complete: it needs " + missing);
  }
}
