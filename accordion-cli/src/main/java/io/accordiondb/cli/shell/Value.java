// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.shell;

import java.util.List;
import java.util.Map;

/** A part of a statement. Immutable. */
sealed interface Value {
  /** A word, without its quotes; escapes stand as they were written. */
  record Word(String text) implements Value {}

  /** Values in brackets. */
  record Items(List<Value> values) implements Value {}

  /** Names in capitals, each with a value, in braces or at the end of a statement. */
  record Options(Map<String, Value> values) implements Value {}
}
