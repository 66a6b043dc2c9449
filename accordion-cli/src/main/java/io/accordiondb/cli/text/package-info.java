// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Conversion between data and what commands read and print: bytes as text, lines, JSON, tables. It
 * knows no database and no command; all other packages of this module print through it.
 */
@NullMarked
package io.accordiondb.cli.text;

import org.jspecify.annotations.NullMarked;
