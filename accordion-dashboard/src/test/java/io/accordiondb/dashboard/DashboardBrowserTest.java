// Licensed under the Apache License, Version 2.0; see the LICENSE file.
package io.accordiondb.dashboard;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.accordiondb.Database;
import io.accordiondb.DatabaseOptions;
import io.accordiondb.Durability;
import io.accordiondb.KeyValue;
import io.accordiondb.KeyValueStore;
import io.accordiondb.memstore.MemStorePolicy;
import io.accordiondb.memstore.Policy;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.logging.Level;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.openqa.selenium.By;
import org.openqa.selenium.Keys;
import org.openqa.selenium.OutputType;
import org.openqa.selenium.WebElement;
import org.openqa.selenium.chrome.ChromeDriver;
import org.openqa.selenium.chrome.ChromeDriverService;
import org.openqa.selenium.chrome.ChromeOptions;
import org.openqa.selenium.logging.LogEntry;
import org.openqa.selenium.logging.LogType;
import org.openqa.selenium.logging.LoggingPreferences;
import org.openqa.selenium.support.ui.WebDriverWait;

/**
 * The page in a real browser: the system's Chromium, with its driver. Nothing is downloaded;
 * without a browser the test is skipped. Some of it takes part in {@code -Plong} alone: a browser
 * keeps both processors busy. {@code -Ddashboard.screenshot=FILE} keeps the picture for the
 * documentation.
 */
@Tag("slow")
class DashboardBrowserTest {
  private static final int KEYS = 60_000;
  private static final int BATCH = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(120);

  @TempDir private static Path profile;

  /** Shared by the tests. Each has a dashboard with a port, and so an origin, of its own. */
  private static ChromeDriver browser;

  @TempDir private Path folder;

  private Database none;
  private Database adaptive;
  private Dashboard dashboard;
  private Thread writer;
  private volatile boolean stop;

  @BeforeAll
  static void startBrowser() {
    Path binary = find("chromium", "chromium-browser", "google-chrome");
    Path driver = find("chromedriver");
    assumeTrue(
        binary != null && driver != null,
        "no browser: install chromium and chromium-driver to run this test");
    browser = startBrowser(binary, driver);
  }

  @AfterAll
  static void quitBrowser() {
    if (browser != null) {
      browser.quit();
    }
  }

  @BeforeEach
  void start() throws IOException {
    none = open(Policy.NONE);
    adaptive = open(Policy.ADAPTIVE);
    dashboard = Dashboard.start(DashboardOptions.DEFAULT);
    dashboard.show("NONE", none::statistics);
    dashboard.show("ADAPTIVE", adaptive::statistics);
  }

  private static Path find(String... names) {
    return Stream.of(names)
        .flatMap(name -> Stream.of("/usr/bin/", "/usr/local/bin/").map(at -> Path.of(at + name)))
        .filter(Files::isExecutable)
        .findFirst()
        .orElse(null);
  }

  private Database open(Policy policy) throws IOException {
    return Database.open(
        folder.resolve(policy.name()),
        DatabaseOptions.builder()
            .memoryBytes(24 << 20)
            .durability(Durability.ASYNC)
            .memStorePolicy(MemStorePolicy.of(policy))
            .build());
  }

  private static ChromeDriver startBrowser(Path binary, Path driver) {
    LoggingPreferences logging = new LoggingPreferences();
    logging.enable(LogType.BROWSER, Level.ALL);
    ChromeOptions options = new ChromeOptions();
    options.setBinary(binary.toFile());
    options.setCapability("goog:loggingPrefs", logging);
    options.addArguments(
        "--headless=new",
        // Root, in a container, may have no sandbox.
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        "--disable-quic",
        "--disable-sync",
        "--disable-background-networking",
        "--disable-component-update",
        "--no-first-run",
        "--hide-scrollbars",
        "--window-size=1400,1200",
        "--user-data-dir=" + profile);
    ChromeDriverService service =
        new ChromeDriverService.Builder().usingDriverExecutable(driver.toFile()).build();
    return new ChromeDriver(service, options);
  }

  @AfterEach
  void stop() throws Exception {
    stop = true;
    if (writer != null) {
      writer.join();
    }
    // The page is left before its server goes, and whatever it has said by then is dropped.
    browser.get("about:blank");
    browser.executeCdpCommand("Emulation.clearDeviceMetricsOverride", Map.of());
    browser.executeCdpCommand("Emulation.setEmulatedMedia", Map.of("features", List.of()));
    List<String> unused = errors();
    dashboard.close();
    none.close();
    adaptive.close();
  }

  /** The same batches to both stores, of keys of which few are written often. */
  private void write() {
    Random random = new Random(7);
    try {
      KeyValueStore[] stores = {
        none.keyValueStore("usertable"), adaptive.keyValueStore("usertable")
      };
      while (!stop) {
        List<KeyValue> batch = new ArrayList<>();
        for (int i = 0; i < BATCH; i++) {
          int key = (int) (KEYS * Math.pow(random.nextDouble(), 3));
          byte[] name = ("user" + key).getBytes(StandardCharsets.US_ASCII);
          batch.add(new KeyValue(name, new byte[100]));
        }
        for (KeyValueStore store : stores) {
          store.putAll(batch);
        }
        LockSupport.parkNanos(1_500_000);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void load() {
    writer = new Thread(this::write, "writer");
    writer.start();
    browser.get(dashboard.uri().toString());
    await("status is live", () -> text("#status").equals("live"));
  }

  private void await(String what, BooleanSupplier condition) {
    new WebDriverWait(browser, PATIENCE)
        .withMessage(what)
        .until(unused -> condition.getAsBoolean());
  }

  /** Returns the text of an element; empty if there is none. */
  private String text(String selector) {
    return (String)
        run("return document.querySelector(arguments[0])?.textContent ?? '';", selector);
  }

  private int count(String selector) {
    return browser.findElements(By.cssSelector(selector)).size();
  }

  private Object run(String script, Object... arguments) {
    return browser.executeScript(script, arguments);
  }

  @Test
  void showsStoresSideBySideAndMoves() throws IOException {
    load();
    await("two stores", () -> count(".store") == 2);
    await("a pipeline", () -> count(".segment.kind-chunk, .segment.kind-array") > 0);
    assertThat(text(".store:first-child h2")).isEqualTo("NONE · usertable/" + KeyValueStore.FAMILY);
    String before = text("#comparison tbody tr:first-child td");
    await("figures change", () -> !text("#comparison tbody tr:first-child td").equals(before));
    await("a decision", () -> text(".store:last-child .decision").contains(" of "));
    await("events", () -> count("#events time") > 0);
    await("a flush", () -> count(".events .key-snapshot") > 0);
    assertThat(barsFit()).isTrue();
    keepScreenshot();
    assertThat(errors()).isEmpty();
  }

  /** Bars are as wide as the memory they stand for, and none reaches beyond its strip. */
  private boolean barsFit() {
    return (Boolean)
        run(
            "const strip = document.querySelector('.store .strip').getBoundingClientRect();"
                + "return [...document.querySelectorAll('.store:first-child .segment:not(.gone)')]"
                + ".every((bar) => bar.getBoundingClientRect().left >= strip.left - 1"
                + " && bar.getBoundingClientRect().width <= strip.width + 1);");
  }

  private void keepScreenshot() throws IOException {
    String target = System.getProperty("dashboard.screenshot", "");
    if (!target.isEmpty()) {
      emulate(1400, 1330, "light");
      await(
          "a second flush", () -> number("#comparison tbody tr:nth-child(2) td:nth-child(3)") > 1);
      Files.write(Path.of(target), browser.getScreenshotAs(OutputType.BYTES));
    }
  }

  private int number(String selector) {
    return Integer.parseInt("0" + text(selector).replaceAll("[^0-9]", ""));
  }

  private List<String> errors() {
    return browser.manage().logs().get(LogType.BROWSER).getAll().stream()
        .map(LogEntry::toString)
        .toList();
  }

  @Test
  @Tag("long")
  void pausesAndGoesBackByKeyboard() {
    load();
    await("events", () -> count("#events time") > 0);
    WebElement body = browser.findElement(By.tagName("body"));
    body.sendKeys(" ");
    await("pause", () -> run("return document.body.dataset.paused").equals("true"));
    String standing = text(".store:last-child .amount");
    body.sendKeys(Keys.ARROW_LEFT);
    await("a moment in the past", () -> text("#moment").endsWith("ago"));
    String first = text("#moment");
    await("time goes on, the picture does not", () -> !text("#moment").equals(first));
    body.sendKeys(Keys.END);
    await("live again", () -> run("return document.body.dataset.paused").equals("false"));
    await("it moves", () -> !text(".store:last-child .amount").equals(standing));
    assertThat(errors()).isEmpty();
  }

  @Test
  void thePolicyOfItsContentIsInForce() {
    load();
    assertThat(
            run(
                "const script = document.createElement('script');"
                    + "script.textContent = 'window.injected = true';"
                    + "document.body.append(script);"
                    + "return window.injected === undefined;"))
        .isEqualTo(true);
    assertThat(errors()).anyMatch(line -> line.contains("Content Security Policy"));
  }

  @Test
  @Tag("long")
  void theTokenLeavesTheAddressAndStaysForReloads() {
    load();
    assertThat(browser.getCurrentUrl()).doesNotContain("token");
    assertThat(browser.manage().getCookies()).isEmpty();
    browser.navigate().refresh();
    await("live after a reload", () -> text("#status").equals("live"));
  }

  @Test
  void saysThatTheTokenIsMissing() {
    browser.get("http://" + dashboard.uri().getAuthority() + "/");
    await("no access", () -> text("#status").equals("no access"));
    assertThat(text("#message")).contains("open the address that the program printed");
  }

  @Test
  @Tag("long")
  void fitsSmallAndLargeScreensInLightAndDark() {
    load();
    await("two stores", () -> count(".store") == 2);
    for (int width : new int[] {400, 1400, 3840}) {
      for (String scheme : new String[] {"light", "dark"}) {
        emulate(width, 1000, scheme);
        assertThat(run("return document.documentElement.scrollWidth <= innerWidth"))
            .as("at %d pixels the page scrolls sideways", width)
            .isEqualTo(true);
        long red =
            (Long)
                run(
                    "return Number(getComputedStyle(document.body).backgroundColor"
                        + ".match(/[0-9]+/)[0])");
        assertThat(red < 128).as(scheme).isEqualTo(scheme.equals("dark"));
      }
    }
    assertThat(errors()).isEmpty();
  }

  private void emulate(int width, int height, String scheme) {
    browser.executeCdpCommand(
        "Emulation.setDeviceMetricsOverride",
        Map.of("width", width, "height", height, "deviceScaleFactor", 1, "mobile", false));
    browser.executeCdpCommand(
        "Emulation.setEmulatedMedia",
        Map.of("features", List.of(Map.of("name", "prefers-color-scheme", "value", scheme))));
  }

  @Test
  void everyControlHasANameAndFocus() {
    load();
    await("two stores", () -> count(".store") == 2);
    assertThat(
            run(
                "return [...document.querySelectorAll('button, select, input')].filter((control) =>"
                    + " !(control.textContent.trim() || control.ariaLabel || control.labels?.length))"
                    + ".length"))
        .isEqualTo(0L);
    assertThat(
            run(
                "return [...document.querySelectorAll('canvas, .strip')].filter((picture) =>"
                    + " picture.getAttribute('role') !== 'img' || !picture.ariaLabel).length"))
        .isEqualTo(0L);
  }
}
