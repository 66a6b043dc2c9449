// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellTags;
import io.accordiondb.encoding.CellType;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Decides which cells of a row HBase gets, so that it shows what the database shows.
 *
 * <p>A marker of the database hides what was written before it. A marker of HBase's hides all puts
 * at or below its timestamp, whenever they were written. The two differ if a put came after a
 * marker of an equal or higher timestamp. HBase gets such a row without its markers and without
 * what they hide.
 *
 * <p>A put of the database whose time to live has passed hides what was written before it; HBase
 * passes over such a put, so older ones show again. HBase does not get the puts that nothing else
 * hides. Nor does it get those that only a compaction filter hides.
 */
final class ExportedRow {
  private ExportedRow() {}

  /** Returns whether a row has delete markers, so that {@link #agrees} must be asked. */
  static boolean hasMarkers(List<Cell> cells) {
    for (Cell cell : cells) {
      if (cell.type() != CellType.PUT) {
        return true;
      }
    }
    return false;
  }

  /**
   * Returns whether HBase would show all that the database shows.
   *
   * @param raw the cells of a row and family with markers and hidden puts, in their order
   * @param visible those that the database shows
   */
  static boolean agrees(List<Cell> raw, List<Cell> visible) {
    Markers markers = new Markers();
    Set<Version> shown = new HashSet<>();
    for (Cell cell : raw) {
      if (cell.type() != CellType.PUT) {
        markers.add(cell);
      } else if (!markers.hide(cell)) {
        shown.add(Version.of(cell));
      }
    }
    return shown.containsAll(versions(visible));
  }

  /**
   * Returns the puts that the database shows, with all their tags.
   *
   * @param raw the cells of a row and family with markers and hidden puts, in their order
   * @param visible those that the database shows, which lack some tags
   */
  static List<Cell> shown(List<Cell> raw, List<Cell> visible) {
    Set<Version> versions = versions(visible);
    return raw.stream()
        .filter(cell -> cell.type() == CellType.PUT && versions.contains(Version.of(cell)))
        .toList();
  }

  /**
   * Returns whether a put stands below one with a time to live, so that {@link
   * #withoutPutsThatReturn} must be asked.
   */
  static boolean hasPutsThatMayReturn(List<Cell> cells) {
    Cell expiring = null;
    for (Cell cell : cells) {
      if (cell.type() == CellType.PUT) {
        if (expiring != null && isSameColumn(expiring, cell)) {
          return true;
        }
        if (cell.ttlMillis() != CellTags.FOREVER) {
          expiring = cell;
        }
      }
    }
    return false;
  }

  /**
   * Returns the cells without the puts that the database does not show and that HBase would show
   * when a time to live has passed. These are puts with a time to live too: if one has expired and
   * the database shows an older version, that one was written later, and an import must not take it
   * for one that the expired put hides.
   *
   * @param raw the cells of a row and family with markers and hidden puts, in their order
   * @param visible those that the database shows
   */
  static List<Cell> withoutPutsThatReturn(List<Cell> raw, List<Cell> visible) {
    Markers markers = new Markers();
    Set<Version> shown = versions(visible);
    List<Cell> kept = new ArrayList<>(raw.size());
    Cell expiring = null;
    for (Cell cell : raw) {
      boolean returns = false;
      if (cell.type() == CellType.PUT) {
        if (cell.ttlMillis() != CellTags.FOREVER) {
          expiring = cell;
        }
        returns =
            expiring != null
                && isSameColumn(expiring, cell)
                && !markers.hide(cell)
                && !shown.contains(Version.of(cell));
      } else {
        markers.add(cell);
      }
      if (!returns) {
        kept.add(cell);
      }
    }
    return kept;
  }

  /**
   * Returns the cells of a family that filters reads, without the puts that the database does not
   * show and that no marker hides in HBase.
   *
   * @param raw the cells of a row and family with markers and hidden puts, in their order
   * @param visible those that the database shows
   */
  static List<Cell> withoutPutsThatAreFiltered(List<Cell> raw, List<Cell> visible) {
    Markers markers = new Markers();
    Set<Version> shown = versions(visible);
    List<Cell> kept = new ArrayList<>(raw.size());
    for (Cell cell : raw) {
      boolean isPut = cell.type() == CellType.PUT;
      if (!isPut) {
        markers.add(cell);
      }
      if (!isPut || markers.hide(cell) || shown.contains(Version.of(cell))) {
        kept.add(cell);
      }
    }
    return kept;
  }

  private static boolean isSameColumn(Cell one, Cell other) {
    return other.isOf(one.family(), one.qualifier());
  }

  private static Set<Version> versions(List<Cell> cells) {
    return cells.stream().map(Version::of).collect(Collectors.toSet());
  }

  /** A version of a column of the row. */
  private record Version(ByteBuffer qualifier, long timestamp) {
    static Version of(Cell cell) {
      return new Version(ByteBuffer.wrap(cell.qualifier()), cell.timestamp());
    }
  }

  /** The markers of a family's row that stand before the present cell, and what HBase hides. */
  private static final class Markers {
    private final Set<Long> familyVersions = new HashSet<>();
    private final List<Cell> columnMarkers = new ArrayList<>();
    private long familyUpTo = -1;

    void add(Cell marker) {
      switch (marker.type()) {
        case DELETE_FAMILY -> familyUpTo = Math.max(familyUpTo, marker.timestamp());
        case DELETE_FAMILY_VERSION -> familyVersions.add(marker.timestamp());
        case DELETE, DELETE_COLUMN -> {
          if (!columnMarkers.isEmpty() && !isSameColumn(columnMarkers.get(0), marker)) {
            columnMarkers.clear();
          }
          columnMarkers.add(marker);
        }
        case PUT, DELETE_RANGE, MERGE ->
            throw new IllegalArgumentException(marker + " is no marker that HBase has");
      }
    }

    boolean hide(Cell put) {
      if (put.timestamp() <= familyUpTo || familyVersions.contains(put.timestamp())) {
        return true;
      }
      for (Cell marker : columnMarkers) {
        boolean reaches =
            marker.type() == CellType.DELETE
                ? put.timestamp() == marker.timestamp()
                : put.timestamp() <= marker.timestamp();
        if (reaches && isSameColumn(marker, put)) {
          return true;
        }
      }
      return false;
    }
  }
}
