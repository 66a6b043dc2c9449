// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import io.accordiondb.encoding.CellComparator;
import io.accordiondb.encoding.CellType;
import io.accordiondb.encoding.KeyValueLayout;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Decides, column by column, what a compaction keeps in a family with a merge operator. It combines
 * consecutive operands into one operand, or into a value if the value that they apply to is known.
 * Belongs to one thread: {@link #startColumn}, {@link #add} for each cell, {@link #finish}, and
 * then the cells that are kept, from 0 to {@link #kept}.
 *
 * <p>In such a family sequence numbers alone give the order of writes. A put or a delete marker
 * hides everything that was written before it, whatever the timestamps. So a later write never
 * comes between two operands; only a cell that the compaction does not read can: {@link
 * UnseenHistory#clearAbove} says which operands may be combined. Cells above the smallest read
 * point are judged span by span, where each reader sees all cells of a span or none. Those of a row
 * of which a whole family was deleted above that point stay unchanged.
 *
 * <p>A combined cell has the timestamp and the sequence number of its newest operand. If the family
 * has a time to live, nothing is combined, because each operand expires by itself.
 */
public final class ColumnFold {
  // Longer than 400 lines because all decisions on a column depend on each other, and a quarter of
  // it is Javadoc.

  private static final long NO_MARKER = -1;

  private final OperandMerge merge;
  private final ReadPointSet readPoints;
  private final long settledUpTo;
  private final long judgedUpTo;
  private final long clearAbove;
  private final long clearUpTo;
  private final long oldestUnseen;

  /** In the span that is judged: below this number, all cells that are hidden were given. */
  private long completeBelow;

  private final long oldestLiveTimestamp;
  private final boolean expires;

  private DeletedRanges.@Nullable Walk deleted;
  private final ColumnPosition position = new ColumnPosition();

  /** The newest marker of the row's family, among those that hide from all readers. */
  private long familyMarker = NO_MARKER;

  /** Whether the row's family has a marker that some readers do not see. */
  private boolean lateFamilyMarker;

  // The cells of the column, in their order.
  private int size;
  private ByteBuffer[] buffers = new ByteBuffer[16];
  private int[] offsets = new int[16];
  private int[] lengths = new int[16];
  private long[] sequences = new long[16];

  /** The cells, newest first by sequence number. */
  private int[] bySequence = new int[16];

  /** The kept cells: the number of a cell, or the complement of the number of a new one. */
  private int[] keptCells = new int[16];

  private int keptCount;
  private boolean foldedAny;

  /** New cells, with the sequence numbers of the cells that they replace. */
  private final List<ByteBuffer> newCells = new ArrayList<>();

  private final List<Long> newSequences = new ArrayList<>();

  /** Operands that follow each other without a gap, newest first. */
  private int[] run = new int[16];

  private int runLength;

  /**
   * Creates a fold for one compaction.
   *
   * @param merge the family's merge operator
   * @param rules the family's rules
   * @param unseen the sources that the compaction does not read
   * @param nowMillis the time at which times to live are evaluated, in milliseconds since 1970
   * @param oldestUnseen the sequence number below which the compaction reads every cell of the
   *     store
   */
  public ColumnFold(
      OperandMerge merge,
      VersionRules rules,
      UnseenHistory unseen,
      long nowMillis,
      long oldestUnseen) {
    this.merge = merge;
    this.readPoints = unseen.readPoints();
    this.settledUpTo = unseen.settledUpTo();
    this.judgedUpTo = unseen.judgedUpTo();
    this.clearAbove = unseen.clearAbove();
    this.clearUpTo = unseen.clearUpTo();
    this.oldestUnseen = oldestUnseen;
    this.expires = rules.ttlMillis() != VersionRules.FOREVER;
    this.oldestLiveTimestamp = rules.oldestLiveTimestamp(nowMillis);
  }

  /** Makes this fold skip cells that range tombstones cover; returns this. */
  ColumnFold without(DeletedRanges.Walk ranges) {
    deleted = ranges;
    return this;
  }

  /** Begins a column. */
  public void startColumn() {
    size = 0;
    keptCount = 0;
    newCells.clear();
    newSequences.clear();
    runLength = 0;
  }

  /**
   * Adds the next cell of the column. The bytes of the cell must not change until the next column
   * begins.
   *
   * @param buffer big-endian buffer that holds the cell
   * @param offset offset of the cell's first byte, in bytes
   * @param length bytes of the cell, tags included
   * @param sequence the cell's sequence number
   */
  public void add(ByteBuffer buffer, int offset, int length, long sequence) {
    if (deleted != null && sequence < deleted.deletedBelow(buffer, offset)) {
      return;
    }
    if (size == buffers.length) {
      grow();
    }
    buffers[size] = buffer;
    offsets[size] = offset;
    lengths[size] = length;
    sequences[size] = sequence;
    size++;
  }

  private void grow() {
    int larger = 2 * size;
    buffers = Arrays.copyOf(buffers, larger);
    offsets = Arrays.copyOf(offsets, larger);
    lengths = Arrays.copyOf(lengths, larger);
    sequences = Arrays.copyOf(sequences, larger);
    bySequence = new int[larger];
    // There are never more kept cells than cells, because each new cell replaces at least one.
    keptCells = new int[larger];
    run = new int[larger];
  }

  /** {@return the number of cells added to the column} */
  public int size() {
    return size;
  }

  /** Decides which cells of the column are kept. */
  public void finish() {
    if (size == 0) {
      return;
    }
    if (size == 1 && familyMarker == NO_MARKER && !lateFamilyMarker && staysAlone()) {
      keptCells[0] = 0;
      keptCount = 1;
      return;
    }
    trackRow();
    sort();
    decide();
    if (familyMarker != NO_MARKER) {
      keepFamilyMarker();
    }
    restoreOrder();
  }

  /** Forgets the markers of the family when another row begins. */
  private void trackRow() {
    boolean marked = familyMarker != NO_MARKER || lateFamilyMarker;
    if (marked && position.step(buffers[0], offsets[0]) == ColumnPosition.Step.NEW_ROW) {
      familyMarker = NO_MARKER;
      lateFamilyMarker = false;
    }
    for (int cell = 0; cell < size; cell++) {
      if (typeCode(cell) == CellType.DELETE_FAMILY.code()) {
        position.moveTo(buffers[cell], offsets[cell]);
        if (sequences[cell] > settledUpTo) {
          lateFamilyMarker = true;
        } else {
          familyMarker = Math.max(familyMarker, sequences[cell]);
        }
      }
    }
  }

  private boolean staysAlone() {
    if (expires) {
      return false;
    }
    int type = typeCode(0);
    return type == CellType.PUT.code()
        || (type == CellType.MERGE.code() && sequences[0] >= oldestUnseen);
  }

  private void sort() {
    for (int cell = 0; cell < size; cell++) {
      int at = cell;
      // Nearly all cells come in this order already.
      while (at > 0 && sequences[bySequence[at - 1]] < sequences[cell]) {
        bySequence[at] = bySequence[at - 1];
        at--;
      }
      bySequence[at] = cell;
    }
  }

  private void decide() {
    foldedAny = false;
    long keptAbove = lateFamilyMarker ? settledUpTo : judgedUpTo;
    int at = 0;
    while (at < size && sequences[bySequence[at]] > keptAbove) {
      keep(bySequence[at++]);
    }
    while (at < size && sequences[bySequence[at]] > settledUpTo) {
      int end = endOfSpan(at);
      // Readers who see nothing of the span may see what it hides.
      completeBelow = 0;
      decideSpan(at, end, NO_MARKER);
      at = end;
    }
    completeBelow = oldestUnseen;
    decideSpan(at, size, familyMarker);
  }

  /** Returns where the cells end that the same readers see as the cell at an index. */
  private int endOfSpan(int start) {
    long newest = sequences[bySequence[start]];
    int end = start + 1;
    while (end < size
        && sequences[bySequence[end]] > settledUpTo
        && !readPoints.isAnyBetween(sequences[bySequence[end]], newest)) {
      end++;
    }
    return end;
  }

  private void decideSpan(int start, int end, long hidden) {
    long hiddenBelow = hidden;
    int at = start;
    while (at < end && sequences[bySequence[at]] >= hiddenBelow) {
      int cell = bySequence[at++];
      long sequence = sequences[cell];
      int type = typeCode(cell);
      if (type == CellType.MERGE.code()) {
        decideOperand(cell);
      } else if (type == CellType.PUT.code()) {
        decidePut(cell);
        return;
      } else {
        hiddenBelow = Math.max(hiddenBelow, sequence);
        if (type != CellType.DELETE_FAMILY.code() && sequence >= completeBelow) {
          keep(cell);
        }
      }
    }
    endRun(null, hiddenBelow > clearAbove);
  }

  /** Keeps the newest marker of the family, which also applies to other columns. */
  private void keepFamilyMarker() {
    for (int at = 0; at < size; at++) {
      int cell = bySequence[at];
      if (sequences[cell] == familyMarker
          && typeCode(cell) == CellType.DELETE_FAMILY.code()
          && familyMarker >= oldestUnseen) {
        keep(cell);
        return;
      }
    }
  }

  private void decideOperand(int cell) {
    if (isExpired(cell)) {
      if (sequences[cell] > settledUpTo) {
        // The commit of a transaction that does not see it must find that the row was written.
        keep(cell);
      }
      return;
    }
    if (isClear(cell)) {
      run[runLength++] = cell;
    } else {
      endRun(null, false);
      keep(cell);
    }
  }

  /** Decides on the newest put, which hides everything below it. */
  private void decidePut(int put) {
    if (isExpired(put)) {
      // The put still hides older cells that have not expired.
      endRun(null, false);
      if (sequences[put] >= completeBelow) {
        keep(put);
      }
    } else if (runLength == 0) {
      keep(put);
    } else if (!isClear(put)) {
      endRun(null, false);
      keep(put);
    } else if (!endRun(KeyValueLayout.value(buffers[put], offsets[put]), true)) {
      keep(put);
    }
  }

  private boolean isExpired(int cell) {
    return expires && KeyValueLayout.timestamp(buffers[cell], offsets[cell]) < oldestLiveTimestamp;
  }

  private boolean isClear(int cell) {
    return !expires && sequences[cell] > clearAbove && sequences[cell] <= clearUpTo;
  }

  /**
   * Replaces consecutive operands by one cell, if possible.
   *
   * @param base the value to which the operands apply, or null if there is none or it is unknown
   * @param complete whether the column has no older cell
   * @return whether operands and value were combined into one put
   */
  private boolean endRun(byte @Nullable [] base, boolean complete) {
    if (runLength == 0) {
      return false;
    }
    int newest = run[0];
    boolean applies = complete || sequences[run[runLength - 1]] < completeBelow;
    byte[] folded = null;
    if (applies || runLength > 1) {
      List<byte[]> operands = new ArrayList<>(runLength);
      for (int i = runLength - 1; i >= 0; i--) {
        operands.add(KeyValueLayout.value(buffers[run[i]], offsets[run[i]]));
      }
      folded = folded(applies, base, operands);
    }
    if (folded == null) {
      for (int i = 0; i < runLength; i++) {
        keep(run[i]);
      }
    } else {
      CellType type = applies ? CellType.PUT : CellType.MERGE;
      newCells.add(KeyValueLayout.withValue(buffers[newest], offsets[newest], type.code(), folded));
      newSequences.add(sequences[newest]);
      keptCells[keptCount++] = -newCells.size();
      foldedAny = true;
    }
    runLength = 0;
    return folded != null && applies;
  }

  /** Returns the result of the operator for operands, or null if the operands must be kept. */
  private byte @Nullable [] folded(boolean applies, byte @Nullable [] base, List<byte[]> operands) {
    byte[] folded = null;
    try {
      folded = applies ? merge.apply(base, operands) : merge.combine(operands);
    } catch (InternalError e) {
      throw e;
    } catch (Throwable e) {
      // Operators in some languages throw checked exceptions, and errors of their own.
      merge.onFailure(e);
    }
    return folded != null && folded.length <= merge.valueBytesMax() ? folded : null;
  }

  private void keep(int cell) {
    keptCells[keptCount++] = cell;
  }

  /** Sorts the kept cells into the order of cells. */
  private void restoreOrder() {
    for (int i = 1; i < keptCount; i++) {
      int moved = keptCells[i];
      int at = i;
      while (at > 0 && comesBefore(moved, keptCells[at - 1])) {
        keptCells[at] = keptCells[at - 1];
        at--;
      }
      keptCells[at] = moved;
    }
  }

  private boolean comesBefore(int a, int b) {
    if (!foldedAny) {
      return a < b;
    }
    ByteBuffer x = bufferOf(a);
    ByteBuffer y = bufferOf(b);
    int order = CellComparator.compareVersions(x, offsetOf(a), y, offsetOf(b));
    return order != 0 ? order < 0 : sequenceOf(a) > sequenceOf(b);
  }

  private int typeCode(int cell) {
    return KeyValueLayout.typeCode(buffers[cell], offsets[cell]);
  }

  /** {@return the number of cells that are kept} */
  public int kept() {
    return keptCount;
  }

  /**
   * {@return the index, from 0, of the i-th cell that is kept among the cells added; -1 if it is a
   * new cell}
   *
   * @param i index among the cells that are kept, from 0 to {@link #kept}, exclusive
   */
  public int cell(int i) {
    return Math.max(-1, keptCells[i]);
  }

  /**
   * {@return the buffer of the i-th cell that is kept}
   *
   * @param i index among the cells that are kept, from 0 to {@link #kept}, exclusive
   */
  public ByteBuffer buffer(int i) {
    return bufferOf(keptCells[i]);
  }

  /**
   * {@return the offset of the i-th cell that is kept}
   *
   * @param i index among the cells that are kept, from 0 to {@link #kept}, exclusive
   */
  public int offset(int i) {
    return offsetOf(keptCells[i]);
  }

  /**
   * {@return the length in bytes of the i-th cell that is kept}
   *
   * @param i index among the cells that are kept, from 0 to {@link #kept}, exclusive
   */
  public int length(int i) {
    int kept = keptCells[i];
    return kept >= 0 ? lengths[kept] : bufferOf(kept).capacity();
  }

  /**
   * {@return the sequence number of the i-th cell that is kept}
   *
   * @param i index among the cells that are kept, from 0 to {@link #kept}, exclusive
   */
  public long sequence(int i) {
    return sequenceOf(keptCells[i]);
  }

  private ByteBuffer bufferOf(int kept) {
    return kept >= 0 ? buffers[kept] : newCells.get(-kept - 1);
  }

  private int offsetOf(int kept) {
    return kept >= 0 ? offsets[kept] : 0;
  }

  private long sequenceOf(int kept) {
    return kept >= 0 ? sequences[kept] : newSequences.get(-kept - 1);
  }
}
