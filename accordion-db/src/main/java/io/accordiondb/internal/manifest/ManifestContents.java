// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.manifest;

import io.accordiondb.internal.record.RecordMark;

/**
 * What a manifest held when it was read. Immutable.
 *
 * @param version the version that it leads to
 * @param mark the manifest file, and how many commits it has
 * @param path the path of that file, for messages
 * @param logBytes the length of the newest log file if the database was closed in order; else 0
 */
public record ManifestContents(Version version, RecordMark mark, String path, long logBytes) {}
