// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.internal.storage.MemoryStorage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.zip.CRC32C;

/**
 * Makes a file of records, whose checksums are right, from any bytes: for each record count, first
 * sequence number and length of the payload, each in one byte, and the payload. The last record is
 * torn off where the bytes say so.
 */
public final class RecordScript {
  /** The bytes that a record takes beyond its payload. */
  private static final int HEAD_BYTES = 3;

  /** A length that means: what follows stands in the file as it is. */
  private static final int RAW = 255;

  private RecordScript() {}

  /** Writes the file. */
  public static void write(
      MemoryStorage storage, String name, RecordFileHeader header, ByteBuffer script)
      throws IOException {
    try (RecordWriter writer = new RecordWriter(storage.create(name), header)) {
      boolean raw = false;
      while (!raw && script.remaining() >= HEAD_BYTES) {
        int count = script.get();
        int sequence = script.get();
        int length = script.get() & 0xFF;
        raw = length == RAW;
        if (!raw) {
          byte[] payload = new byte[Math.min(length, script.remaining())];
          script.get(payload);
          append(writer, payload, sequence, Math.abs(count));
        }
      }
      writer.sync();
    }
    byte[] records = storage.bytes(name);
    ByteBuffer whole = ByteBuffer.allocate(records.length + script.remaining());
    whole.put(records).put(script);
    storage.setBytes(name, whole.array());
  }

  private static void append(RecordWriter writer, byte[] payload, long sequence, int count)
      throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(payload);
    writer.append(ByteBuffer.wrap(payload), (int) crc.getValue(), sequence, count);
  }

  /** Returns the part of a script that makes a record. */
  public static byte[] record(int count, int sequence, byte[] payload) {
    return ByteBuffer.allocate(HEAD_BYTES + payload.length)
        .put((byte) count)
        .put((byte) sequence)
        .put((byte) payload.length)
        .put(payload)
        .array();
  }
}
