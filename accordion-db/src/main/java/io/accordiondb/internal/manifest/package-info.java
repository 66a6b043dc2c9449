// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * The manifest: which tables, regions and sorted tables make up the database, as a log of edits. A
 * change is in force when its record is on the device, and not before.
 *
 * <p>{@link io.accordiondb.internal.manifest.Version} is the state and immutable, {@link
 * io.accordiondb.internal.manifest.VersionEdit} one change of it, and {@link
 * io.accordiondb.internal.manifest.Manifest} the place where changes are committed. This package
 * does not know what the attributes of a family mean, nor what is in the files.
 */
@NullMarked
package io.accordiondb.internal.manifest;

import org.jspecify.annotations.NullMarked;
