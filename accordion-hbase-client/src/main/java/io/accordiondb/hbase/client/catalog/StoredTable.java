// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import java.io.DataInputStream;
import java.io.IOException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.jspecify.annotations.Nullable;

/**
 * What the catalog keeps of a table. Immutable.
 *
 * @param descriptor as HBase's client has set it
 * @param enabled whether the table is enabled
 * @param pending the descriptor that the table gets when a change of it is complete; null if none
 *     is under way
 * @param restoringFrom the table of the snapshot whose contents the table is getting; null if none
 */
record StoredTable(
    TableDescriptor descriptor,
    boolean enabled,
    @Nullable TableDescriptor pending,
    @Nullable String restoringFrom) {

  private static final int DISABLED = 1;
  private static final int PENDING = 2;
  private static final int RESTORING = 4;
  private static final int KNOWN = DISABLED | PENDING | RESTORING;

  /** Returns the record of a table that no change is under way for. */
  static StoredTable of(TableDescriptor descriptor, boolean enabled) {
    return new StoredTable(descriptor, enabled, null, null);
  }

  byte[] encode() throws IOException {
    return StoredRecords.encode(
        out -> {
          out.writeByte(
              (enabled ? 0 : DISABLED)
                  | (pending == null ? 0 : PENDING)
                  | (restoringFrom == null ? 0 : RESTORING));
          StoredRecords.writeDescriptor(out, descriptor);
          if (pending != null) {
            StoredRecords.writeDescriptor(out, pending);
          }
          if (restoringFrom != null) {
            out.writeUTF(restoringFrom);
          }
        });
  }

  static StoredTable decode(String key, byte[] value) throws IOException {
    return StoredRecords.decode(key, value, StoredTable::read);
  }

  private static StoredTable read(DataInputStream in) throws IOException {
    int flags = in.readUnsignedByte();
    if ((flags & ~KNOWN) != 0) {
      throw new IllegalArgumentException("flags " + flags);
    }
    TableDescriptor descriptor = StoredRecords.readDescriptor(in);
    TableDescriptor pending = (flags & PENDING) == 0 ? null : StoredRecords.readDescriptor(in);
    String restoringFrom = (flags & RESTORING) == 0 ? null : in.readUTF();
    return new StoredTable(descriptor, (flags & DISABLED) == 0, pending, restoringFrom);
  }
}
