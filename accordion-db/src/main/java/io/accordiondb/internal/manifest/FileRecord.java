// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import org.jspecify.annotations.Nullable;

/**
 * A sorted table of a store. Immutable. The table's own properties say more.
 *
 * @param fileNumber identity, which never changes; names the file, unless the record is a view
 * @param regionId region of the store
 * @param familyId family of the store
 * @param bytes length of the file; for a view, approximately the bytes that it shows
 * @param minSequence lowest sequence number in it
 * @param maxSequence highest sequence number in it
 * @param level 0, or the level to which a leveled compaction has assigned it
 * @param view the visible part of a file that several stores may share; null for all of a file that
 *     belongs to this store alone
 */
public record FileRecord(
    long fileNumber,
    long regionId,
    int familyId,
    long bytes,
    long minSequence,
    long maxSequence,
    int level,
    @Nullable FileView view) {

  /** Creates the record of a file that belongs to one store alone. */
  public FileRecord(
      long fileNumber,
      long regionId,
      int familyId,
      long bytes,
      long minSequence,
      long maxSequence) {
    this(fileNumber, regionId, familyId, bytes, minSequence, maxSequence, 0, null);
  }

  /** Returns the record of an ingested file whose cells all have a sequence number. */
  public FileRecord ingestedAs(long sequence) {
    if (view == null) {
      throw new IllegalStateException("file " + fileNumber + " was not ingested");
    }
    FileView seen = new FileView(view.backingNumber(), view.startKey(), view.endKey(), sequence);
    return new FileRecord(fileNumber, regionId, familyId, bytes, sequence, sequence, level, seen);
  }

  /** Returns the number in the name of the file that holds the cells. */
  public long backingNumber() {
    return view == null ? fileNumber : view.backingNumber();
  }

  /** Returns the number that the file itself states. */
  public long numberInFile() {
    return view != null && view.sequence() > 0 ? FileView.FOREIGN_NUMBER : backingNumber();
  }
}
