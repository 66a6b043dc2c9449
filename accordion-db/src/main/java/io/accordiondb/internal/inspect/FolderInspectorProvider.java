// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.internal.inspect;

import io.accordiondb.KeyProvider;
import io.accordiondb.NotADatabaseException;
import io.accordiondb.inspect.Inspector;
import io.accordiondb.inspect.InspectorProvider;
import io.accordiondb.internal.crypt.EncryptedStorage;
import io.accordiondb.internal.folder.DatabaseFolder;
import io.accordiondb.internal.storage.FileStorage;
import io.accordiondb.internal.storage.LockOwner;
import io.accordiondb.internal.storage.Storage;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/** Opens inspectors of folders in the file system. */
public final class FolderInspectorProvider implements InspectorProvider {
  @Override
  public Inspector open(Path folder, @Nullable KeyProvider keys) throws IOException {
    if (!Files.exists(folder)) {
      throw new NotADatabaseException(folder.toString(), "the folder does not exist");
    }
    Storage storage = DatabaseFolder.deciphered(new FileStorage(folder), keys);
    if (storage instanceof EncryptedStorage encrypted) {
      // A file that cannot be decrypted must not be reported as damaged.
      encrypted.checkKeys();
    }
    return FolderInspector.open(storage);
  }

  @Override
  public OptionalLong owner(Path folder) throws IOException {
    return LockOwner.running(folder.resolve(DatabaseFolder.LOCK));
  }
}
