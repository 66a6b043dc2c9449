// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard.internal.sample;

/**
 * An event on the timeline of the page.
 *
 * @param number consecutive number, by which the page ignores events that it already has
 * @param atMillis when it was noticed, in milliseconds since 1970
 * @param database name of the database; empty for the process
 * @param kind the kind of event
 * @param text the same in words
 */
record TimelineEvent(long number, long atMillis, String database, Kind kind, String text) {
  /** What can happen, by the names that the page knows. */
  enum Kind {
    /** Active segments were sealed. */
    SEAL("seal"),
    /** Segments were merged in memory. */
    MERGE("merge"),
    /** Segments were compacted in memory. */
    MEMORY_COMPACTION("memory-compaction"),
    /** A merge or compaction in memory ended without effect. */
    ABORT("abort"),
    /** Memory was handed to a flush, or a flush has ended. */
    FLUSH("flush"),
    /** Compactions of sorted tables. */
    COMPACTION("compaction"),
    /** Writes had to wait. */
    STALL("stall"),
    /** Background work has failed, writes are refused, or damage was found. */
    FAILURE("failure"),
    /** A pause of the garbage collector. */
    PAUSE("pause"),
    /** A database appeared or was closed. */
    DATABASE("database");

    private final String label;

    Kind(String label) {
      this.label = label;
    }

    String label() {
      return label;
    }
  }
}
