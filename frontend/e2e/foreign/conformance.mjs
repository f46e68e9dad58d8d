// `make conformance`: the official suites against the fixture, in both eras. All that applies must
// pass, warnings included; what does not apply is counted apart and listed with its reason.
import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build, here, node, serve } from "./fixture.mjs";
import { notApplicable } from "./not-applicable.mjs";

const suites = [
  ["0.1.16, 2025-11-25", "@modelcontextprotocol/conformance", ["--suite", "all"]],
  ["0.2.0-alpha.12, 2025-11-25", "conformance-next", ["--requirements", "2025-11-25"]],
  ["0.2.0-alpha.12, 2026-07-28", "conformance-next", ["--requirements", "2026-07-28"]],
];

/** Runs one suite; [scenario, check, status, message] of each check. */
async function run(packageName, args) {
  const out = mkdtempSync(join(tmpdir(), "conformance-"));
  const at = await serve();
  // The suites send no header of their own, so the bearer goes into the path.
  const url = `${at.url}/${at.bearer}`;
  const suite = join(here, "node_modules", packageName, "dist/index.js");
  const child = spawn(node, [suite, "server", "--url", url, ...args, "-o", out], { stdio: "ignore" });
  const timer = setTimeout(() => child.kill(), 300_000);
  await new Promise((done) => child.once("close", done)); // its code counts what does not apply as well
  clearTimeout(timer);
  await at.stop();
  const checks = [];
  for (const folder of readdirSync(out)) {
    const scenario = folder.replace(/^server-/, "").replace(/-\d{4}-\d\d-\d\dT[\d-]+Z$/, "");
    for (const c of JSON.parse(readFileSync(join(out, folder, "checks.json"), "utf8"))) {
      checks.push([scenario, c.id, c.status, c.errorMessage ?? ""]);
    }
  }
  rmSync(out, { recursive: true });
  return checks;
}

build();
const reasons = new Map();
let passed = 0;
let failed = 0;
for (const [name, packageName, args] of suites) {
  const checks = await run(packageName, args);
  let good = 0;
  let bad = 0;
  let apart = 0;
  for (const [scenario, id, status, message] of checks) {
    const key = notApplicable[scenario] ? scenario : id;
    if (notApplicable[key]) {
      apart++;
      reasons.set(key, notApplicable[key]);
    } else if (status === "SUCCESS") {
      good++;
    } else if (status !== "INFO" && status !== "SKIPPED") {
      bad++;
      console.log(`NOT OK  ${name}: ${scenario}, ${id}: ${status} ${message}`);
    }
  }
  if (good === 0) bad++;
  passed += good;
  failed += bad;
  console.log(`${name}: ${good} of ${good + bad} checks that apply passed; ${apart} do not apply`);
}
if (process.argv.includes("--reasons")) {
  for (const [key, reason] of [...reasons].sort()) console.log(`  not applicable: ${key}: ${reason}`);
}
console.log(
  `conformance: ${passed} passed, ${failed} failed, ${((100 * passed) / (passed + failed)).toFixed(0)} % of what applies`,
);
process.exit(failed === 0 ? 0 : 1);
