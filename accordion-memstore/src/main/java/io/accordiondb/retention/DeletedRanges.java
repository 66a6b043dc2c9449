// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.retention;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The range tombstones of a store that apply to one reader: those in memory, those being flushed,
 * and those recorded with its sorted tables. Immutable.
 *
 * <p>For a reader whose read point is at or above the sequence number of a tombstone, the cells
 * that the tombstone covers do not exist, whatever the rules of the family say. So readers and
 * compactions remove them before they count versions and apply delete markers.
 */
public final class DeletedRanges {
  /** The instance without any tombstone. */
  public static final DeletedRanges NONE = new DeletedRanges(List.of());

  private final List<RangeTombstones> parts;
  private final long maxSequence;

  private DeletedRanges(List<RangeTombstones> parts) {
    this.parts = parts;
    long max = 0;
    for (RangeTombstones part : parts) {
      max = Math.max(max, part.maxSequence());
    }
    this.maxSequence = max;
  }

  /**
   * {@return these tombstones and those of one more set}
   *
   * @param part the tombstones to add
   */
  public DeletedRanges and(RangeTombstones part) {
    if (part.isEmpty()) {
      return this;
    }
    List<RangeTombstones> all = new ArrayList<>(parts);
    all.add(part);
    return new DeletedRanges(List.copyOf(all));
  }

  /** {@return whether there is no tombstone} */
  public boolean isEmpty() {
    return maxSequence == 0;
  }

  /** {@return the lowest sequence number, or {@link Long#MAX_VALUE} if there is no tombstone} */
  public long minSequence() {
    return parts.stream().mapToLong(RangeTombstones::minSequence).min().orElse(Long.MAX_VALUE);
  }

  /** {@return the highest sequence number of a tombstone, 0 if there is none} */
  public long maxSequence() {
    return maxSequence;
  }

  /**
   * {@return whether a tombstone above a sequence number covers a row of a range}
   *
   * @param start the first row, inclusive; empty for the first row of the store
   * @param end the end of the range, exclusive; empty for no end
   * @param aboveSequence tombstones up to this sequence number do not count
   */
  public boolean touch(byte[] start, byte[] end, long aboveSequence) {
    return parts.stream().anyMatch(part -> part.touches(start, end, aboveSequence));
  }

  /**
   * {@return the sequence number below which the cells of a row are deleted; 0 if none is}
   *
   * @param cell a serialised cell, or key, of the row
   * @param offset offset of the cell's first byte, in bytes
   * @param readPoint the highest sequence number of a tombstone that counts
   */
  public long deletedBelow(ByteBuffer cell, int offset, long readPoint) {
    return isEmpty() ? 0 : walk(readPoint).deletedBelow(cell, offset);
  }

  /**
   * {@return an object that answers for many cells, one after another}
   *
   * @param readPoint the highest sequence number of a tombstone that counts
   */
  public Walk walk(long readPoint) {
    return new Walk(readPoint);
  }

  /** Answers for many cells, and fast if they come in order. Belongs to one thread. */
  public final class Walk {
    private final RangeSearch[] searches = new RangeSearch[parts.size()];
    private @Nullable RangeTombstone newest;

    private Walk(long readPoint) {
      for (int i = 0; i < searches.length; i++) {
        searches[i] = new RangeSearch(parts.get(i).root(), readPoint);
      }
    }

    /**
     * {@return the sequence number below which the cells of a cell's row are deleted}
     *
     * @param cell a serialised cell, or key
     * @param offset offset of the cell's first byte, in bytes
     */
    public long deletedBelow(ByteBuffer cell, int offset) {
      long below = 0;
      newest = null;
      for (RangeSearch search : searches) {
        long sequence = search.newestSequence(cell, offset);
        if (sequence > below) {
          below = sequence;
          newest = search.newest();
        }
      }
      return below;
    }

    /**
     * {@return the tombstone that gave the last answer} All cells of its rows that are below the
     * answer are deleted. Call this only if the answer was not 0.
     */
    public RangeTombstone newest() {
      return Objects.requireNonNull(newest);
    }
  }
}
