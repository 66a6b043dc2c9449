// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.kafka.streams.internal.space;

import io.accordiondb.DatabaseLockedException;
import io.accordiondb.NotADatabaseException;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Set;
import org.apache.kafka.clients.consumer.OffsetOutOfRangeException;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.streams.errors.ProcessorStateException;
import org.apache.kafka.streams.errors.TaskCorruptedException;
import org.apache.kafka.streams.processor.StateStoreContext;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Opens a store of a task in the database that the process shares. A store that the database does
 * not know is empty, or begins with what another kind of store has kept in the task's directory.
 */
public final class StoreOpening {
  private static final Logger LOG = LoggerFactory.getLogger(StoreOpening.class);
  private static final String POSITION = ".position";

  private final StateStoreContext context;
  private final String name;
  private final FormerState former;
  private final StoreFormat format;
  private final StoreTask task;
  private final StoreMarker marker;

  /**
   * Prepares to open a store.
   *
   * @param former what another kind of store may have kept in the task's directory
   * @param format how the store keeps its keys and values
   */
  public StoreOpening(
      StateStoreContext context, String name, FormerState former, StoreFormat format) {
    this.context = context;
    this.name = name;
    this.former = former;
    this.format = format;
    this.task = new StoreTask(context, name);
    this.marker = new StoreMarker(task.directory(), fileNameOf(name));
  }

  /** Returns the file that has the position of a store in its inputs. */
  public static File positionFile(StateStoreContext context, String name) {
    return new File(context.stateDir(), fileNameOf(name) + POSITION);
  }

  /**
   * Returns the name of a store as that of a file: a slash ends what names the task. Names that
   * cannot be taken for such a one stay, because stores have been kept under them.
   */
  private static String fileNameOf(String name) {
    boolean stays = !name.contains("/") && !name.contains("%2F") && !name.contains("%25");
    return stays ? name : name.replace("%", "%25").replace("/", "%2F");
  }

  /**
   * Opens the store. It is empty if the task's directory was deleted since it was open.
   *
   * @throws TaskCorruptedException if the task's checkpoint says that there is state, and there is
   *     none; the checkpoint is deleted, so the task is restored from the beginning
   * @throws ProcessorStateException if the database cannot be opened, or the former state not read
   */
  public TaskStore open() {
    Path home = homeOf(task.directory(), context.applicationId());
    String path = home.relativize(task.directory()) + "/" + fileNameOf(name);
    SharedDatabase shared = acquire(home);
    boolean entered = false;
    try {
      OpenDatabase opened = shared.opened();
      SpaceRegistry.Entry entry = shared.enter(path, marker, format, new NewStore(path, shared));
      TaskStore store = store(path, shared, opened, entry);
      entered = true;
      return store;
    } catch (IOException e) {
      throw new ProcessorStateException("Error opening store " + name, e);
    } finally {
      if (!entered) {
        release(shared, name);
      }
    }
  }

  private TaskStore store(
      String path, SharedDatabase shared, OpenDatabase opened, SpaceRegistry.Entry entry) {
    return new TaskStore(name, path, task, shared, opened, marker, entry);
  }

  /** Returns the application's directory: the one above a task's that has its name. */
  private static Path homeOf(Path taskDirectory, String applicationId) {
    for (Path folder = taskDirectory.getParent(); folder != null; folder = folder.getParent()) {
      Path fileName = folder.getFileName();
      if (fileName != null && fileName.toString().equals(applicationId)) {
        return folder;
      }
    }
    return taskDirectory;
  }

  private SharedDatabase acquire(Path home) {
    SpaceOptions options = SpaceOptions.of(context.appConfigs());
    try {
      return SharedDatabases.process().acquire(home, options);
    } catch (IllegalArgumentException e) {
      throw new ConfigException(
          "The database cannot have " + options.memoryBytes() + " bytes: " + e.getMessage());
    } catch (DatabaseLockedException e) {
      throw new ProcessorStateException(
          "Store " + name + ": another process has the database in " + home + " open", e);
    } catch (NotADatabaseException e) {
      throw new ProcessorStateException(
          "Store "
              + name
              + ": there is something else where the database in "
              + home
              + " should be",
          e);
    } catch (IOException e) {
      throw new ProcessorStateException(
          "Store " + name + ": cannot open the database in " + home, e);
    }
  }

  /** Returns what says that the keys are gone, although the checkpoint says they are there. */
  private RuntimeException missing(boolean isElsewhere) throws IOException {
    LOG.warn(
        "The keys of store {} are gone, although {} says they are there{}",
        name,
        task.checkpoint(),
        isElsewhere
            ? "; RocksDB's are used if " + SpaceOptions.CONVERT_ROCKSDB_NAME + " is true"
            : "");
    // Kafka Streams deletes it under exactly-once alone; otherwise it would find the task corrupted
    // again and again.
    task.deleteCheckpoint();
    if (!task.isGlobal()) {
      return new TaskCorruptedException(Set.of(task.id()));
    }
    // Kafka Streams has read the checkpoint of global stores already, and does not restore on
    // corruption. After another failure it would write that checkpoint again.
    return new OffsetOutOfRangeException(
        "The keys of global store " + name + " are gone; they are restored by the next start",
        Map.of());
  }

  static void release(SharedDatabase shared, String name) {
    try {
      SharedDatabases.process().release(shared);
    } catch (IOException e) {
      throw new ProcessorStateException("Error closing store " + name, e);
    }
  }

  /** The store if the database does not know it. */
  private final class NewStore implements Newcomer {
    private final String path;
    private final SharedDatabase shared;

    NewStore(String path, SharedDatabase shared) {
      this.path = path;
      this.shared = shared;
    }

    /**
     * Returns whether the store begins with the former state. Without a checkpoint, Kafka Streams
     * restores the whole changelog, so only a store without a changelog needs that state. If the
     * store has had keys here already, the former state is older than the checkpoint.
     */
    @Override
    public boolean hasKeys() throws IOException {
      boolean expected = task.hasCheckpoint();
      boolean exists = !marker.exists() && former.exists(task.directory());
      boolean copies =
          exists && shared.options().convertsRocksDb() && (expected || !task.isLogged());
      if (expected && !copies) {
        throw missing(exists);
      }
      return copies;
    }

    @Override
    public void writeKeys(SpaceRegistry.Entry entry) {
      LOG.info("Converting store {} of task {}", name, task.id());
      TaskStore store = store(path, shared, shared.opened(), entry);
      try {
        former.copy(task.directory(), store);
      } catch (IOException | LinkageError e) {
        throw new ProcessorStateException(
            "Store "
                + name
                + " cannot be converted; without "
                + SpaceOptions.CONVERT_ROCKSDB_NAME
                + " it is restored from its changelog",
            e);
      }
      store.flush();
      LOG.info("Converted store {} of task {}", name, task.id());
    }

    @Override
    public void forgetKeys() throws IOException {
      if (marker.exists() && !task.isLogged()) {
        LOG.error(
            "Store {} of task {} has no changelog and its keys are gone, so it begins empty."
                + " Damaged databases that were put aside: {}",
            name,
            task.id(),
            shared.asides());
      }
      Files.deleteIfExists(positionFile(context, name).toPath());
    }
  }
}
