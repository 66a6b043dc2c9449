// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.CorruptionException;
import io.accordiondb.FormatVersionException;
import io.accordiondb.internal.record.RecordWriter;
import io.accordiondb.retention.RangeTombstone;
import io.accordiondb.retention.RangeTombstones;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * The codec of edits: their number, then for each edit its kind and its fields, in the order of the
 * records of {@link VersionEdit}.
 *
 * <p>Each new kind gets the next number, and a kind keeps its number and fields forever. So the
 * version of a manifest is the highest kind in it.
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
  private static final int ADD_FILE_VIEW = 10;
  private static final int ADD_LOG = 11;
  private static final int REMOVE_LOG = 12;
  private static final int SET_HIGHEST_LOG = 13;
  private static final int ADD_RANGE_TOMBSTONES = 14;
  private static final int REMOVE_RANGE_TOMBSTONES = 15;
  private static final int SET_CLOCK_CEILING = 16;
  private static final int ADD_PREPARED_LOG = 17;
  private static final int HIGHEST_KIND = ADD_PREPARED_LOG;

  private static final byte[] NO_BOUND = {};

  /** The least bytes that an edit, a family or an attribute takes. */
  private static final int EDIT_BYTES_MIN = 2;

  private static final int FAMILY_BYTES_MIN = 3;
  private static final int ATTRIBUTE_BYTES_MIN = 2;
  private static final int TOMBSTONE_BYTES_MIN = 3;

  private EditCodec() {}

  /**
   * Encodes edits as the payload of a record.
   *
   * @throws IllegalArgumentException if it is longer than a record can be
   */
  static ByteBuffer encode(List<VersionEdit> edits) {
    return encode(edits, RecordWriter.PAYLOAD_BYTES_MAX);
  }

  /** Same as above, with another limit. */
  static ByteBuffer encode(List<VersionEdit> edits, int bytesMax) {
    FieldWriter out = new FieldWriter();
    out.number(edits.size());
    edits.forEach(edit -> write(edit, out));
    ByteBuffer encoded = out.toBuffer();
    if (encoded.limit() > bytesMax) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "%d changes of the manifest take %d bytes, expected at most %d; change less at once",
              edits.size(),
              encoded.limit(),
              bytesMax));
    }
    return encoded;
  }

  /**
   * Decodes the bytes of a buffer from 0 to its limit.
   *
   * @param file the file that holds them, for messages
   * @param offset where they begin there
   * @throws FormatVersionException if there are edits of an unknown kind
   * @throws CorruptionException if the bytes are not edits
   */
  static List<VersionEdit> decode(ByteBuffer buffer, String file, long offset)
      throws CorruptionException, FormatVersionException {
    FieldReader in = new FieldReader(buffer, file, offset);
    int count = in.count(EDIT_BYTES_MIN);
    List<VersionEdit> edits = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      edits.add(read(in, file));
    }
    in.checkEnd();
    return edits;
  }

  private static void write(VersionEdit edit, FieldWriter out) {
    if (edit instanceof VersionEdit.PutTable put) {
      out.number(PUT_TABLE);
      writeTable(put.table(), out);
    } else if (edit instanceof VersionEdit.DropTable drop) {
      out.number(DROP_TABLE);
      out.number(drop.tableId());
    } else if (edit instanceof VersionEdit.PutRegion put) {
      out.number(PUT_REGION);
      out.number(put.region().regionId());
      out.number(put.region().tableId());
      out.bytes(put.region().startKey());
      out.bytes(put.region().endKey());
    } else if (edit instanceof VersionEdit.DropRegion drop) {
      out.number(DROP_REGION);
      out.number(drop.regionId());
    } else if (edit instanceof VersionEdit.AddFile add) {
      writeFile(add.file(), out);
    } else if (edit instanceof VersionEdit.RemoveFile remove) {
      out.number(REMOVE_FILE);
      out.number(remove.fileNumber());
    } else if (edit instanceof VersionEdit.SetFlushedSequence set) {
      out.number(SET_FLUSHED_SEQUENCE);
      out.number(set.regionId());
      out.number(set.familyId());
      out.number(set.sequence());
    } else if (edit instanceof VersionEdit.AddRangeTombstones add) {
      out.number(ADD_RANGE_TOMBSTONES);
      writeTombstones(add.regionId(), add.familyId(), add.tombstones(), out);
    } else if (edit instanceof VersionEdit.RemoveRangeTombstones remove) {
      out.number(REMOVE_RANGE_TOMBSTONES);
      writeTombstones(remove.regionId(), remove.familyId(), remove.tombstones(), out);
    } else if (edit instanceof VersionEdit.SetNextNumber set) {
      out.number(SET_NEXT_NUMBER);
      out.number(set.nextNumber());
    } else if (edit instanceof VersionEdit.SetClockFloor set) {
      out.number(SET_CLOCK_FLOOR);
      out.number(set.timestamp());
    } else if (edit instanceof VersionEdit.SetClockCeiling set) {
      out.number(SET_CLOCK_CEILING);
      out.number(set.timestamp());
    } else if (edit instanceof VersionEdit.AddLog add) {
      out.number(add.isPrepared() ? ADD_PREPARED_LOG : ADD_LOG);
      out.number(add.fileNumber());
      if (!add.isPrepared()) {
        out.number(add.previousSequence());
      }
    } else if (edit instanceof VersionEdit.RemoveLog remove) {
      out.number(REMOVE_LOG);
      out.number(remove.fileNumber());
    } else if (edit instanceof VersionEdit.SetHighestLog set) {
      out.number(SET_HIGHEST_LOG);
      out.number(set.fileNumber());
    }
  }

  private static void writeTombstones(
      long regionId, int familyId, RangeTombstones tombstones, FieldWriter out) {
    out.number(regionId);
    out.number(familyId);
    List<RangeTombstone> list = tombstones.toList();
    out.number(list.size());
    for (RangeTombstone tombstone : list) {
      out.bytes(tombstone.start());
      out.bytes(tombstone.end());
      out.number(tombstone.sequence());
    }
  }

  private static void writeTable(TableRecord table, FieldWriter out) {
    out.number(table.tableId());
    out.text(table.name());
    out.number(table.families().size());
    for (FamilyRecord family : table.families()) {
      out.number(family.familyId());
      out.text(family.name());
      out.number(family.attributes().size());
      for (Map.Entry<String, String> attribute : family.attributes().entrySet()) {
        out.text(attribute.getKey());
        out.text(attribute.getValue());
      }
    }
  }

  private static void writeFile(FileRecord file, FieldWriter out) {
    FileView view = file.view();
    boolean plain = file.level() == 0 && view == null;
    out.number(plain ? ADD_FILE : ADD_FILE_VIEW);
    out.number(file.fileNumber());
    out.number(file.regionId());
    out.number(file.familyId());
    out.number(file.bytes());
    out.number(file.minSequence());
    out.number(file.maxSequence());
    if (!plain) {
      out.number(file.level());
      out.number(file.backingNumber());
      out.bytes(view == null ? NO_BOUND : view.startKey());
      out.bytes(view == null ? NO_BOUND : view.endKey());
      out.number(view == null ? 0 : view.sequence());
    }
  }

  private static VersionEdit read(FieldReader in, String file)
      throws CorruptionException, FormatVersionException {
    long kind = in.number();
    // Beyond 63 bits it is negative.
    if (kind < 0 || kind > HIGHEST_KIND) {
      throw new FormatVersionException(file, kind, HIGHEST_KIND);
    }
    return switch ((int) kind) {
      case PUT_TABLE -> new VersionEdit.PutTable(readTable(in));
      case DROP_TABLE -> new VersionEdit.DropTable(in.number());
      case PUT_REGION ->
          new VersionEdit.PutRegion(
              new RegionRecord(in.number(), in.number(), in.bytes(), in.bytes()));
      case DROP_REGION -> new VersionEdit.DropRegion(in.number());
      case ADD_FILE -> new VersionEdit.AddFile(readFile(in));
      case ADD_FILE_VIEW -> new VersionEdit.AddFile(readFileView(in));
      case REMOVE_FILE -> new VersionEdit.RemoveFile(in.number());
      case SET_FLUSHED_SEQUENCE ->
          new VersionEdit.SetFlushedSequence(in.number(), in.smallNumber(), in.number());
      case ADD_RANGE_TOMBSTONES ->
          new VersionEdit.AddRangeTombstones(in.number(), in.smallNumber(), readTombstones(in));
      case REMOVE_RANGE_TOMBSTONES ->
          new VersionEdit.RemoveRangeTombstones(in.number(), in.smallNumber(), readTombstones(in));
      case SET_NEXT_NUMBER -> new VersionEdit.SetNextNumber(in.number());
      case SET_CLOCK_FLOOR -> new VersionEdit.SetClockFloor(in.number());
      case SET_CLOCK_CEILING -> new VersionEdit.SetClockCeiling(in.number());
      case ADD_LOG -> new VersionEdit.AddLog(in.number(), in.number());
      case ADD_PREPARED_LOG -> VersionEdit.AddLog.prepared(in.number());
      case REMOVE_LOG -> new VersionEdit.RemoveLog(in.number());
      case SET_HIGHEST_LOG -> new VersionEdit.SetHighestLog(in.number());
      default ->
          throw in.corruption("a kind of edit from 1 to " + HIGHEST_KIND, Long.toString(kind));
    };
  }

  private static RangeTombstones readTombstones(FieldReader in) throws CorruptionException {
    int count = in.count(TOMBSTONE_BYTES_MIN);
    List<RangeTombstone> list = new ArrayList<>(count);
    for (int i = 0; i < count; i++) {
      RangeTombstone tombstone = new RangeTombstone(in.bytes(), in.bytes(), in.number());
      if (tombstone.sequence() <= 0) {
        throw in.corruption("a positive sequence number", Long.toString(tombstone.sequence()));
      }
      list.add(tombstone);
    }
    return RangeTombstones.of(list);
  }

  private static TableRecord readTable(FieldReader in) throws CorruptionException {
    long tableId = in.number();
    String name = in.text();
    int familyCount = in.count(FAMILY_BYTES_MIN);
    List<FamilyRecord> families = new ArrayList<>(familyCount);
    for (int i = 0; i < familyCount; i++) {
      int familyId = in.smallNumber();
      String familyName = in.text();
      int attributeCount = in.count(ATTRIBUTE_BYTES_MIN);
      Map<String, String> attributes = new TreeMap<>();
      for (int j = 0; j < attributeCount; j++) {
        attributes.put(in.text(), in.text());
      }
      families.add(new FamilyRecord(familyId, familyName, attributes));
    }
    return new TableRecord(tableId, name, families);
  }

  private static FileRecord readFile(FieldReader in) throws CorruptionException {
    return new FileRecord(
        in.number(), in.number(), in.smallNumber(), in.number(), in.number(), in.number());
  }

  private static FileRecord readFileView(FieldReader in) throws CorruptionException {
    FileRecord file = readFile(in);
    int level = in.smallNumber();
    FileView view = new FileView(in.number(), in.bytes(), in.bytes(), in.number());
    boolean isWhole =
        view.backingNumber() == file.fileNumber()
            && view.startKey().length == 0
            && view.endKey().length == 0
            && view.sequence() == 0;
    return new FileRecord(
        file.fileNumber(),
        file.regionId(),
        file.familyId(),
        file.bytes(),
        file.minSequence(),
        file.maxSequence(),
        level,
        isWhole ? null : view);
  }
}
