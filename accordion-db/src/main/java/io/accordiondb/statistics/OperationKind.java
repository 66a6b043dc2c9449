// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.statistics;

/** The kinds of operations that are counted and timed. */
public enum OperationKind {
  /** A get that read no sorted table: memory stores answered it, or nothing had the row. */
  GET_MEMORY("get, from memory", true),
  /** A get that read blocks or columns of sorted tables, all of them from the block cache. */
  GET_CACHE("get, from cache", true),
  /** A get that read at least one block from a file. */
  GET_FILE("get, from files", true),
  /** Opening a scanner, an iterator or a cursor. */
  SCAN_OPEN("scan, open", true),
  /** Moving a scanner, an iterator or a cursor to the next row. */
  SCAN_NEXT("scan, next", true),
  /** A write that was not logged. */
  WRITE_SKIP("write, SKIP", true),
  /** A write whose log record is in memory. */
  WRITE_ASYNC("write, ASYNC", true),
  /** A write that was handed to the operating system. */
  WRITE_SYNC("write, SYNC", true),
  /** A write that was forced to the device. */
  WRITE_FSYNC("write, FSYNC", true),
  /** A check-and-mutate, increment, append, or other write that depends on what is stored. */
  READ_MODIFY_WRITE("read-modify-write", true),
  /** The commit of a transaction that has written. */
  TRANSACTION("transaction, commit", true),
  /**
   * The part of a write that waits for the log: for a place in a group, and for the durability of
   * the group.
   */
  COMMIT_WAIT("wait for the log", true),
  /** A flush of one store to disk. */
  FLUSH("flush", false),
  /** A compaction of sorted tables. */
  COMPACTION("compaction", false),
  /** A merge of segments in memory. */
  IN_MEMORY_MERGE("in-memory merge", false),
  /** A compaction of segments in memory. */
  IN_MEMORY_COMPACTION("in-memory compaction", false);

  private final String label;
  private final boolean foreground;

  OperationKind(String label, boolean foreground) {
    this.label = label;
    this.foreground = foreground;
  }

  /** {@return the name for display} */
  public String label() {
    return label;
  }

  /**
   * {@return whether an application waits for the operation; otherwise it runs in the background}
   */
  public boolean isForeground() {
    return foreground;
  }
}
