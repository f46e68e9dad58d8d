// `make foreign`, or `npm test [-- NAME…]` here: clients that others wrote against our endpoint.
//
// NAME   only clients whose name holds it, such as `v2`
import { build, serve } from "./fixture.mjs";

const modules = ["./inspector.mjs", "./ts-v1.mjs", "./ts-v2.mjs", "./go-sdk.mjs", "./mcp-remote.mjs"];
const wanted = process.argv.slice(2);
let passed = 0;
let failed = 0;

/** Bounds a client that hangs: a step takes a minute at most. */
function within(ms, step) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done after ${ms} ms`)), ms);
  });
  return Promise.race([Promise.resolve().then(step), late]).finally(() => clearTimeout(timer));
}

/** One step; a string in its place says why this client cannot do it. */
async function check(name, step) {
  if (typeof step === "string") {
    console.log(`  n/a     ${name}: ${step}`);
    return;
  }
  try {
    await within(60_000, step);
    passed++;
    console.log(`  ok      ${name}`);
  } catch (error) {
    failed++;
    console.log(`  NOT OK  ${name}: ${error.stack}`);
  }
}

build();
for (const file of modules) {
  const client = await import(file);
  for (const name of client.names) {
    if (wanted.length > 0 && !wanted.some((word) => name.includes(word))) continue;
    console.log(name);
    const at = await serve(); // a fresh one each: no client sees what another left
    try {
      await within(300_000, () => client.run(name, check, at));
    } catch (error) {
      failed++;
      console.log(`  NOT OK  ${error.stack}`);
    }
    await check("the server ends", async () => {
      const code = await at.stop();
      if (code !== 0) throw new Error(`with ${code}`);
    });
  }
}
console.log(`foreign clients: ${passed} passed, ${failed} failed`);
process.exit(failed === 0 && passed > 0 ? 0 : 1);
