// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.KeyProvider;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.InspectorProvider;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.storage.LockOwner;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Opens inspectors of folders in the file system. */
public final class FolderInspectorProvider implements InspectorProvider {
  @Override
  public Inspector open(Path folder, @Nullable KeyProvider keys) throws IOException {
    return FolderInspector.open(DatabaseFolder.existing(folder, keys));
  }

  @Override
  public OptionalLong owner(Path folder) throws IOException {
    return LockOwner.running(folder.resolve(DatabaseFolder.LOCK));
  }
}
