// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What the files of a database hold, for tools that show it. Start with {@link
 * io.accordiondb.inspect.Inspector}.
 *
 * <p>Nothing here changes a file, and nothing in a file is trusted: damage is reported, and reading
 * continues after it. The content follows the formats that docs/FORMATS.md describes and changes
 * with them; applications read their data through {@link io.accordiondb.Database}.
 */
@NullMarked
package io.accordiondb.inspect;

import org.jspecify.annotations.NullMarked;
