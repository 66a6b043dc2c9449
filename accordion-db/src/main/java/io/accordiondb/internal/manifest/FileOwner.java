// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a sorted table when it was written. The file itself records it, so that a lost
 * manifest can be rebuilt. Immutable.
 *
 * @param tableName name of the table
 * @param region the record of its region
 * @param family the record of its family
 */
public record FileOwner(String tableName, RegionRecord region, FamilyRecord family) {
  private static final int ATTRIBUTE_BYTES_MIN = 2;

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
    in.checkEnd();
    return new FileOwner(tableName, region, new FamilyRecord(familyId, familyName, attributes));
  }
}
