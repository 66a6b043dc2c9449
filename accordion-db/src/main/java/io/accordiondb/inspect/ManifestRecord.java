// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.inspect;

import java.util.List;

/**
 * A record of a manifest file. Immutable.
 *
 * @param offset of its first byte in the file
 * @param bytes its length in the file
 * @param kind what it is
 * @param number of a commit or its confirmation, from 1 on; of a part of the snapshot, how many
 *     parts follow
 * @param edits what it changes, in words
 */
public record ManifestRecord(long offset, long bytes, Kind kind, long number, List<String> edits) {
  /** The kinds of records in a manifest. */
  public enum Kind {
    /** A part of the version with which the file begins. */
    SNAPSHOT,
    /** A commit: changes that took effect together. */
    COMMIT,
    /** Confirms that a commit has reached the device. */
    CONFIRMATION
  }
}
