// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Which cells may be dropped: versions, time to live, delete markers and what readers still need.
 *
 * <p>The same rules hold for a read, an in-memory compaction, a flush and a compaction of files, so
 * they stand here once. This package knows cells and nothing else.
 */
@NullMarked
package io.accordiondb.retention;

import org.jspecify.annotations.NullMarked;
