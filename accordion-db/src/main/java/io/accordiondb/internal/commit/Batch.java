// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.commit;

import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.hash.BytesHash;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.StoreClosedException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * An encoded write that is ready to be committed, as a whole or not at all. The memory stores copy
 * cells from its buffer, and so does the log unless it is compressed.
 *
 * @param payload the batch in the format of {@link BatchLayout}, from 0 to the limit
 * @param logged the payload in the form in which it is logged, from 0 to the limit
 * @param loggedCrc CRC32C of {@code logged}
 * @param cellCount number of cells
 * @param groups where the cells of each store are in the payload
 * @param regions regions of which the batch deletes rows in all families
 * @param rowHashes a hash of each row written, for conflicts with reads
 * @param deletesRanges whether the batch holds range tombstones, which change rows that {@code
 *     rowHashes} does not list
 * @param timeMillis the time of the write, in milliseconds; 0 if it is unknown
 * @param postponable whether exactly the cells that have this time as their timestamp were written
 *     without one
 */
public record Batch(
    ByteBuffer payload,
    ByteBuffer logged,
    int loggedCrc,
    int cellCount,
    StoreCells[] groups,
    Region[] regions,
    int[] rowHashes,
    boolean deletesRanges,
    long timeMillis,
    boolean postponable) {

  /**
   * Returns this batch, which must be postponable, with a later time. The payload changes, so the
   * batch must not be in use yet.
   */
  Batch postponedTo(long millis) {
    for (StoreCells group : groups) {
      int at = group.offset();
      for (int i = 0; i < group.cellCount(); i++) {
        if (KeyValueLayout.timestamp(payload, at) == timeMillis) {
          KeyValueLayout.setTimestamp(payload, at, millis);
        }
        at += group.format().step(payload, at);
      }
    }
    ByteBuffer loggedAgain =
        BatchCompression.isCompressed(logged) ? BatchCompression.compress(payload) : payload;
    return new Batch(
        payload,
        loggedAgain,
        crcOf(loggedAgain),
        cellCount,
        groups,
        regions,
        rowHashes,
        deletesRanges,
        millis,
        true);
  }

  /** Throws if a table of the batch is being changed, or was, so that it must be encoded again. */
  public void checkOpen() throws StoreClosedException {
    for (StoreCells cells : groups) {
      cells.store().checkOpen();
    }
    for (Region region : regions) {
      region.checkComplete();
    }
  }

  /** Returns the bytes of the keys (row and qualifier) and values of all cells. */
  long contentBytes() {
    long bytes = 0;
    for (StoreCells group : groups) {
      bytes += group.contentBytes();
    }
    return bytes;
  }

  /** Returns the CRC32C of a buffer from its position, which is 0, to its limit. */
  static int crcOf(ByteBuffer logged) {
    CRC32C crc = new CRC32C();
    crc.update(logged);
    logged.position(0);
    return (int) crc.getValue();
  }

  /** Returns the hash by which conflicts on a row are detected. */
  public static int hashOf(byte[] row) {
    return BytesHash.of(row, 0, row.length);
  }
}
