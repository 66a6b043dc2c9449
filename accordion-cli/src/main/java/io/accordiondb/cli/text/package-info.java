// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What commands read and print: bytes as text, lines, JSON, tables for people. Knows no database
 * and no command.
 */
@NullMarked
package io.accordiondb.cli.text;

import org.jspecify.annotations.NullMarked;
