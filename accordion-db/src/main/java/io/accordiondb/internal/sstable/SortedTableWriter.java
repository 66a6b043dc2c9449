// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.sstable;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Writes a sorted table from front to back. Belongs to one thread; owns the file until {@link
 * #finish} or {@link #abandon}. The caller must call one of them; after an {@link IOException},
 * only {@link #abandon}.
 *
 * <p>A reader accepts the file only after {@link #finish} has returned.
 */
public final class SortedTableWriter {
  private enum State {
    WRITING,
    FAILED,
    CLOSED
  }

  private final Storage storage;
  private final String name;
  private final long fileNumber;
  private final SortedTableOptions options;
  private final BlockOutput output;
  private final CellBlockBuilder data;
  private final IndexWriter index;
  private final FilterWriter filter;
  private final PropertiesCollector collector = new PropertiesCollector();
  private LastKey last = new LastKey();

  /** A copy of the key to be added. Comparing keys in an array is faster. */
  private LastKey next = new LastKey();

  private final Separator separator = new Separator();
  private BlockHandle blockToIndex = BlockHandle.NONE;
  private State state = State.WRITING;

  /** Whether any cell has tags. */
  private boolean tagged;

  /**
   * Creates a file.
   *
   * @param name name of the file, which must not exist
   * @param fileNumber the number with which the file must be opened later
   */
  public SortedTableWriter(
      Storage storage, String name, long fileNumber, SortedTableOptions options)
      throws IOException {
    this.storage = storage;
    this.name = name;
    this.fileNumber = fileNumber;
    this.options = options;
    output = BlockOutput.create(storage, name, options.compression());
    try {
      data = new CellBlockBuilder(options.blockSizeBytes(), options.restartInterval());
      index = new IndexWriter(output, options.blockSizeBytes());
      filter = new FilterWriter(options.bloomKind(), output);
    } catch (Throwable e) {
      // The caller has no writer that it could abandon.
      output.abandon(storage, name);
      throw e;
    }
  }

  /**
   * Appends a cell. Its bytes are copied; position and limit of the buffer do not matter.
   *
   * @param buffer big-endian
   * @param offset where the cell begins, in KeyValue layout
   * @param length of the cell in bytes, tags included; at most 256 MiB
   * @throws IllegalArgumentException if the cell does not come after the last one, is too long, or
   *     is a marker of a whole family with a qualifier; the writer is unchanged
   * @throws io.accordiondb.encoding.MalformedCellException if the bytes are not a cell; the writer
   *     is unchanged
   */
  public void add(ByteBuffer buffer, int offset, int length, long sequence) throws IOException {
    requireWriting();
    checkCell(buffer, offset, length);
    int tagsBytes = length - KeyValueLayout.length(buffer, offset);
    boolean first = collector.cellCount() == 0;
    next.set(buffer, offset, 0, sequence);
    int shared = first ? 0 : last.shared(next);
    if (!first && !last.isBefore(next.cell(), 0, shared, sequence)) {
      throw new IllegalArgumentException(
          "cell out of order in "
              + name
              + ": "
              + KeyText.of(buffer, offset, sequence)
              + " does not come after "
              + KeyText.of(last.cell(), 0, last.sequence()));
    }
    state = State.FAILED;
    if (tagsBytes > 0 && !data.takesTags()) {
      writeDataBlock();
    }
    tagged |= tagsBytes > 0;
    if (first) {
      filter.addFirst(next.cell(), 0);
    } else {
      if (data.isEmpty()) {
        separator.between(last.cell(), next.cell(), 0);
        index.add(separator, blockToIndex);
      }
      filter.add(last.cell(), next.cell(), 0, shared);
    }
    data.add(buffer, offset, tagsBytes, shared, sequence);
    collector.add(
        next,
        KeyValueLayout.valueLength(buffer, offset),
        tagsBytes > 0 && CellTags.hasTtl(buffer, offset, length));
    LastKey old = last;
    last = next;
    next = old;
    if (data.payloadLength() >= options.blockSizeBytes()) {
      writeDataBlock();
    }
    state = State.WRITING;
  }

  /** Sets the owner of the table; at most some kilobytes. */
  public void setOwner(byte[] owner) {
    collector.setOwner(ByteBuffer.wrap(owner));
  }

  /** Sets up to which sequence number range tombstones delete no cell of the table. */
  public void setAppliedUpTo(long sequence) {
    collector.setAppliedUpTo(sequence);
  }

  /** Returns whether a cell is the last one that was added. */
  public boolean endsWith(ByteBuffer buffer, int offset, long sequence) {
    return collector.cellCount() > 0
        && last.sequence() == sequence
        && CellComparator.compareKeys(last.cell(), 0, buffer, offset) == 0;
  }

  /** Returns whether a cell is of the row of the last one that was added. */
  public boolean isInLastRow(ByteBuffer buffer, int offset) {
    return collector.cellCount() > 0
        && CellComparator.compareRows(last.cell(), 0, buffer, offset) == 0;
  }

  /** Returns the number of cells added. */
  public long cellCount() {
    return collector.cellCount();
  }

  /**
   * Returns the bytes of the file so far; for the block that is not written yet, the bytes before
   * compression.
   */
  public long bytesWritten() {
    return output.position() + data.payloadLength();
  }

  /**
   * Completes the file, makes it durable and closes it. Making its name durable is up to the
   * caller.
   *
   * @throws IllegalStateException if no cell was added: a table is never empty
   */
  public SortedTableProperties finish() throws IOException {
    requireWriting();
    if (collector.cellCount() == 0) {
      throw new IllegalStateException("no cell was added to " + name);
    }
    state = State.FAILED;
    if (!data.isEmpty()) {
      writeDataBlock();
    }
    separator.copyKey(last.cell());
    index.add(separator, blockToIndex);
    BlockHandle filterIndex = filter.finish(last.cell());
    BlockHandle root = index.finish(separator);
    byte[] payload = PropertiesCodec.write(properties(0));
    BlockHandle propertiesBlock = output.write(payload, payload.length);
    long fileBytes = output.position() + SortedTableFooter.BYTES;
    byte[] footer =
        new SortedTableFooter(
                propertiesBlock,
                root,
                filterIndex,
                fileNumber,
                fileBytes,
                tagged ? SortedTableFormat.VERSION : SortedTableFormat.VERSION_WITHOUT_TAGS)
            .toBytes();
    output.append(footer, 0, footer.length);
    output.sync();
    output.close();
    state = State.CLOSED;
    return properties(fileBytes);
  }

  /**
   * Closes and deletes the file; does nothing after {@link #finish}. A file that cannot be deleted
   * stays behind, and no reader accepts it.
   */
  public void abandon() {
    if (state == State.CLOSED) {
      return;
    }
    state = State.CLOSED;
    output.abandon(storage, name);
  }

  private void writeDataBlock() throws IOException {
    int length = data.finish();
    blockToIndex = output.write(data.bytes(), length);
    collector.addBlock(blockToIndex);
    data.reset();
  }

  private SortedTableProperties properties(long fileBytes) {
    return collector.finish(
        fileNumber,
        fileBytes,
        last,
        index.fileBytes(),
        filter.fileBytes(),
        filter.keyCount(),
        options.compression(),
        options.bloomKind(),
        index.levels());
  }

  private void requireWriting() {
    if (state != State.WRITING) {
      throw new IllegalStateException(
          "the writer of " + name + (state == State.FAILED ? " has failed" : " is closed"));
    }
  }

  /**
   * Throws an exception if the bytes are not a cell that a table can hold.
   *
   * @throws io.accordiondb.encoding.MalformedCellException if they are not a cell
   * @throws IllegalArgumentException if no table can hold the cell
   */
  static void checkCell(ByteBuffer buffer, int offset, int length) {
    int found = KeyValueLayout.checkCell(buffer, offset, offset + length);
    if (found != length && CellTags.checkCell(buffer, offset, offset + length) != length) {
      throw new IllegalArgumentException(
          "cell of "
              + length
              + " bytes has "
              + (length - found)
              + " bytes after its value, more than tags");
    }
    if (length > SortedTableFormat.CELL_BYTES_MAX) {
      throw new IllegalArgumentException(
          "cell of " + length + " bytes, expected at most " + SortedTableFormat.CELL_BYTES_MAX);
    }
    int typeCode = KeyValueLayout.typeCode(buffer, offset);
    if ((typeCode == CellType.DELETE_FAMILY.code()
            || typeCode == CellType.DELETE_FAMILY_VERSION.code())
        && KeyValueLayout.qualifierLength(buffer, offset) != 0) {
      throw new IllegalArgumentException(
          "marker of a whole family has a qualifier: " + KeyText.of(buffer, offset, 0));
    }
  }
}
