// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.util.ArrayList;
import java.util.List;

/** One change of a {@link Version}. Immutable. */
public sealed interface VersionEdit {
  /** A table is created, or its name or families change. */
  record PutTable(TableRecord table) implements VersionEdit {}

  /** A table is dropped; its regions have been dropped before. */
  record DropTable(long tableId) implements VersionEdit {}

  /** A region is created. */
  record PutRegion(RegionRecord region) implements VersionEdit {}

  /** A region is dropped, with the files and marks of its stores. */
  record DropRegion(long regionId) implements VersionEdit {}

  /** A store gets a file. */
  record AddFile(FileRecord file) implements VersionEdit {}

  /** A store loses a file. */
  record RemoveFile(long fileNumber) implements VersionEdit {}

  /** All cells of a store up to a sequence number are in its files. */
  record SetFlushedSequence(long regionId, int familyId, long sequence) implements VersionEdit {}

  /** A store gets range tombstones, which delete from all its files. */
  record AddRangeTombstones(long regionId, int familyId, RangeTombstones tombstones)
      implements VersionEdit {
    /** Bytes of the bounds in one part. */
    private static final long PART_BYTES = 1 << 20;

    /** Returns edits that add the same tombstones, none of which is long for a record. */
    static List<AddRangeTombstones> parts(long regionId, int familyId, RangeTombstones tombstones) {
      List<AddRangeTombstones> parts = new ArrayList<>();
      List<RangeTombstone> part = new ArrayList<>();
      long bytes = 0;
      for (RangeTombstone tombstone : tombstones.toList()) {
        if (bytes > PART_BYTES) {
          parts.add(new AddRangeTombstones(regionId, familyId, RangeTombstones.of(part)));
          part.clear();
          bytes = 0;
        }
        part.add(tombstone);
        bytes += boundBytes(tombstone);
      }
      parts.add(new AddRangeTombstones(regionId, familyId, RangeTombstones.of(part)));
      return parts;
    }

    /** Returns the bytes of the bounds of all tombstones. */
    long boundBytes() {
      return tombstones.toList().stream().mapToLong(AddRangeTombstones::boundBytes).sum();
    }

    private static long boundBytes(RangeTombstone tombstone) {
      return tombstone.start().length + tombstone.end().length;
    }
  }

  /** Range tombstones of a store have nothing left to delete from. */
  record RemoveRangeTombstones(long regionId, int familyId, RangeTombstones tombstones)
      implements VersionEdit {}

  /** Numbers of files, tables and regions below this one were allocated. */
  record SetNextNumber(long nextNumber) implements VersionEdit {}

  /** The clock has given timestamps up to this one to writes. */
  record SetClockFloor(long timestamp) implements VersionEdit {}

  /** Until the next edit of this kind, the clock gives no write a timestamp above this one. */
  record SetClockCeiling(long timestamp) implements VersionEdit {}

  /**
   * A log file was started, after all others or where it was prepared, and its beginning is on the
   * device; or a file was prepared, after all others, so that the log can continue in it.
   *
   * @param previousSequence the last sequence number before the file; -1 if it is prepared
   */
  record AddLog(long fileNumber, long previousSequence) implements VersionEdit {
    static AddLog prepared(long fileNumber) {
      return new AddLog(fileNumber, -1);
    }

    /** Returns whether the beginning of the file may not be on the device. */
    public boolean isPrepared() {
      return previousSequence < 0;
    }
  }

  /** A log file is no longer part of the log. */
  record RemoveLog(long fileNumber) implements VersionEdit {}

  /** Log files up to a number were once part of the log; only those that were added still are. */
  record SetHighestLog(long fileNumber) implements VersionEdit {}
}
