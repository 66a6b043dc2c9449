// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Backups of a database to a folder or to any other target, incremental, in many generations. Uses
 * the public interface of the database alone. Start with {@link io.accordiondb.backup.Backups}.
 */
@NullMarked
package io.accordiondb.backup;

import org.jspecify.annotations.NullMarked;
