// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import io.accordiondb.Database;
import io.accordiondb.DatabaseClosedException;
import io.accordiondb.DatabaseFailedException;
import io.accordiondb.KeyValueStore;
import io.accordiondb.WritesSuspendedException;
import java.io.IOException;

/** The shared database, from one opening of its folder to the next. Thread-safe. */
final class OpenDatabase {
  private static final String CELLS = "cells";

  private final Database database;
  private final KeyValueStore cells;
  private final SpaceRegistry registry;

  /** How often the folder was opened before. */
  private final int number;

  private final long keptEpoch;

  /**
   * Takes over a database.
   *
   * @param number how often its folder was opened before
   * @param keptEpoch what was written after this epoch, and before this opening, is lost
   */
  OpenDatabase(Database database, int number, long keptEpoch) throws IOException {
    this.number = number;
    this.keptEpoch = keptEpoch;
    this.database = database;
    this.cells = database.keyValueStore(CELLS);
    this.registry = new SpaceRegistry(database, cells);
  }

  Database database() {
    return database;
  }

  KeyValueStore cells() {
    return cells;
  }

  SpaceRegistry registry() {
    return registry;
  }

  int number() {
    return number;
  }

  /** Returns whether it has what the one before had, at the end of an epoch. */
  boolean hasAllOf(OpenDatabase before, long writtenEpoch) {
    // An earlier one may have lost more.
    return number == before.number + 1 && writtenEpoch <= keptEpoch;
  }

  /** Returns whether it has failed permanently. */
  boolean hasFailed() throws IOException {
    try {
      database.resume();
      return false;
    } catch (WritesSuspendedException e) {
      return false; // It resumes by itself, for example when there is room on the disk.
    } catch (DatabaseFailedException | DatabaseClosedException e) {
      return true;
    }
  }
}
