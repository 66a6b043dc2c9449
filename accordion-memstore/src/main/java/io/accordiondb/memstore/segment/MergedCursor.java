// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.memstore.segment;

import io.accordiondb.cell.CellComparator;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;

/**
 * The cells of several segments in one sorted sequence. Cells of equal key and sequence number come
 * in the order of their segments. Belongs to one thread.
 *
 * <p>The segments stand in an array in the order of their current cells, kept by insertion: there
 * are few of them, most steps leave the first one first, and key prefixes decide most comparisons
 * without a look at the cells.
 */
public final class MergedCursor implements MemoryCursor {
  private static final class Source {
    final PrefixCursor cursor;

    /** Its place among the segments given, the newest being 0. */
    final int age;

    long prefix;

    Source(PrefixCursor cursor, int age) {
      this.cursor = cursor;
      this.age = age;
    }
  }

  private final KeyPrefix keyPrefix;
  private final Source[] all;

  /** Those that stand on a cell, in the order of those cells; only the first {@link #live}. */
  private final Source[] order;

  private int live;

  /**
   * Creates a cursor that stands on no cell.
   *
   * @param segments newest first
   * @param keyPrefix a map that fits most of them
   */
  public MergedCursor(List<Segment> segments, KeyPrefix keyPrefix) {
    this.keyPrefix = keyPrefix;
    this.all = new Source[segments.size()];
    this.order = new Source[segments.size()];
    for (int age = 0; age < all.length; age++) {
      all[age] = new Source(segments.get(age).cursor(), age);
    }
  }

  @Override
  public boolean seekToFirst() {
    live = 0;
    for (Source source : all) {
      if (source.cursor.seekToFirst()) {
        enter(source);
      }
    }
    return live > 0;
  }

  @Override
  public boolean seek(ByteBuffer key, int keyOffset) {
    live = 0;
    for (Source source : all) {
      if (source.cursor.seek(key, keyOffset)) {
        enter(source);
      }
    }
    return live > 0;
  }

  /**
   * Seeks with the segments searched side by side.
   *
   * @param executor runs all searches but the first
   */
  public boolean seek(ByteBuffer key, int keyOffset, Executor executor) {
    List<CompletableFuture<Boolean>> searches = new ArrayList<>(all.length);
    for (int i = 1; i < all.length; i++) {
      MemoryCursor cursor = all[i].cursor;
      searches.add(CompletableFuture.supplyAsync(() -> cursor.seek(key, keyOffset), executor));
    }
    live = 0;
    for (int i = 0; i < all.length; i++) {
      if (i == 0 ? all[0].cursor.seek(key, keyOffset) : searches.get(i - 1).join()) {
        enter(all[i]);
      }
    }
    return live > 0;
  }

  @Override
  public boolean seekBefore(ByteBuffer key, int keyOffset) {
    Source last = null;
    for (Source source : all) {
      if (source.cursor.seekBefore(key, keyOffset)) {
        source.prefix = source.cursor.prefix(keyPrefix);
        if (last == null || isBefore(last, source)) {
          last = source;
        }
      }
    }
    live = 0;
    if (last == null) {
      return false;
    }
    for (Source source : all) {
      if (source == last || source.cursor.seek(key, keyOffset)) {
        enter(source);
      }
    }
    return true;
  }

  @Override
  public boolean next() {
    Source moved = order[0];
    if (!moved.cursor.next()) {
      live--;
      System.arraycopy(order, 1, order, 0, live);
      return live > 0;
    }
    moved.prefix = moved.cursor.prefix(keyPrefix);
    moved.cursor.loadAhead();
    int at = 0;
    while (at + 1 < live && isBefore(order[at + 1], moved)) {
      order[at] = order[at + 1];
      at++;
    }
    order[at] = moved;
    return true;
  }

  private void enter(Source source) {
    source.prefix = source.cursor.prefix(keyPrefix);
    source.cursor.loadAhead();
    int at = live;
    while (at > 0 && isBefore(source, order[at - 1])) {
      order[at] = order[at - 1];
      at--;
    }
    order[at] = source;
    live++;
  }

  private static boolean isBefore(Source a, Source b) {
    if (a.prefix != b.prefix) {
      return Long.compareUnsigned(a.prefix, b.prefix) < 0;
    }
    MemoryCursor x = a.cursor;
    MemoryCursor y = b.cursor;
    int order =
        CellComparator.compare(
            x.buffer(), x.offset(), x.sequenceNumber(), y.buffer(), y.offset(), y.sequenceNumber());
    return order != 0 ? order < 0 : a.age < b.age;
  }

  @Override
  public boolean isValid() {
    return live > 0;
  }

  @Override
  public ByteBuffer buffer() {
    return order[0].cursor.buffer();
  }

  @Override
  public int offset() {
    return order[0].cursor.offset();
  }

  @Override
  public int length() {
    return order[0].cursor.length();
  }

  @Override
  public long sequenceNumber() {
    return order[0].cursor.sequenceNumber();
  }
}
