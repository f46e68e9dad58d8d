// The example plugin as a person makes it: a copy of its folder, packed by its own program.
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const example = fileURLToPath(new URL("../../examples/plugins/hello-go", import.meta.url));

/**
 * Packs the example; `edit` changes its plugin.json. Answers the path of the .zip, and of the bare module
 * beside it. Give the folder to `cleanUp` at the end.
 */
export function packExample(edit = (manifest) => manifest) {
  const dir = mkdtempSync(join(tmpdir(), "kandev-plugin-"));
  cpSync(example, dir, { recursive: true });
  const manifest = join(dir, "plugin.json");
  writeFileSync(manifest, JSON.stringify(edit(JSON.parse(readFileSync(manifest, "utf8")))));
  const name = execFileSync("go", ["run", "pack.go"], {
    cwd: dir,
    env: { ...process.env, GOWORK: "off", GOFLAGS: "", CGO_ENABLED: "0" },
    encoding: "utf8",
  }).trim();
  return { dir, zip: join(dir, name), module: join(dir, "plugin.wasm") };
}

export function cleanUp(packed) {
  for (const { dir } of packed) rmSync(dir, { recursive: true, force: true });
}
