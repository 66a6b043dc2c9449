// Licensed under the Apache License, Version 2.0; see the LICENSE file.
/**
 * What the commands that move data to and from Apache HBase need of a module that knows HBase. It
 * is found as a service, so that the command line has no HBase on its class path.
 */
@NullMarked
package io.accordiondb.cli.hfile;

import org.jspecify.annotations.NullMarked;
