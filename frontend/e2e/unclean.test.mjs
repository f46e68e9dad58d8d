// After a kill the next start says so, with a report to read and copy; an end in order says nothing.
import assert from "node:assert/strict";
import { appendFileSync, existsSync } from "node:fs";
import { join } from "node:path";
import { after, test } from "node:test";
import { newHome, startApp } from "./app.mjs";
import { closeBrowser, inState, openPage } from "./page.mjs";
import { until } from "./until.mjs";

after(closeBrowser);

const notices = (page) => page.getByRole("region", { name: "Notices" });

test("a run that was killed leaves a report, which can be read, copied and dismissed", async (t) => {
  const home = newHome(t);
  const first = await startApp(t, home);
  await inState(await openPage(t, first), "ready");
  await first.kill();
  assert.ok(existsSync(join(home, "running.json")), "the mark of the run that was killed");
  appendFileSync(
    join(home, "logs", "panic.txt"),
    "panic: token=zq7secret in /home/zq7ada\n\ngoroutine 1 [running]:\n",
  );

  const second = await startApp(t, home);
  const page = await openPage(t, second);
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  await notices(page).getByText("did not end in order last time").waitFor();
  await notices(page).getByRole("button", { name: "Show report" }).click();
  const report = await notices(page).getByRole("region", { name: "Report about the last run" }).textContent();
  assert.match(report, /goroutine 1 \[running\]/);
  assert.match(report, /"level":/, "the last log lines");
  assert.doesNotMatch(report, /zq7/);
  if (process.env.SHOTS) await page.screenshot({ path: join(process.env.SHOTS, "unclean-end.png") });
  await notices(page).getByRole("button", { name: "Copy report" }).click();
  await notices(page).getByRole("button", { name: "Copied" }).waitFor();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  assert.match(copied, /goroutine 1 \[running\]/);
  await notices(page).getByRole("button", { name: "Dismiss" }).click();
  await notices(page).getByText("did not end in order last time").waitFor({ state: "hidden" });
  assert.equal(await second.quit(), 0);
  assert.ok(!existsSync(join(home, "running.json")), "an end in order takes the mark away");

  const third = await startApp(t, home);
  const quiet = await openPage(t, third);
  await until("the session to be listed", () =>
    quiet.getByRole("navigation", { name: "Project" }).isVisible(),
  );
  assert.equal(await notices(quiet).getByText("did not end in order last time").count(), 0);
});
