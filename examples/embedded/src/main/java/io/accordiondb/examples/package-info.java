// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * Examples of programs over the embedded store. Each class is one program, which reads from top to
 * bottom and takes the folder of the database as its argument.
 */
@NullMarked
package io.accordiondb.examples;

import org.jspecify.annotations.NullMarked;
