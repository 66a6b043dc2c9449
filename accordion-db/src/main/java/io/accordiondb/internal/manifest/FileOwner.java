// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a sorted table when it was written. The file itself records it, so that a lost
 * manifest can be rebuilt. Immutable.
 *
 * @param tableName name of the table
 * @param region the record of its region
 * @param family the record of its family
 * @param flushedSequence all cells of the store up to this sequence number were in files, and none
 *     of its other cells except ingested ones; negative if that is not recorded
 * @param merged backing numbers of other files whose rows in the region are in this table and in
 *     those of the same compaction; with the number 0 among them, only if the compaction was
 *     completed
 */
public record FileOwner(
    String tableName,
    RegionRecord region,
    FamilyRecord family,
    long flushedSequence,
    Set<Long> merged) {
  /**
   * Among merged files, the number of none: the compaction writes further tables, and the last one
   * is without it.
   */
  private static final long PART = 0;

  private static final int ATTRIBUTE_BYTES_MIN = 2;

  /** Creates an owner of a table of which no more is known. */
  public FileOwner(String tableName, RegionRecord region, FamilyRecord family) {
    this(tableName, region, family, -1, Set.of());
  }

  /** Returns the owner of a table that was written at a moment when all of that was true. */
  public FileOwner at(long newFlushedSequence, Set<Long> newMerged) {
    return new FileOwner(tableName, region, family, newFlushedSequence, newMerged);
  }

  /** Returns the owner of a table that is not the last one of its compaction. */
  public FileOwner ofPart() {
    Set<Long> all = new TreeSet<>(merged);
    if (!all.isEmpty()) {
      all.add(PART);
    }
    return at(flushedSequence, all);
  }

  /** Returns whether a compaction that has merged files was to write further tables. */
  public boolean isOfPart() {
    return merged.contains(PART);
  }

  /** Returns whether all merged files satisfy a condition. */
  public boolean allMerged(LongPredicate condition) {
    return merged.stream().allMatch(number -> number == PART || condition.test(number));
  }

  /** Returns the owner as bytes. */
  public byte[] encode() {
    FieldWriter out = new FieldWriter();
    out.number(region.tableId());
    out.text(tableName);
    out.number(region.regionId());
    out.bytes(region.startKey());
    out.bytes(region.endKey());
    out.number(family.familyId());
    out.text(family.name());
    out.number(family.attributes().size());
    family
        .attributes()
        .forEach(
            (name, value) -> {
              out.text(name);
              out.text(value);
            });
    if (flushedSequence >= 0) {
      out.number(flushedSequence);
      out.number(merged.size());
      merged.forEach(out::number);
    }
    return out.toBuffer().array();
  }

  /**
   * Reads what {@link #encode} has returned.
   *
   * @param file the file that holds it, for messages
   * @return null if the bytes are empty: the file does not say
   */
  public static @Nullable FileOwner decode(ByteBuffer bytes, String file)
      throws CorruptionException {
    if (bytes.limit() == 0) {
      return null;
    }
    FieldReader in = new FieldReader(bytes, file, 0);
    long tableId = in.number();
    String tableName = in.text();
    RegionRecord region = new RegionRecord(in.number(), tableId, in.bytes(), in.bytes());
    int familyId = in.smallNumber();
    String familyName = in.text();
    int count = in.count(ATTRIBUTE_BYTES_MIN);
    Map<String, String> attributes = new TreeMap<>();
    for (int i = 0; i < count; i++) {
      attributes.put(in.text(), in.text());
    }
    FamilyRecord family = new FamilyRecord(familyId, familyName, attributes);
    FileOwner owner = new FileOwner(tableName, region, family);
    if (in.isAtEnd()) {
      return owner;
    }
    long flushedSequence = in.number();
    if (flushedSequence < 0) {
      throw in.corruption("a sequence number", Long.toString(flushedSequence));
    }
    Set<Long> merged = new TreeSet<>();
    for (int left = in.count(1); left > 0; left--) {
      merged.add(in.number());
    }
    in.checkEnd();
    return owner.at(flushedSequence, merged);
  }
}
