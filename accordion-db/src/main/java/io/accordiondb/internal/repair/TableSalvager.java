// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.repair;

import io.accordiondb.CorruptionException;
import io.accordiondb.internal.catalog.StoreOpener;
import io.accordiondb.internal.manifest.FileOwner;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.sstable.SortedTableProperties;
import io.accordiondb.internal.sstable.SortedTableSalvage;
import io.accordiondb.internal.sstable.SortedTableWriter;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Writes the cells of a damaged sorted table's sound blocks into a new one. Used once. */
final class TableSalvager {
  private static final Logger LOG = LoggerFactory.getLogger(TableSalvager.class);

  /** Up to this many gaps are described one by one. */
  private static final int GAPS_SHOWN_MAX = 20;

  private final Storage storage;
  private final long number;
  private final long numberInFile;
  private String description = "";

  /**
   * Creates a salvager.
   *
   * @param number number of the damaged table
   * @param numberInFile the number that the file states
   */
  TableSalvager(Storage storage, long number, long numberInFile) {
    this.storage = storage;
    this.number = number;
    this.numberInFile = numberInFile;
  }

  /**
   * Writes the new table. Returns false, and leaves no file, if no cell can be kept or the owner of
   * the cells is unknown.
   *
   * @param newNumber of the new table
   * @param knownOwner the owner of the table if the table does not record it, or null
   * @throws IOException if the new table cannot be written: the cells can be kept, but not now
   * @throws io.accordiondb.FormatVersionException if a newer version of this software may have
   *     written the damaged one
   */
  boolean salvage(long newNumber, @Nullable FileOwner knownOwner) throws IOException {
    SortedTableSalvage opened = open();
    if (opened == null) {
      return false;
    }
    try (SortedTableSalvage salvage = opened) {
      FileOwner owner = ownerIn(salvage.properties());
      if (owner == null) {
        owner = knownOwner;
      }
      return owner != null && write(salvage, newNumber, owner);
    } catch (CorruptionException e) {
      logUnreadable(e);
      return false;
    }
  }

  /** Finds the sound blocks; returns null if the table cannot be read. */
  private @Nullable SortedTableSalvage open() throws IOException {
    try {
      return SortedTableSalvage.open(storage, StoreFiles.nameOf(number), numberInFile);
    } catch (IOException e) {
      ReadFailures.throwUnlessDamage(e);
      logUnreadable(e);
      return null;
    }
  }

  private void logUnreadable(IOException e) {
    LOG.warn(
        "no cell of {} could be read: {}", storage.path(StoreFiles.nameOf(number)), e.getMessage());
  }

  /**
   * Returns a description of what is kept and what is lost, to append to a description of the
   * damage.
   */
  String description() {
    return description;
  }

  private @Nullable FileOwner ownerIn(@Nullable SortedTableProperties properties)
      throws IOException {
    String path = storage.path(StoreFiles.nameOf(number));
    FileOwner owner = properties == null ? null : FileOwner.decode(properties.owner(), path);
    if (owner != null) {
      StoreOpener.checkKnown(owner, path);
    }
    return owner;
  }

  private boolean write(SortedTableSalvage salvage, long newNumber, FileOwner owner)
      throws IOException {
    String name = StoreFiles.nameOf(newNumber);
    boolean isForeign = numberInFile == FileView.FOREIGN_NUMBER;
    SortedTableWriter writer =
        new SortedTableWriter(
            storage,
            name,
            isForeign ? FileView.FOREIGN_NUMBER : newNumber,
            StoreFiles.optionsOf(StoreOpener.descriptorOf(owner.family())));
    try {
      if (!isForeign) {
        writer.setOwner(owner.encode());
      }
      salvage.copyTo(writer);
      if (salvage.cells() == 0) {
        return false;
      }
      writer.finish();
      storage.syncDirectory(StoreFiles.DIRECTORY);
      description = describe(salvage, name);
      return true;
    } finally {
      writer.abandon();
    }
  }

  private static String describe(SortedTableSalvage salvage, String name) {
    StringBuilder text = new StringBuilder();
    text.append(
        String.format(
            Locale.ROOT, "; the %,d cells of its sound blocks are in %s", salvage.cells(), name));
    if (salvage.isComplete()) {
      return text.append("; no cell is lost").toString();
    }
    text.append("; lost are ");
    if (salvage.lostCells() < 0) {
      text.append("the cells, if there were any,");
    } else {
      text.append(
          String.format(
              Locale.ROOT,
              "%,d cells, %,d of them delete markers,",
              salvage.lostCells(),
              salvage.lostMarkers()));
    }
    salvage.gaps().stream().limit(GAPS_SHOWN_MAX).forEach(gap -> append(text, gap));
    if (salvage.gaps().size() > GAPS_SHOWN_MAX) {
      text.append(" and in ").append(salvage.gaps().size() - GAPS_SHOWN_MAX).append(" more places");
    }
    if (salvage.lostMarkers() != 0) {
      text.append("; where a delete marker is lost, older cells are visible again");
    }
    return text.toString();
  }

  private static void append(StringBuilder text, SortedTableSalvage.Gap gap) {
    text.append(String.format(Locale.ROOT, " in bytes %d to %d", gap.from(), gap.to() - 1));
    if (gap.after() != null) {
      text.append(", from row \"").append(gap.after()).append("\" on");
    }
    if (gap.before() != null) {
      text.append(", up to row \"").append(gap.before()).append('"');
    }
  }
}
