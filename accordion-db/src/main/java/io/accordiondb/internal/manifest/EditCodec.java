// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Edits as bytes: a count in four bytes, then for each edit its kind in one byte and its fields,
 * big-endian. Text and byte strings carry their length in four bytes.
 */
final class EditCodec {
  private static final int PUT_TABLE = 1;
  private static final int DROP_TABLE = 2;
  private static final int PUT_REGION = 3;
  private static final int DROP_REGION = 4;
  private static final int ADD_FILE = 5;
  private static final int REMOVE_FILE = 6;
  private static final int SET_FLUSHED_SEQUENCE = 7;
  private static final int SET_NEXT_NUMBER = 8;
  private static final int SET_CLOCK_FLOOR = 9;

  private EditCodec() {}

  static ByteBuffer encode(List<VersionEdit> edits) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes)) {
      out.writeInt(edits.size());
      for (VersionEdit edit : edits) {
        write(edit, out);
      }
    } catch (IOException e) {
      throw new AssertionError("memory cannot fail", e);
    }
    return ByteBuffer.wrap(bytes.toByteArray());
  }

  /**
   * Decodes the bytes of a buffer from 0 to its limit.
   *
   * @throws IOException if they are no edits, or edits of a kind that is not known
   */
  static List<VersionEdit> decode(ByteBuffer buffer) throws IOException {
    Input in = new Input(buffer);
    int count = in.count(1);
    List<VersionEdit> edits = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      edits.add(read(in));
    }
    in.checkEnd();
    return edits;
  }

  private static void write(VersionEdit edit, DataOutputStream out) throws IOException {
    if (edit instanceof VersionEdit.PutTable put) {
      out.writeByte(PUT_TABLE);
      writeTable(put.table(), out);
    } else if (edit instanceof VersionEdit.DropTable drop) {
      out.writeByte(DROP_TABLE);
      out.writeLong(drop.tableId());
    } else if (edit instanceof VersionEdit.PutRegion put) {
      out.writeByte(PUT_REGION);
      out.writeLong(put.region().regionId());
      out.writeLong(put.region().tableId());
      writeBytes(put.region().startKey(), out);
      writeBytes(put.region().endKey(), out);
    } else if (edit instanceof VersionEdit.DropRegion drop) {
      out.writeByte(DROP_REGION);
      out.writeLong(drop.regionId());
    } else if (edit instanceof VersionEdit.AddFile add) {
      out.writeByte(ADD_FILE);
      out.writeLong(add.file().fileNumber());
      out.writeLong(add.file().regionId());
      out.writeInt(add.file().familyId());
      out.writeLong(add.file().bytes());
      out.writeLong(add.file().minSequence());
      out.writeLong(add.file().maxSequence());
    } else if (edit instanceof VersionEdit.RemoveFile remove) {
      out.writeByte(REMOVE_FILE);
      out.writeLong(remove.fileNumber());
    } else if (edit instanceof VersionEdit.SetFlushedSequence set) {
      out.writeByte(SET_FLUSHED_SEQUENCE);
      out.writeLong(set.regionId());
      out.writeInt(set.familyId());
      out.writeLong(set.sequence());
    } else if (edit instanceof VersionEdit.SetNextNumber set) {
      out.writeByte(SET_NEXT_NUMBER);
      out.writeLong(set.nextNumber());
    } else if (edit instanceof VersionEdit.SetClockFloor set) {
      out.writeByte(SET_CLOCK_FLOOR);
      out.writeLong(set.timestamp());
    }
  }

  private static void writeTable(TableRecord table, DataOutputStream out) throws IOException {
    out.writeLong(table.tableId());
    writeText(table.name(), out);
    out.writeInt(table.families().size());
    for (FamilyRecord family : table.families()) {
      out.writeInt(family.familyId());
      writeText(family.name(), out);
      out.writeInt(family.attributes().size());
      for (Map.Entry<String, String> attribute : family.attributes().entrySet()) {
        writeText(attribute.getKey(), out);
        writeText(attribute.getValue(), out);
      }
    }
  }

  private static void writeText(String text, DataOutputStream out) throws IOException {
    writeBytes(text.getBytes(StandardCharsets.UTF_8), out);
  }

  private static void writeBytes(byte[] bytes, DataOutputStream out) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  private static VersionEdit read(Input in) throws IOException {
    int kind = in.data.readUnsignedByte();
    return switch (kind) {
      case PUT_TABLE -> new VersionEdit.PutTable(readTable(in));
      case DROP_TABLE -> new VersionEdit.DropTable(in.data.readLong());
      case PUT_REGION ->
          new VersionEdit.PutRegion(
              new RegionRecord(in.data.readLong(), in.data.readLong(), in.bytes(), in.bytes()));
      case DROP_REGION -> new VersionEdit.DropRegion(in.data.readLong());
      case ADD_FILE ->
          new VersionEdit.AddFile(
              new FileRecord(
                  in.data.readLong(),
                  in.data.readLong(),
                  in.data.readInt(),
                  in.data.readLong(),
                  in.data.readLong(),
                  in.data.readLong()));
      case REMOVE_FILE -> new VersionEdit.RemoveFile(in.data.readLong());
      case SET_FLUSHED_SEQUENCE ->
          new VersionEdit.SetFlushedSequence(
              in.data.readLong(), in.data.readInt(), in.data.readLong());
      case SET_NEXT_NUMBER -> new VersionEdit.SetNextNumber(in.data.readLong());
      case SET_CLOCK_FLOOR -> new VersionEdit.SetClockFloor(in.data.readLong());
      default -> throw new IOException("unknown kind of edit " + kind);
    };
  }

  private static TableRecord readTable(Input in) throws IOException {
    long tableId = in.data.readLong();
    String name = in.text();
    int familyCount = in.count(12);
    List<FamilyRecord> families = new ArrayList<>(familyCount);
    for (int i = 0; i < familyCount; i++) {
      int familyId = in.data.readInt();
      String familyName = in.text();
      int attributeCount = in.count(8);
      Map<String, String> attributes = new TreeMap<>();
      for (int j = 0; j < attributeCount; j++) {
        attributes.put(in.text(), in.text());
      }
      families.add(new FamilyRecord(familyId, familyName, attributes));
    }
    return new TableRecord(tableId, name, families);
  }

  /** Reads fields; no length is believed beyond the bytes that are there. */
  private static final class Input {
    final DataInputStream data;
    private final ByteArrayInputStream source;

    Input(ByteBuffer buffer) {
      byte[] bytes = new byte[buffer.limit()];
      buffer.get(0, bytes);
      source = new ByteArrayInputStream(bytes);
      data = new DataInputStream(source);
    }

    /** Reads a count of things that have at least so many bytes each. */
    int count(int bytesMin) throws IOException {
      int count = data.readInt();
      if (count < 0 || count > source.available() / bytesMin) {
        throw new IOException("count of " + count + " with " + source.available() + " bytes left");
      }
      return count;
    }

    byte[] bytes() throws IOException {
      byte[] bytes = new byte[count(1)];
      data.readFully(bytes);
      return bytes;
    }

    String text() throws IOException {
      return new String(bytes(), StandardCharsets.UTF_8);
    }

    void checkEnd() throws IOException {
      if (source.available() != 0) {
        throw new IOException(source.available() + " bytes behind the last edit");
      }
    }
  }
}
