// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Shows what the files of a database hold. It reads through the storage, changes nothing, and
 * trusts nothing. Start with {@link io.accordiondb.internal.inspect.FolderInspector}.
 */
@NullMarked
package io.accordiondb.internal.inspect;

import org.jspecify.annotations.NullMarked;
