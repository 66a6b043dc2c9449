// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What the folder of a database holds, whether it is complete, and which process owns it.
 *
 * <p>Start with {@link io.accordiondb.internal.folder.DatabaseFolder}. Manifest and log check each
 * other: the manifest names the log files, so a missing one is noticed; links in the log state how
 * many commits the manifest had, so a missing commit is noticed. An orderly close states the
 * lengths of both. What a crash explains ends the log: a torn record, or bytes that had not been
 * forced to the device. Other damage is refused with file and offset.
 *
 * <p>{@code internal.engine} opens a folder through this package; inspection, repair and copies
 * read it the same way. This package knows no open tables.
 */
@NullMarked
package io.accordiondb.internal.folder;

import org.jspecify.annotations.NullMarked;
