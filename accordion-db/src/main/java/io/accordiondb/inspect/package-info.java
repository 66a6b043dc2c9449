// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What the files of a database hold, for tools that show it: {@link
 * io.accordiondb.inspect.Inspector}.
 *
 * <p>Nothing here changes a file, and no file is trusted: damage is told, and reading goes on
 * behind it. What is shown follows the format of the files, which docs/FORMATS.md has; applications
 * read their data through {@link io.accordiondb.Database}.
 */
@NullMarked
package io.accordiondb.inspect;

import org.jspecify.annotations.NullMarked;
