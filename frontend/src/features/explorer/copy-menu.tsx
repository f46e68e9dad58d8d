import { useEffect, useState } from "react";
import type { Backend } from "../../backend/backend";
import { sentence } from "../../backend/error";
import type * as t from "../../backend/types";
import { plainMarked } from "../../lib/hidden";
import { useBackend } from "../../state/use";
import { Button } from "../../ui/button";
import { Menu, MenuItem, MenuRule } from "../../ui/menu";
import { toolsListText } from "./copy";
import type { Model } from "./use-model";
import { words } from "./words";

/** What became of a copy or an export, said for a few seconds. */
export function useSaid(): [string, (work: () => Promise<string>) => void] {
  const [said, setSaid] = useState("");
  useEffect(() => {
    if (said === "") return;
    const timer = setTimeout(() => setSaid(""), 4000);
    return () => clearTimeout(timer);
  }, [said]);
  const run = (work: () => Promise<string>) => {
    work().then(setSaid, (error) => setSaid(sentence(error)));
  };
  return [said, run];
}

/** Copies a text; answers what to say. */
export async function copyText(text: string | Promise<string>): Promise<string> {
  const content = await text;
  try {
    await navigator.clipboard.writeText(content);
    return words.copied;
  } catch {
    throw new Error(words.copyFailed);
  }
}

/** Saves a text where the person says; answers what to say, nothing when they did not. */
export async function saveText(
  backend: Backend,
  name: string,
  text: string | Promise<string>,
): Promise<string> {
  const path = await backend.saveFile(name, await text);
  return path === "" ? "" : words.saved(path);
}

/** Copying and exporting of a whole server: its stored list, and diagnostics without secrets. */
export function CopyMenu({
  session,
  model,
  server,
}: {
  session: string;
  model: Model;
  server: t.event.Server;
}) {
  const backend = useBackend();
  const [said, run] = useSaid();
  const catalog = server.source === "builtin" ? model.loaded?.catalog : undefined;
  const save = (name: string, content: string | Promise<string>) => saveText(backend, name, content);
  const exportList = () => run(() => save("tools-list.json", catalog ? toolsListText(catalog) : ""));
  return (
    <span className="srv-actions">
      <span className="faint small cut srv-said" role="status" title={plainMarked(said)}>
        {plainMarked(said)}
      </span>
      <Menu
        align="end"
        trigger={
          <Button kind="quiet" small icon="copy">
            {words.copy}
          </Button>
        }
      >
        <MenuItem
          icon="copy"
          disabled={!catalog}
          onSelect={() => run(() => copyText(catalog ? toolsListText(catalog) : ""))}
        >
          {words.copyList} <span className="faint small">{words.listNote}</span>
        </MenuItem>
        <MenuItem icon="copy" onSelect={() => run(() => copyText(backend.diagnostics(session)))}>
          {words.copyDiagnostics}
        </MenuItem>
        <MenuRule />
        <MenuItem icon="export" disabled={!catalog} onSelect={exportList}>
          {words.exportList}
        </MenuItem>
        <MenuItem
          icon="export"
          onSelect={() => run(() => save("diagnostics.txt", backend.diagnostics(session)))}
        >
          {words.exportDiagnostics}
        </MenuItem>
      </Menu>
      {catalog && (
        <Button kind="quiet" small icon="export" onClick={exportList}>
          {words.export}
        </Button>
      )}
    </span>
  );
}
