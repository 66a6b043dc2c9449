// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.wal;

import io.accordiondb.internal.record.RecordMark;
import io.accordiondb.internal.record.RecordWriter;
import java.io.Closeable;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * The log file that is being written: its records, and the links among them. Not thread-safe. After
 * a failure the caller must not continue; see {@link RecordWriter}.
 */
final class LogFileWriter implements Closeable {
  private final long number;
  private final RecordWriter records;
  private final boolean isFilled;

  /** The newest link in the file. */
  private LogLink link;

  /** Creates the writer of a file that begins with a link. */
  LogFileWriter(long number, RecordWriter records, boolean isFilled, LogLink link) {
    this.number = number;
    this.records = records;
    this.isFilled = isFilled;
    this.link = link;
  }

  /** Appends a record; see {@link WriteAheadLog#append}. */
  void append(ByteBuffer payload, int payloadCrc, long firstSequence, int count)
      throws IOException {
    records.append(payload, payloadCrc, firstSequence, count);
  }

  /**
   * Appends a link that says how much of log and manifest is on the device, if that is more than
   * the newest link says; returns whether it did.
   *
   * @param manifest the durable commits of the manifest
   * @param durableNumber all files up to this one are on the device
   */
  boolean appendLink(RecordMark manifest, long durableNumber) throws IOException {
    long durableBytes = isFilled ? records.durableBytes() : 0;
    if (manifest.equals(link.manifest())
        && durableNumber <= link.durableNumber()
        && durableBytes <= link.durableBytes()) {
      return false;
    }
    link =
        link.with(
            Math.max(durableNumber, link.durableNumber()),
            Math.max(durableBytes, link.durableBytes()),
            manifest);
    link.appendTo(records);
    return true;
  }

  /** Hands all records to the operating system. */
  void flush() throws IOException {
    records.flush();
  }

  /** Returns the record of the file for the manifest. */
  KnownLog known() {
    return new KnownLog(number, link.previousSequence());
  }

  /** Returns the description of the complete file, with the given length. */
  SealedLog sealed(long bytes, long lastSequence) {
    return new SealedLog(number, bytes, link.previousSequence(), lastSequence);
  }

  /** Returns the first link of a file that follows this one. */
  LogLink nextLink(SealedLog sealed, RecordMark manifest) {
    return LogLink.behind(sealed, link.durableNumber(), manifest);
  }

  long number() {
    return number;
  }

  /** Returns the length in bytes that the file has, or will have after the next flush. */
  long bytes() {
    return records.bytes();
  }

  /**
   * Returns whether another record, and a link before it, fit into a length, or the record would be
   * the first one of the file.
   */
  boolean takes(int payloadBytes, long lastSequence, long bytesMax) {
    return records.bytesWith(LogLink.BYTES, payloadBytes) <= bytesMax
        || lastSequence == link.previousSequence();
  }

  /** Returns the number up to which the newest link says that all files are on the device. */
  long durableNumber() {
    return link.durableNumber();
  }

  /** Returns the writer of the records, which is still used after this file is complete. */
  RecordWriter records() {
    return records;
  }

  /** Closes the file without flushing. */
  @Override
  public void close() throws IOException {
    records.close();
  }
}
