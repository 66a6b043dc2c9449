// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;

/**
 * The outcome of {@link Database#repair}. Immutable.
 *
 * @param tables tables that the database now has
 * @param sortedTablesKept sorted tables that are sound and belong to them
 * @param lost what could not be kept: files that are damaged, missing, or of no known owner, and
 *     damage in the log. For a damaged sorted table also how many of its cells are kept, and in
 *     which bytes and between which rows the others were
 * @param notes what was done, and remarks
 */
public record RepairReport(
    long tables, long sortedTablesKept, List<VerificationReport.Problem> lost, List<String> notes) {

  /**
   * Copies the lists, so that the record is immutable.
   *
   * @param tables tables that the database now has
   * @param sortedTablesKept sorted tables that are sound and belong to them
   * @param lost what could not be kept
   * @param notes what was done, and remarks
   */
  public RepairReport {
    lost = List.copyOf(lost);
    notes = List.copyOf(notes);
  }
}
