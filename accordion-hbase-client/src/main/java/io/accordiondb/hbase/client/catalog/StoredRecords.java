// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.client.catalog;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.UTFDataFormatException;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.client.TableDescriptorBuilder;
import org.apache.hadoop.hbase.exceptions.DeserializationException;
import org.jspecify.annotations.Nullable;

/**
 * The common form of the catalog's records: a byte with the version, then fields. A descriptor is
 * its length and HBase's own serialized form.
 */
final class StoredRecords {
  private static final int VERSION = 1;

  private StoredRecords() {}

  /** Writes the fields of a record. */
  @FunctionalInterface
  interface FieldWriter {
    void write(DataOutputStream out) throws IOException;
  }

  /** Reads the fields of a record; an illegal argument is a value that is not known. */
  @FunctionalInterface
  interface FieldReader<T> {
    T read(DataInputStream in) throws IOException;
  }

  static byte[] encode(FieldWriter fields) throws IOException {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeByte(VERSION);
      fields.write(out);
    }
    return bytes.toByteArray();
  }

  /**
   * Decodes a record.
   *
   * @throws CorruptionException if it is damaged
   * @throws FormatVersionException if it is of a version, or has a value, that this software does
   *     not know
   */
  static <T> T decode(String key, byte[] value, FieldReader<T> fields) throws IOException {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(value))) {
      int version = in.readUnsignedByte();
      if (version != VERSION) {
        throw new FormatVersionException(nameOf(key), version, VERSION);
      }
      T record = fields.read(in);
      if (in.available() > 0) {
        throw damage(key, "the end of the record", in.available() + " bytes more", null);
      }
      return record;
    } catch (EOFException | UTFDataFormatException | DescriptorException e) {
      throw damage(key, "a whole record", String.valueOf(e.getMessage()), e);
    } catch (IllegalArgumentException e) {
      throw new FormatVersionException(nameOf(key), String.valueOf(e.getMessage()));
    }
  }

  static void writeDescriptor(DataOutputStream out, TableDescriptor descriptor) throws IOException {
    writeBytes(out, TableDescriptorBuilder.toByteArray(descriptor));
  }

  static TableDescriptor readDescriptor(DataInputStream in) throws IOException {
    try {
      return TableDescriptorBuilder.parseFrom(readBytes(in));
    } catch (DeserializationException | IllegalArgumentException e) {
      throw new DescriptorException(e);
    }
  }

  static void writeBytes(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  static byte[] readBytes(DataInputStream in) throws IOException {
    int length = in.readInt();
    if (length < 0 || length > in.available()) {
      throw new EOFException(
          "a field of " + length + " bytes where " + in.available() + " are left");
    }
    return in.readNBytes(length);
  }

  private static String nameOf(String key) {
    return "record " + key + " of table " + TableNames.SYSTEM;
  }

  private static CorruptionException damage(
      String key, String expected, String found, @Nullable Throwable e) {
    return new CorruptionException(nameOf(key), 0, expected, found, e);
  }

  /** A descriptor that HBase cannot read. */
  private static final class DescriptorException extends IOException {
    private static final long serialVersionUID = 1L;

    DescriptorException(Exception cause) {
      super("a descriptor that HBase cannot read: " + cause.getMessage(), cause);
    }
  }
}
