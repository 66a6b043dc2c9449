// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Incremental backups of a database to a folder or any other target, in many generations, and
 * restores from them. Start with {@link io.accordiondb.backup.Backups}.
 */
@NullMarked
package io.accordiondb.backup;

import org.jspecify.annotations.NullMarked;
