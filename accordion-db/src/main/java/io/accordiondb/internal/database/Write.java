// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.database;

import io.accordiondb.Mutation;

/** A change of a row of a table. */
record Write(String table, Mutation mutation) {}
