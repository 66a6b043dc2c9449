// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;

/**
 * Finds the HFiles of a folder that has a folder for each family, and opens each once. As HBase's
 * bulk load does, it passes over names that begin with a dot or an underscore.
 */
final class HFileFolder {
  private final LocalFiles disk;

  HFileFolder(LocalFiles disk) {
    this.disk = disk;
  }

  /** A file and the rows between which its cells are. */
  private record Extent(Path file, byte[] firstRow, byte[] lastRow, long cells) {}

  /**
   * Returns what the folder holds.
   *
   * @throws IOException if it holds no HFile, or one that cannot be read
   */
  ImportSource read(Path folder) throws IOException {
    if (!Files.exists(folder)) {
      throw new NoSuchFileException(folder.toString());
    }
    if (!Files.isDirectory(folder)) {
      throw new NotDirectoryException(folder.toString());
    }
    List<ImportUnit> units = new ArrayList<>();
    List<String> families = new ArrayList<>();
    long files = 0;
    for (Path family : children(folder)) {
      if (Files.isDirectory(family) && isFamily(family)) {
        List<Extent> extents = new ArrayList<>();
        for (Path file : children(family)) {
          if (!file.getFileName().toString().startsWith("_")) {
            files++;
            addExtent(extents, file);
          }
        }
        String name = family.getFileName().toString();
        families.add(name);
        units.addAll(units(name, extents));
      }
    }
    if (files == 0) {
      throw new IOException(
          folder + " holds no HFiles; expected a folder for each family, with HFiles in it");
    }
    return new ImportSource(TableFile.read(folder, families), units, TableFile.isIn(folder));
  }

  private void addExtent(List<Extent> extents, Path file) throws IOException {
    String name = file.getFileName().toString();
    if (HFileLink.isHFileLink(name) || StoreFileInfo.isReference(name)) {
      throw new IOException(
          file
              + " is no HFile but leads to one in HBase's folders; export a snapshot and read it"
              + " with --format snapshot");
    }
    try (StrictHFile opened = StrictHFile.open(disk, file)) {
      if (opened.entries() > 0) {
        extents.add(
            new Extent(
                file,
                opened.firstRow().orElseThrow(),
                opened.lastRow().orElseThrow(),
                opened.entries()));
      }
    }
  }

  /** Puts files together whose rows overlap. */
  private static List<ImportUnit> units(String family, List<Extent> extents) {
    extents.sort((a, b) -> Arrays.compareUnsigned(a.firstRow, b.firstRow));
    List<ImportUnit> units = new ArrayList<>();
    List<SourceFile> together = new ArrayList<>();
    long cells = 0;
    byte[] lastRow = {};
    for (Extent extent : extents) {
      boolean overlaps = Arrays.compareUnsigned(extent.firstRow, lastRow) <= 0;
      if (!together.isEmpty() && !overlaps) {
        units.add(new ImportUnit(family, List.copyOf(together), cells));
        together.clear();
        cells = 0;
      }
      together.add(SourceFile.whole(extent.file));
      cells += extent.cells;
      lastRow =
          together.size() > 1 && Arrays.compareUnsigned(lastRow, extent.lastRow) > 0
              ? lastRow
              : extent.lastRow;
    }
    if (!together.isEmpty()) {
      units.add(new ImportUnit(family, List.copyOf(together), cells));
    }
    return units;
  }

  /** Returns whether HBase's bulk load takes a folder for that of a family. */
  private static boolean isFamily(Path folder) {
    return !folder.getFileName().toString().equals(HConstants.RECOVERED_EDITS_DIR);
  }

  private static List<Path> children(Path folder) throws IOException {
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder)) {
      for (Path entry : entries) {
        String name = entry.getFileName().toString();
        if (!name.startsWith(".")) {
          children.add(entry);
        }
      }
    }
    children.sort(null);
    return children;
  }
}
