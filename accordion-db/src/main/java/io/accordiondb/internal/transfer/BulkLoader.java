// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.transfer;

import io.accordiondb.DatabaseOptions;
import io.accordiondb.internal.cache.BlockCache;
import io.accordiondb.internal.catalog.Catalog;
import io.accordiondb.internal.commit.CommitPipeline;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.function.IoBiConsumer;
import io.accordiondb.internal.function.IoRunnable;
import io.accordiondb.internal.manifest.FileRecord;
import io.accordiondb.internal.manifest.FileView;
import io.accordiondb.internal.manifest.Manifest;
import io.accordiondb.internal.manifest.ManifestChange;
import io.accordiondb.internal.manifest.VersionEdit;
import io.accordiondb.internal.region.FileChange;
import io.accordiondb.internal.region.FileRecorder;
import io.accordiondb.internal.region.Region;
import io.accordiondb.internal.region.Store;
import io.accordiondb.internal.region.StoreFile;
import io.accordiondb.internal.region.StoreFiles;
import io.accordiondb.internal.region.TableState;
import io.accordiondb.internal.sstable.SortedTable;
import io.accordiondb.internal.sstable.SortedTableProperties;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * Adds prepared sorted files to a table atomically, without rewriting them. Thread-safe.
 *
 * <p>It verifies each file and links it into the folder; every region that has rows in the file
 * gets a view of it. All cells of a file get one sequence number, a higher one than those of the
 * files before it, so that a cell that two files have does not depend on which of them is compacted
 * first. The numbers become visible together when the manifest has recorded the files. The log and
 * the memory stores are not involved.
 */
public final class BulkLoader {
  private static final byte[] NO_BOUND = {};

  /** Stands for the sequence number of a file that does not have one yet. */
  private static final long UNKNOWN_SEQUENCE = Long.MAX_VALUE;

  private final Storage storage;
  private final StoreFiles files;
  private final Manifest manifest;
  private final Catalog catalog;
  private final CommitPipeline pipeline;
  private final IoBiConsumer<String, IoRunnable> notedIngestion;
  private final Supplier<DatabaseOptions> options;
  private final BlockCache noCache = new BlockCache(0);

  /**
   * Creates a loader.
   *
   * @param notedIngestion notes the name of a table, and then runs what gives it files
   */
  public BulkLoader(
      Storage storage,
      StoreFiles files,
      Manifest manifest,
      Catalog catalog,
      CommitPipeline pipeline,
      IoBiConsumer<String, IoRunnable> notedIngestion,
      Supplier<DatabaseOptions> options) {
    this.storage = storage;
    this.files = files;
    this.manifest = manifest;
    this.catalog = catalog;
    this.pipeline = pipeline;
    this.notedIngestion = notedIngestion;
    this.options = options;
  }

  /** A file to ingest: its name in some folder. */
  public record Source(Storage storage, String name) {
    /**
     * Returns files by their paths.
     *
     * @throws NoSuchFileException if one of them does not exist, or is no file
     */
    public static List<Source> of(List<Path> files) throws IOException {
      List<Source> sources = new ArrayList<>();
      for (Path file : files) {
        if (!Files.isRegularFile(file)) {
          throw new NoSuchFileException(file.toString(), null, "there is no such file to ingest");
        }
        // A storage follows no symbolic links, and a link to one would lead out of the database.
        Path real = file.toRealPath();
        sources.add(
            new Source(
                new FileStorage(Objects.requireNonNull(real.getParent())),
                String.valueOf(real.getFileName())));
      }
      return sources;
    }
  }

  /** A file that has been linked. */
  private record Linked(long number, SortedTableProperties properties) {}

  /**
   * A file that a store receives, open, and whose record lacks the sequence number.
   *
   * @param index of the file among those that are ingested
   */
  private record Addition(Store store, int index, StoreFile file) {
    Addition behind(long firstSequence) {
      return new Addition(store, index, file.ingestedAs(firstSequence + index));
    }
  }

  /**
   * Adds files to a family of a table; none of them if any is not acceptable. Returns the stores
   * that have got files.
   */
  public Set<Store> load(String table, byte[] family, List<Source> sources) throws IOException {
    List<Linked> linked = new ArrayList<>();
    List<Long> numbers = new ArrayList<>();
    boolean done = false;
    try {
      for (Source source : sources) {
        Storage plain =
            EncryptedStorage.forFile(
                source.storage, source.name, options.get().encryption().orElse(null));
        SortedTableProperties properties = verified(new Source(plain, source.name));
        long number = manifest.nextNumber();
        // A failed copy may leave a partial file.
        numbers.add(number);
        ForcedLinks.link(plain, source.name, storage, StoreFiles.nameOf(number));
        linked.add(new Linked(number, properties));
      }
      storage.syncDirectory(StoreFiles.DIRECTORY);
      Set<Store> stores =
          catalog.whileUnchanged(
              () -> {
                TableState state = catalog.get(table);
                state.store(state.regions().regions().get(0), family);
                return linked.isEmpty() ? Set.of() : add(state, family, linked);
              });
      done = true;
      return stores;
    } finally {
      if (!done) {
        FileRecorder.giveUp(files, manifest, numbers);
      }
    }
  }

  private SortedTableProperties verified(Source source) throws IOException {
    SortedTable table =
        SortedTable.open(source.storage, source.name, FileView.FOREIGN_NUMBER, noCache);
    try {
      String file = source.storage.path(source.name);
      table.verify(new ForeignCells(file, options.get()));
      SortedTableProperties properties = table.properties();
      if (properties.sequenceMin() != 0 || properties.sequenceMax() != 0) {
        throw new IllegalArgumentException(file + " was not written by a SortedFileWriter");
      }
      return properties;
    } finally {
      table.release();
    }
  }

  private Set<Store> add(TableState table, byte[] family, List<Linked> linked) throws IOException {
    List<Addition> additions = new ArrayList<>();
    try (ManifestChange change =
        manifest.change(() -> additions.forEach(addition -> addition.file.release()))) {
      // Before the note, behind which no copy can follow the log.
      open(table, family, linked, additions);
      notedIngestion.accept(
          table.name(),
          () ->
              pipeline.ingest(
                  linked.size(),
                  first ->
                      install(
                          change,
                          additions.stream().map(addition -> addition.behind(first)).toList())));
    }
    return additions.stream().map(Addition::store).collect(Collectors.toSet());
  }

  /** Opens the files for all stores that have rows in them. */
  private void open(TableState table, byte[] family, List<Linked> linked, List<Addition> additions)
      throws IOException {
    for (int i = 0; i < linked.size(); i++) {
      Linked file = linked.get(i);
      List<Region> regions =
          table.regions().regions().stream()
              .filter(region -> hasRows(region, file.properties))
              .toList();
      for (Region region : regions) {
        Store store = table.store(region, family);
        FileView view =
            new FileView(file.number, NO_BOUND, NO_BOUND, UNKNOWN_SEQUENCE)
                .within(region.startKey(), region.endKey());
        FileRecord record =
            new FileRecord(
                manifest.nextNumber(),
                store.id().regionId(),
                store.id().familyId(),
                Math.max(1, file.properties.fileBytes() / regions.size()),
                UNKNOWN_SEQUENCE,
                UNKNOWN_SEQUENCE,
                0,
                view);
        open(store, i, record, additions);
      }
    }
  }

  private void open(Store store, int index, FileRecord record, List<Addition> additions)
      throws IOException {
    StoreFile file = files.open(record);
    boolean added = false;
    try {
      added = additions.add(new Addition(store, index, file));
    } finally {
      if (!added) {
        file.release();
      }
    }
  }

  private void install(ManifestChange change, List<Addition> additions) throws IOException {
    List<VersionEdit> edits = new ArrayList<>();
    for (Addition addition : additions) {
      edits.add(new VersionEdit.AddFile(addition.file.record()));
      addition.store.memStore().noteForeignCells(addition.file.maxSequence());
    }
    change.commit(
        edits,
        () -> {
          for (Addition addition : additions) {
            List<StoreFile> added = List.of(addition.file);
            // A compaction may replace it as soon as it is installed, and report its deletion.
            files.tellAdded(addition.store, added);
            addition.store.install(FileChange.ofFiles(added, Set.of()), number -> {});
          }
        });
  }

  private static boolean hasRows(Region region, SortedTableProperties properties) {
    return Arrays.compareUnsigned(properties.lastRow(), region.startKey()) >= 0
        && (region.endKey().length == 0
            || Arrays.compareUnsigned(properties.firstRow(), region.endKey()) < 0);
  }
}
