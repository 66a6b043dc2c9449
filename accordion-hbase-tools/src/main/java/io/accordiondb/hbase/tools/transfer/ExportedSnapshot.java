// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.hbase.tools.transfer;

import io.accordiondb.FamilyDescriptor;
import io.accordiondb.cli.hfile.DamagedHFileException;
import io.accordiondb.cli.hfile.HFileImport;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hbase.CellUtil;
import org.apache.hadoop.hbase.HConstants;
import org.apache.hadoop.hbase.KeyValue;
import org.apache.hadoop.hbase.TableName;
import org.apache.hadoop.hbase.client.ColumnFamilyDescriptor;
import org.apache.hadoop.hbase.client.RegionInfo;
import org.apache.hadoop.hbase.client.RegionReplicaUtil;
import org.apache.hadoop.hbase.client.TableDescriptor;
import org.apache.hadoop.hbase.io.HFileLink;
import org.apache.hadoop.hbase.io.Reference;
import org.apache.hadoop.hbase.mob.MobUtils;
import org.apache.hadoop.hbase.regionserver.StoreFileInfo;
import org.apache.hadoop.hbase.shaded.protobuf.ProtobufUtil;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotDescription;
import org.apache.hadoop.hbase.shaded.protobuf.generated.SnapshotProtos.SnapshotRegionManifest;
import org.apache.hadoop.hbase.snapshot.SnapshotDescriptionUtils;
import org.apache.hadoop.hbase.snapshot.SnapshotManifest;
import org.apache.hadoop.hbase.util.CommonFSUtils;

/**
 * A snapshot in a folder to which HBase's ExportSnapshot has copied it: its manifest below {@code
 * .hbase-snapshot}, its HFiles below {@code archive}. Regions that were split and not compacted yet
 * share the files of their parent; each reads its rows of them.
 */
final class ExportedSnapshot {
  private static final byte[] OPEN = {};

  private final LocalFiles disk;
  private final Path root;
  private final SnapshotManifest manifest;
  private final Configuration configuration;

  private ExportedSnapshot(
      LocalFiles disk, Path root, SnapshotManifest manifest, Configuration configuration) {
    this.disk = disk;
    this.root = root;
    this.manifest = manifest;
    this.configuration = configuration;
  }

  /**
   * Opens a snapshot.
   *
   * @throws IOException if the folder holds none, or several and none is named
   * @throws DamagedHFileException if its manifest cannot be read
   */
  static ExportedSnapshot open(LocalFiles disk, HFileImport request) throws IOException {
    Path root = request.source();
    if (!Files.exists(root)) {
      throw new NoSuchFileException(root.toString());
    }
    Path folder = root.resolve(HConstants.SNAPSHOT_DIR_NAME).resolve(name(request));
    Configuration configuration = new Configuration(disk.configuration());
    CommonFSUtils.setRootDir(configuration, LocalFiles.path(root));
    try {
      SnapshotDescription description =
          SnapshotDescriptionUtils.readSnapshotInfo(disk.files(), LocalFiles.path(folder));
      return new ExportedSnapshot(
          disk,
          root,
          SnapshotManifest.open(configuration, disk.files(), LocalFiles.path(folder), description),
          configuration);
    } catch (IOException | RuntimeException e) {
      throw new DamagedHFileException(
          "the manifest of the snapshot " + folder + " cannot be read: " + e.getMessage(), e);
    }
  }

  private static String name(HFileImport request) throws IOException {
    Path snapshots = request.source().resolve(HConstants.SNAPSHOT_DIR_NAME);
    List<String> names = new ArrayList<>();
    if (Files.isDirectory(snapshots)) {
      try (Stream<Path> entries = Files.list(snapshots)) {
        entries
            .map(entry -> entry.getFileName().toString())
            .filter(entry -> !entry.startsWith("."))
            .sorted()
            .forEach(names::add);
      }
    }
    if (names.isEmpty()) {
      throw new IOException(
          request.source()
              + " holds no snapshot of HBase's; expected "
              + snapshots
              + " and "
              + request.source().resolve(HConstants.HFILE_ARCHIVE_DIRECTORY)
              + ", as ExportSnapshot writes them");
    }
    String wanted = request.snapshot();
    if (wanted == null && names.size() > 1) {
      throw new IllegalArgumentException(
          request.source() + " holds the snapshots " + names + "; choose with --snapshot");
    }
    if (wanted != null && !names.contains(wanted)) {
      throw new IOException(
          request.source() + " holds no snapshot \"" + wanted + "\"; it holds " + names);
    }
    return wanted == null ? names.get(0) : wanted;
  }

  /** Opens each file once, and returns what is to be read. */
  ImportSource read() throws IOException {
    TableDescriptor table = manifest.getTableDescriptor();
    List<FamilyDescriptor> families = new ArrayList<>();
    for (ColumnFamilyDescriptor family : table.getColumnFamilies()) {
      checkFamily(family);
      families.add(ImportedFamily.of(family));
    }
    List<RegionFamily> regions = regions();
    List<byte[]> splits =
        regions.stream()
            .map(each -> each.region.getStartKey())
            .filter(start -> start.length > 0)
            .toList();
    List<ImportUnit> units = new ArrayList<>();
    for (RegionFamily region : regions) {
      for (SnapshotRegionManifest.FamilyFiles family : region.manifest.getFamilyFilesList()) {
        addUnit(units, region.region, family);
      }
    }
    return new ImportSource(new SourceTable(families, splits), units, false);
  }

  private static void checkFamily(ColumnFamilyDescriptor family) throws IOException {
    if (family.isMobEnabled()) {
      throw new IOException(
          "family \""
              + family.getNameAsString()
              + "\" keeps values in files of their own (MOB), which are not read; turn MOB off and"
              + " compact the table before the snapshot");
    }
    if (family.isNewVersionBehavior()) {
      throw new IOException(
          "family \""
              + family.getNameAsString()
              + "\" has NEW_VERSION_BEHAVIOR, by which markers hide other cells than by default;"
              + " it is not read");
    }
  }

  /** A region and its files. */
  private record RegionFamily(RegionInfo region, SnapshotRegionManifest manifest) {}

  /** Returns the regions in order; their parents, and copies for reading, are left out. */
  private List<RegionFamily> regions() {
    List<RegionFamily> regions = new ArrayList<>();
    List<SnapshotRegionManifest> manifests = manifest.getRegionManifests();
    if (manifests != null) {
      for (SnapshotRegionManifest each : manifests) {
        RegionInfo region = ProtobufUtil.toRegionInfo(each.getRegionInfo());
        boolean isParent = region.isOffline() && (region.isSplit() || region.isSplitParent());
        if (!isParent
            && RegionReplicaUtil.isDefaultReplica(region)
            && !MobUtils.isMobRegionInfo(region)) {
          regions.add(new RegionFamily(region, each));
        }
      }
    }
    regions.sort(Comparator.comparing(RegionFamily::region));
    return regions;
  }

  private void addUnit(
      List<ImportUnit> units, RegionInfo region, SnapshotRegionManifest.FamilyFiles family)
      throws IOException {
    String name = family.getFamilyName().toStringUtf8();
    List<SourceFile> files = new ArrayList<>();
    long cells = 0;
    for (SnapshotRegionManifest.StoreFile each : family.getStoreFilesList()) {
      SourceFile file = file(region, name, each);
      try (StrictHFile opened = StrictHFile.open(disk, file.file())) {
        cells += opened.entries();
      }
      files.add(file);
    }
    if (cells > 0) {
      units.add(new ImportUnit(name, files, cells));
    }
  }

  /** Returns the file that an entry of the manifest leads to. */
  private SourceFile file(RegionInfo region, String family, SnapshotRegionManifest.StoreFile entry)
      throws IOException {
    TableName table = manifest.getTableDescriptor().getTableName();
    String regionName = region.getEncodedName();
    String fileName = entry.getName();
    if (StoreFileInfo.isReference(fileName)) {
      org.apache.hadoop.fs.Path referred =
          StoreFileInfo.getReferredToFile(
              new org.apache.hadoop.fs.Path(
                  LocalFiles.path(root), regionName + "/" + family + "/" + fileName));
      regionName = referred.getParent().getParent().getName();
      fileName = referred.getName();
    }
    if (HFileLink.isHFileLink(fileName)) {
      table = HFileLink.getReferencedTableName(fileName);
      regionName = HFileLink.getReferencedRegionName(fileName);
      fileName = HFileLink.getReferencedHFileName(fileName);
    }
    Path file;
    try {
      file =
          LocalFiles.path(
              HFileLink.build(configuration, table, regionName, family, fileName)
                  .getAvailablePath(disk.files()));
    } catch (FileNotFoundException e) {
      throw new DamagedHFileException(
          root
              + " lacks the HFile "
              + fileName
              + " of region "
              + regionName
              + ", family "
              + family
              + ", which the snapshot's manifest names; export the snapshot again",
          e);
    }
    if (!entry.hasReference()) {
      return SourceFile.whole(file);
    }
    Reference reference = Reference.convert(entry.getReference());
    byte[] key = reference.getSplitKey();
    byte[] row = CellUtil.cloneRow(new KeyValue.KeyOnlyKeyValue(key, 0, key.length));
    return Reference.isTopFileRegion(reference.getFileRegion())
        ? new SourceFile(file, row, OPEN)
        : new SourceFile(file, OPEN, row);
  }
}
