// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.CorruptionException;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;

/**
 * The payload of the properties block: entries of number (1), length (4) and that many bytes.
 * Numbers are eight bytes long, keys are those of cells, from the row length to the type. A reader
 * skips unknown entries, so later versions can add some.
 */
final class PropertiesCodec {
  private static final int CELL_COUNT = 1;
  private static final int MARKER_COUNT = 2;
  private static final int FAMILY_MARKER_COUNT = 3;
  private static final int FIRST_KEY = 4;
  private static final int LAST_KEY = 5;
  private static final int TIMESTAMP_MIN = 6;
  private static final int TIMESTAMP_MAX = 7;
  private static final int SEQUENCE_MIN = 8;
  private static final int SEQUENCE_MAX = 9;
  private static final int KEY_BYTES = 10;
  private static final int VALUE_BYTES = 11;
  private static final int DATA_BLOCK_COUNT = 12;
  private static final int DATA_BYTES = 13;
  private static final int INDEX_BYTES = 14;
  private static final int FILTER_BYTES = 15;
  private static final int FILTER_KEY_COUNT = 16;
  private static final int COMPRESSION = 17;
  private static final int BLOOM_KIND = 18;
  private static final int INDEX_LEVELS = 19;
  private static final int OWNER = 20;
  private static final int APPLIED_UP_TO = 21;

  private static final int NUMBER_ENTRIES = 17;
  private static final int ENTRY_OVERHEAD_BYTES = Byte.BYTES + Integer.BYTES;
  private static final int NUMBER_ENTRY_BYTES = ENTRY_OVERHEAD_BYTES + Long.BYTES;

  private PropertiesCodec() {}

  /** Returns the payload. File number and length are not in it: the footer has them. */
  static byte[] write(SortedTableProperties properties) {
    int firstKeyLength = KeyValueLayout.keyLength(properties.firstCell(), 0);
    int lastKeyLength = KeyValueLayout.keyLength(properties.lastCell(), 0);
    ByteBuffer owner = properties.owner();
    int ownerLength = owner.limit() == 0 ? 0 : ENTRY_OVERHEAD_BYTES + owner.limit();
    boolean isAppliedKnown = properties.appliedUpTo() != Long.MAX_VALUE;
    ByteBuffer target =
        ByteBuffer.allocate(
            (isAppliedKnown ? NUMBER_ENTRIES + 1 : NUMBER_ENTRIES) * NUMBER_ENTRY_BYTES
                + 2 * ENTRY_OVERHEAD_BYTES
                + firstKeyLength
                + lastKeyLength
                + ownerLength);
    putNumber(target, CELL_COUNT, properties.cellCount());
    putNumber(target, MARKER_COUNT, properties.markerCount());
    putNumber(target, FAMILY_MARKER_COUNT, properties.familyMarkerCount());
    putKey(target, FIRST_KEY, properties.firstCell());
    putKey(target, LAST_KEY, properties.lastCell());
    putNumber(target, TIMESTAMP_MIN, properties.timestampMin());
    putNumber(target, TIMESTAMP_MAX, properties.timestampMax());
    putNumber(target, SEQUENCE_MIN, properties.sequenceMin());
    putNumber(target, SEQUENCE_MAX, properties.sequenceMax());
    putNumber(target, KEY_BYTES, properties.keyBytes());
    putNumber(target, VALUE_BYTES, properties.valueBytes());
    putNumber(target, DATA_BLOCK_COUNT, properties.dataBlockCount());
    putNumber(target, DATA_BYTES, properties.dataBytes());
    putNumber(target, INDEX_BYTES, properties.indexBytes());
    putNumber(target, FILTER_BYTES, properties.filterBytes());
    putNumber(target, FILTER_KEY_COUNT, properties.filterKeyCount());
    putNumber(target, COMPRESSION, SortedTableFormat.compressionId(properties.compression()));
    putNumber(target, BLOOM_KIND, SortedTableFormat.bloomKindId(properties.bloomKind()));
    putNumber(target, INDEX_LEVELS, properties.indexLevels());
    if (ownerLength > 0) {
      target.put((byte) OWNER).putInt(owner.limit()).put(owner.duplicate().rewind());
    }
    if (isAppliedKnown) {
      putNumber(target, APPLIED_UP_TO, properties.appliedUpTo());
    }
    return target.array();
  }

  /** Reads the payload of a file with this number and length. */
  static SortedTableProperties read(Block block, long fileNumber, long fileBytes)
      throws CorruptionException {
    Entries entries = new Entries(block);
    long cellCount = entries.number(CELL_COUNT, 1, Long.MAX_VALUE);
    int compressionId = (int) entries.number(COMPRESSION, 0, SortedTableFormat.COMPRESSION_ID_MAX);
    int bloomKindId = (int) entries.number(BLOOM_KIND, 0, SortedTableFormat.BLOOM_KIND_ID_MAX);
    return new SortedTableProperties(
        fileNumber,
        fileBytes,
        cellCount,
        entries.number(MARKER_COUNT, 0, cellCount),
        entries.number(FAMILY_MARKER_COUNT, 0, cellCount),
        entries.cell(FIRST_KEY),
        entries.cell(LAST_KEY),
        entries.number(TIMESTAMP_MIN, Long.MIN_VALUE, Long.MAX_VALUE),
        entries.number(TIMESTAMP_MAX, Long.MIN_VALUE, Long.MAX_VALUE),
        entries.number(SEQUENCE_MIN, Long.MIN_VALUE, Long.MAX_VALUE),
        entries.number(SEQUENCE_MAX, Long.MIN_VALUE, Long.MAX_VALUE),
        entries.number(KEY_BYTES, 0, Long.MAX_VALUE),
        entries.number(VALUE_BYTES, 0, Long.MAX_VALUE),
        entries.number(DATA_BLOCK_COUNT, 1, cellCount),
        entries.number(DATA_BYTES, 1, fileBytes),
        entries.number(INDEX_BYTES, 1, fileBytes),
        entries.number(FILTER_BYTES, 0, fileBytes),
        entries.number(FILTER_KEY_COUNT, 0, cellCount),
        SortedTableFormat.compression(compressionId),
        SortedTableFormat.bloomKind(bloomKindId),
        (int) entries.number(INDEX_LEVELS, 1, 2),
        entries.bytes(OWNER),
        entries.has(APPLIED_UP_TO)
            ? entries.number(APPLIED_UP_TO, 0, Long.MAX_VALUE)
            : Long.MAX_VALUE);
  }

  private static void putNumber(ByteBuffer target, int number, long value) {
    target.put((byte) number).putInt(Long.BYTES).putLong(value);
  }

  private static void putKey(ByteBuffer target, int number, ByteBuffer cell) {
    int length = KeyValueLayout.keyLength(cell, 0);
    target.put((byte) number).putInt(length);
    target.put(target.position(), cell, KeyValueLayout.keyOffset(0), length);
    target.position(target.position() + length);
  }

  /** The entries of a payload, by number. */
  private static final class Entries {
    private final Block block;
    private final Map<Integer, ByteBuffer> values = new HashMap<>();

    Entries(Block block) throws CorruptionException {
      this.block = block;
      ByteBuffer payload = block.payload();
      int at = 0;
      while (at < block.length()) {
        int lengthMax = block.length() - at - ENTRY_OVERHEAD_BYTES;
        int length = lengthMax < 0 ? -1 : payload.getInt(at + Byte.BYTES);
        if (length < 0 || length > lengthMax) {
          throw block.corruption("a property of 0 to " + lengthMax + " bytes", length);
        }
        values.put(payload.get(at) & 0xFF, payload.slice(at + ENTRY_OVERHEAD_BYTES, length));
        at += ENTRY_OVERHEAD_BYTES + length;
      }
    }

    boolean has(int number) {
      return values.containsKey(number);
    }

    long number(int number, long min, long max) throws CorruptionException {
      ByteBuffer bytes = require(number);
      if (bytes.limit() != Long.BYTES) {
        throw block.corruption("property " + number + " in 8 bytes", bytes.limit() + " bytes");
      }
      long value = bytes.getLong(0);
      if (value < min || value > max) {
        throw block.corruption("property " + number + " of " + min + " to " + max, value);
      }
      return value;
    }

    ByteBuffer cell(int number) throws CorruptionException {
      ByteBuffer key = require(number);
      int keyOffset = KeyValueLayout.keyOffset(0);
      ByteBuffer cell = ByteBuffer.allocate(Math.addExact(keyOffset, key.limit()));
      if (key.limit() < KeyValueLayout.KEY_OVERHEAD_BYTES) {
        throw block.corruption("property " + number + ", a key", key.limit() + " bytes");
      }
      cell.putInt(0, key.limit());
      cell.put(keyOffset, key, 0, key.limit());
      block.checkKey(cell.array(), 0, cell.capacity());
      return cell;
    }

    /** Returns a copy of an entry; empty if there is none. */
    ByteBuffer bytes(int number) {
      ByteBuffer bytes = values.get(number);
      return bytes == null
          ? ByteBuffer.allocate(0)
          : ByteBuffer.allocate(bytes.limit()).put(0, bytes, 0, bytes.limit());
    }

    private ByteBuffer require(int number) throws CorruptionException {
      ByteBuffer bytes = values.get(number);
      if (bytes == null) {
        throw block.corruption("property " + number, "none");
      }
      return bytes;
    }
  }
}
