// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.backup;

import static io.accordiondb.fixtures.TestFiles.filesBelow;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The folder of backups in a random run: what others have put there, and what must not be left. */
final class CheckedPlace {
  private static final String MINE = "mine";
  private static final String PARTIAL = ".partial";

  private final Path place;
  private final BackupTarget target;
  private final Map<Path, String> foreign = new HashMap<>();

  CheckedPlace(Path place) {
    this.place = place;
    this.target = BackupTarget.folder(place);
  }

  /** Puts files among the backups whose names no backup uses. */
  void leaveForeign() throws IOException {
    for (String name :
        List.of(
            "readme",
            FileEntry.OBJECTS + MINE,
            FileEntry.OBJECTS + MINE + PARTIAL,
            FileEntry.OBJECTS + "nested/" + "0".repeat(64),
            GenerationRecord.OBJECTS + "1.old",
            BackupLock.OBJECTS + MINE)) {
      Path file = place.resolve(name);
      Files.createDirectories(file.getParent());
      Files.writeString(file, name);
      foreign.put(file, name);
    }
  }

  /** Checks that what is foreign is as it was. */
  void assertForeignStays() {
    foreign.forEach((file, content) -> assertThat(file).hasContent(content));
  }

  /** Lets the lock be of a process that has ended, if it is held. */
  void leaveKilledLock() throws IOException {
    List<Long> locks = NumberedObjects.numbers(target, BackupLock.OBJECTS);
    if (locks.isEmpty()) {
      return;
    }
    String name = BackupLock.objectOf(locks.get(locks.size() - 1));
    if (Files.readString(place.resolve(name)).startsWith(ProcessName.own())) {
      byte[] dead = (ProcessName.own() + "0").getBytes(UTF_8);
      target.write(name, new ByteArrayInputStream(dead), dead.length);
    }
  }

  /** Checks that no backup has left an incomplete object. */
  void assertNothingUnfinished() throws IOException {
    for (String each : List.of(FileEntry.OBJECTS, GenerationRecord.OBJECTS)) {
      assertThat(filesBelow(place.resolve(each)))
          .filteredOn(file -> !foreign.containsKey(file))
          .noneMatch(file -> file.toString().endsWith(PARTIAL));
    }
  }

  /** Checks that there is nothing but what generations need, one lock, and what is foreign. */
  void assertOnlyNeeded(Set<Long> generations) throws IOException {
    Set<Path> needed = new HashSet<>(foreign.keySet());
    for (long number : generations) {
      needed.add(place.resolve(GenerationRecord.objectOf(number)));
      for (FileEntry file : GenerationRecord.read(target, number).files()) {
        needed.add(place.resolve(file.object()));
      }
    }
    Path locks = place.resolve(BackupLock.OBJECTS);
    assertThat(filesBelow(place))
        .filteredOn(file -> !file.startsWith(locks))
        .containsExactlyInAnyOrderElementsOf(
            needed.stream().filter(file -> !file.startsWith(locks)).toList());
    assertThat(NumberedObjects.numbers(target, BackupLock.OBJECTS)).hasSize(1);
  }
}
