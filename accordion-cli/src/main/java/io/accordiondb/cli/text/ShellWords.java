// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.cli.text;

import java.util.List;
import java.util.stream.Collectors;

/** Words of a command line as a shell of Unix reads them. Pure functions. */
public final class ShellWords {
  private ShellWords() {}

  /** Returns words as one line that can be typed, in quotes where they need them. */
  public static String join(List<String> words) {
    return words.stream().map(ShellWords::quoted).collect(Collectors.joining(" "));
  }

  private static String quoted(String word) {
    return word.matches("[A-Za-z0-9_@%+=:,./-]+") ? word : "'" + word.replace("'", "'\\''") + "'";
  }
}
