// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The open tables and their regions, and the operations that change them: create, alter, truncate,
 * drop, split, merge.
 *
 * <p>Start with {@link io.accordiondb.internal.catalog.Catalog}. A region is split or merged by
 * replacing it: memory is flushed while writes continue; then the stores are closed for an instant,
 * the rest is flushed, the log is forced to the device, and one edit of the manifest gives the new
 * regions views of the old ones' files. A caller that finds a store closed looks its table up
 * again; a scan continues at the row where it was. Compactions replace views by files of their own,
 * and a file is deleted when no view refers to it.
 *
 * <p>This package does not know how writes are committed.
 */
@NullMarked
package io.accordiondb.internal.catalog;

import org.jspecify.annotations.NullMarked;
