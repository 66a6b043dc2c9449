// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.LogWriting;
import io.accordiondb.internal.record.RecordFileHeader;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.internal.storage.Storage;
import io.accordiondb.internal.storage.StorageWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/** A log file that holds nothing but its header, and takes no batch before it has begun. */
final class PreparedLog implements Closeable {
  private final long number;
  private final RecordWriter records;
  private final boolean isFilled;

  private PreparedLog(long number, RecordWriter records, boolean isFilled) {
    this.number = number;
    this.records = records;
    this.isFilled = isFilled;
  }

  /**
   * Creates a file. Its header is written when the file begins or is synced.
   *
   * @param fileBytes the length to which a file is filled if it is mapped
   * @param buffer empty, of {@link RecordWriter#BUFFER_BYTES}
   */
  static PreparedLog create(
      Storage storage, LogWriting writing, long fileBytes, long number, ByteBuffer buffer)
      throws IOException {
    String name = LogFileNames.nameOf(number);
    boolean isFilled = writing == LogWriting.MAPPED;
    int version = isFilled ? RecordFileHeader.LINKED_FILLED : RecordFileHeader.LINKED_GROWING;
    StorageWriter file = isFilled ? storage.createFilled(name, fileBytes) : storage.create(name);
    PreparedLog created = null;
    try {
      RecordFileHeader header = LogFileNames.headerOf(number, version);
      created = new PreparedLog(number, new RecordWriter(file, header, buffer), isFilled);
      return created;
    } finally {
      if (created == null) {
        file.close();
      }
    }
  }

  /**
   * Begins the file with a link, and hands it to the operating system. The result owns the file.
   */
  LogFileWriter begin(LogLink link) throws IOException {
    link.appendTo(records);
    records.flush();
    return new LogFileWriter(number, records, isFilled, link);
  }

  long number() {
    return number;
  }

  /** Forces the header to the device. */
  void sync() throws IOException {
    records.sync();
  }

  @Override
  public void close() throws IOException {
    records.close();
  }
}
