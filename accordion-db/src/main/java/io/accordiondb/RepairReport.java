// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb;

import java.util.List;

/**
 * What {@link Database#repair} has done. Immutable.
 *
 * @param tables tables that the database now has
 * @param sortedTablesKept sorted tables that are sound and belong to them
 * @param lost what could not be kept: files that are damaged, missing, or of no known owner, and
 *     damage in the log; of a damaged sorted table also how many of its cells are kept, and in
 *     which of its bytes, between which rows, the others were
 * @param notes what was done, and what to know of it
 */
public record RepairReport(
    long tables, long sortedTablesKept, List<VerificationReport.Problem> lost, List<String> notes) {

  /** Makes the lists immutable. */
  public RepairReport {
    lost = List.copyOf(lost);
    notes = List.copyOf(notes);
  }
}
