// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * An open database, assembled from the packages below and recovered from what is on disk.
 *
 * <p>Start with {@link io.accordiondb.internal.engine.DatabaseEngine}; {@link
 * io.accordiondb.internal.engine.EngineBuilder} shows how the parts depend on each other. Opening
 * locks the folder, reads the manifest and compares it with the log, opens the sorted tables, and
 * replays the log over the memory stores, skipping what is in files and flushing when memory runs
 * full. One thread reads the log and applies it slab by slab; several threads sort and copy the
 * cells. Nothing is deleted before all of this has succeeded, and a second attempt finds the same
 * state.
 *
 * <p>A read-only database uses the same code over a storage that keeps changes on the heap. Beside
 * a writer it opens the log files before the writer can delete them, and stops at the first link
 * that mentions a later commit of the manifest. A refresh opens the folder again as another
 * generation; a generation is closed when no read point of it is held.
 *
 * <p>A database in memory uses the same code over a storage on the heap.
 */
@NullMarked
package io.accordiondb.internal.engine;

import org.jspecify.annotations.NullMarked;
