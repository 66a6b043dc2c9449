// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.record;

import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.zip.CRC32C;

/** A record as tests write and read it. */
record TestRecord(ByteBuffer payload, long firstSequence, int count) {
  static final String FILE = "f";
  static final RecordFileHeader HEADER = new RecordFileHeader(0x7465_7374L, 12, 1);

  static TestRecord random(int bytes, long firstSequence, RandomGenerator random) {
    byte[] payload = new byte[bytes];
    random.nextBytes(payload);
    return new TestRecord(ByteBuffer.wrap(payload), firstSequence, random.nextInt(4));
  }

  long fileBytes() {
    return RecordLayout.HEADER_BYTES + payload.limit();
  }

  void appendTo(RecordWriter writer) throws IOException {
    CRC32C crc = new CRC32C();
    crc.update(payload.duplicate());
    writer.append(payload, (int) crc.getValue(), firstSequence, count);
  }

  /** Writes a file of records. */
  static void write(Storage storage, List<TestRecord> records) throws IOException {
    try (RecordWriter writer = new RecordWriter(storage.create(FILE), HEADER)) {
      for (TestRecord record : records) {
        record.appendTo(writer);
      }
      writer.sync();
    }
  }

  /** Reads the sound records of a file, and refuses damage. */
  static List<TestRecord> read(Storage storage) throws IOException {
    return read(storage, HEADER);
  }

  static List<TestRecord> read(Storage storage, RecordFileHeader header) throws IOException {
    List<TestRecord> records = new ArrayList<>();
    try (RecordReader reader = RecordReader.open(storage, FILE, header)) {
      if (reader == null) {
        return records;
      }
      while (reader.next()) {
        byte[] payload = new byte[reader.payload().limit()];
        reader.payload().get(0, payload);
        records.add(
            new TestRecord(ByteBuffer.wrap(payload), reader.firstSequence(), reader.count()));
      }
      reader.tornBytes();
    }
    return records;
  }
}
