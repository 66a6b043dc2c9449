// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

/**
 * A position in the sequence of records of numbered files. Immutable; ordered by file, then by
 * records.
 *
 * @param fileNumber number of the file; 0 for none
 * @param records number of records of the counted kind
 */
public record RecordMark(long fileNumber, long records) implements Comparable<RecordMark> {
  /** Before all files. */
  public static final RecordMark NONE = new RecordMark(0, 0);

  @Override
  public int compareTo(RecordMark other) {
    return fileNumber == other.fileNumber
        ? Long.compare(records, other.records)
        : Long.compare(fileNumber, other.fileNumber);
  }
}
