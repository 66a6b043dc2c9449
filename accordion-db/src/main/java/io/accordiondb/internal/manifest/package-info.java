// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The manifest: which tables, regions and sorted tables make up the database, as a log of edits. A
 * change takes effect when its record is on the device, not earlier.
 *
 * <p>{@link io.accordiondb.internal.manifest.Version} is the immutable state, {@link
 * io.accordiondb.internal.manifest.VersionEdit} is one change of it, and {@link
 * io.accordiondb.internal.manifest.Manifest} commits changes, one after another. Flushes,
 * compactions, the catalog and the log commit edits here; opening a database starts with the
 * version that results. This package does not know what the attributes of a family mean, nor what
 * is in the files.
 */
@NullMarked
package io.accordiondb.internal.manifest;

import org.jspecify.annotations.NullMarked;
