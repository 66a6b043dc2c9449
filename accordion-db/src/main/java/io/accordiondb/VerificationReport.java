// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;

/**
 * What {@link Database#verify} has found. Immutable.
 *
 * @param sortedTables sorted tables read
 * @param logRecords batches of the log read
 * @param cells cells in the sorted tables
 * @param bytes bytes read
 * @param problems what is not as it must be
 * @param notes what is in order, but worth knowing, such as what a crash has left
 */
public record VerificationReport(
    long sortedTables,
    long logRecords,
    long cells,
    long bytes,
    List<Problem> problems,
    List<String> notes) {

  /** Makes the lists immutable. */
  public VerificationReport {
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /**
   * A file that is not as it must be.
   *
   * @param file its path
   * @param message what is wrong, with offset, expected and found where there are such
   */
  public record Problem(String file, String message) {}

  /** Returns whether there is no problem. */
  public boolean isSound() {
    return problems.isEmpty();
  }
}
