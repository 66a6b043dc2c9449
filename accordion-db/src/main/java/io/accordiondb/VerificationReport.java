// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;

/**
 * The outcome of {@link Database#verify}. Immutable.
 *
 * @param sortedTables the number of sorted tables read
 * @param logRecords the number of batches of the log read
 * @param cells the number of cells in the sorted tables
 * @param bytes the number of bytes read
 * @param problems what is damaged or missing
 * @param notes remarks on what is in order, such as what a crash has left
 */
public record VerificationReport(
    long sortedTables,
    long logRecords,
    long cells,
    long bytes,
    List<Problem> problems,
    List<String> notes) {

  /**
   * Copies the lists, so that the record is immutable.
   *
   * @param sortedTables the number of sorted tables read
   * @param logRecords the number of batches of the log read
   * @param cells the number of cells in the sorted tables
   * @param bytes the number of bytes read
   * @param problems what is damaged or missing
   * @param notes remarks on what is in order
   */
  public VerificationReport {
    problems = List.copyOf(problems);
    notes = List.copyOf(notes);
  }

  /**
   * A problem with a file.
   *
   * @param file its path
   * @param message what is wrong, with offset, expected and found where they apply
   */
  public record Problem(String file, String message) {}

  /** {@return whether there is no problem} */
  public boolean isSound() {
    return problems.isEmpty();
  }
}
