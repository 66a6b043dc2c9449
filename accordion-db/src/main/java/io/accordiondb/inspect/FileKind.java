// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

/** Kinds of files that an {@link Inspector} reads. */
public enum FileKind {
  /** Sorted tables, in the folder {@code sst}. */
  SORTED_TABLE,
  /** Log files, in the folders {@code wal} and {@code kept}. */
  LOG,
  /** Manifest files. */
  MANIFEST
}
