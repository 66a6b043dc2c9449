// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.tools;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;

/** Runs one measurement in a process of its own, which prints its result as one line. */
final class MeasuredProcess {
  private static final String MARK = "RESULT ";

  private MeasuredProcess() {}

  /**
   * Runs a class to its end and returns its result.
   *
   * @param log gets all that the process prints
   * @throws IOException if it printed no result; the message has what it did print
   */
  static String run(Path log, List<String> options, Class<?> mainClass, String... arguments)
      throws IOException, InterruptedException {
    try (JavaProcess process = JavaProcess.start(log, options, mainClass.getName(), arguments)) {
      process.waitFor();
    }
    String printed = Files.readString(log);
    return printed
        .lines()
        .filter(line -> line.startsWith(MARK))
        .map(line -> line.substring(MARK.length()))
        .findFirst()
        .orElseThrow(
            () -> new IOException("no result of " + Arrays.toString(arguments) + ": " + printed));
  }

  /** Prints the result of this process. */
  static void print(String result) {
    System.out.println(MARK + result);
  }
}
