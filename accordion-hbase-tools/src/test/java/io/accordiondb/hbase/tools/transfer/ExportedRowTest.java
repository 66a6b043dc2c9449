// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.accordiondb.Cell;
import io.accordiondb.encoding.CellType;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExportedRowTest {
  private static Cell cell(CellType type, String qualifier, long timestamp) {
    return new Cell(
        new byte[] {'r'}, new byte[] {'f'}, Stores.bytes(qualifier), timestamp, type, new byte[0]);
  }

  private static Cell put(String qualifier, long timestamp) {
    return cell(CellType.PUT, qualifier, timestamp);
  }

  private static boolean agrees(Cell marker, Cell put) {
    return ExportedRow.agrees(List.of(marker, put), List.of(put));
  }

  @Test
  void findsMarkers() {
    assertThat(ExportedRow.hasMarkers(List.of(put("a", 1)))).isFalse();
    assertThat(ExportedRow.hasMarkers(List.of(put("a", 1), cell(CellType.DELETE, "b", 1))))
        .isTrue();
  }

  @Test
  void columnMarkersReachDownInTheirColumn() {
    Cell marker = cell(CellType.DELETE_COLUMN, "a", 5);
    assertThat(agrees(marker, put("a", 5))).isFalse();
    assertThat(agrees(marker, put("a", 4))).isFalse();
    assertThat(agrees(marker, put("a", 6))).isTrue();
    assertThat(agrees(marker, put("b", 5))).isTrue();
  }

  @Test
  void versionMarkersReachOneTimestamp() {
    Cell marker = cell(CellType.DELETE, "a", 5);
    assertThat(agrees(marker, put("a", 5))).isFalse();
    assertThat(agrees(marker, put("a", 4))).isTrue();
    assertThat(agrees(marker, put("b", 5))).isTrue();
  }

  @Test
  void familyMarkersReachAllColumns() {
    Cell marker = cell(CellType.DELETE_FAMILY, "", 5);
    assertThat(agrees(marker, put("a", 5))).isFalse();
    assertThat(agrees(marker, put("b", 1))).isFalse();
    assertThat(agrees(marker, put("b", 6))).isTrue();
    Cell version = cell(CellType.DELETE_FAMILY_VERSION, "", 5);
    assertThat(agrees(version, put("a", 5))).isFalse();
    assertThat(agrees(version, put("a", 4))).isTrue();
  }

  @Test
  void hiddenPutsMayBeHidden() {
    Cell hidden = put("a", 3);
    assertThat(ExportedRow.agrees(List.of(cell(CellType.DELETE_COLUMN, "a", 5), hidden), List.of()))
        .isTrue();
  }

  @Test
  void markersOfOneColumnDoNotReachTheNext() {
    List<Cell> raw = new ArrayList<>();
    raw.add(cell(CellType.DELETE_COLUMN, "a", 9));
    raw.add(put("a", 8));
    raw.add(cell(CellType.DELETE, "b", 7));
    raw.add(put("b", 7));
    raw.add(put("b", 6));
    assertThat(ExportedRow.agrees(raw, List.of(put("b", 6)))).isTrue();
    assertThat(ExportedRow.agrees(raw, List.of(put("b", 7), put("b", 6)))).isFalse();
  }

  private static Cell expiring(String qualifier, long timestamp) {
    return new Cell(
        new byte[] {'r'},
        new byte[] {'f'},
        Stores.bytes(qualifier),
        timestamp,
        CellType.PUT,
        new byte[0],
        1000);
  }

  @Test
  void findsPutsBelowOneThatExpires() {
    assertThat(ExportedRow.hasPutsThatMayReturn(List.of(expiring("a", 2), put("a", 1)))).isTrue();
    assertThat(ExportedRow.hasPutsThatMayReturn(List.of(put("a", 2), expiring("a", 1)))).isFalse();
    assertThat(ExportedRow.hasPutsThatMayReturn(List.of(expiring("a", 2), put("b", 1)))).isFalse();
  }

  @Test
  void leavesOutWhatNothingButATimeToLiveHides() {
    Cell marker = cell(CellType.DELETE, "a", 5);
    List<Cell> raw =
        List.of(
            put("a", 8),
            expiring("a", 7),
            put("a", 6),
            marker,
            put("a", 5),
            put("a", 4),
            put("b", 3));
    assertThat(ExportedRow.withoutPutsThatReturn(raw, List.of(put("a", 4))))
        .containsExactly(put("a", 8), marker, put("a", 5), put("a", 4), put("b", 3));
  }
}
