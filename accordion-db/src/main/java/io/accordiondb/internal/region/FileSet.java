// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.region;

import io.accordiondb.cell.CellSource;
import io.accordiondb.chunk.ReferenceCount;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The sorted tables of a store at one moment, newest first. Immutable; a change makes a new set. A
 * set holds its files; it begins with one holder, and the last to {@link #release} lets them go.
 */
final class FileSet {
  private static final Comparator<StoreFile> NEWEST_FIRST =
      Comparator.comparingLong(StoreFile::maxSequence)
          .thenComparingLong(StoreFile::fileNumber)
          .reversed();

  private final List<StoreFile> files;
  private final List<CellSource> cached;
  private final List<CellSource> uncached;
  private final ReferenceCount holders = new ReferenceCount();

  FileSet(List<StoreFile> files) {
    List<StoreFile> sorted = new ArrayList<>(files);
    sorted.sort(NEWEST_FIRST);
    this.files = List.copyOf(sorted);
    this.cached = this.files.stream().map(file -> file.source(true)).toList();
    this.uncached = this.files.stream().map(file -> file.source(false)).toList();
    this.files.forEach(StoreFile::retain);
  }

  /** Returns the set without some files and with others. */
  FileSet changed(Set<Long> removed, List<StoreFile> added) {
    List<StoreFile> next = new ArrayList<>(files);
    next.removeIf(file -> removed.contains(file.fileNumber()));
    next.addAll(added);
    return new FileSet(next);
  }

  List<StoreFile> files() {
    return files;
  }

  Set<Long> fileNumbers() {
    Set<Long> numbers = new HashSet<>();
    files.forEach(file -> numbers.add(file.fileNumber()));
    return numbers;
  }

  List<CellSource> sources(boolean fillCache) {
    return fillCache ? cached : uncached;
  }

  boolean tryRetain() {
    return holders.tryRetain();
  }

  void release() {
    if (holders.release()) {
      files.forEach(StoreFile::release);
    }
  }
}
