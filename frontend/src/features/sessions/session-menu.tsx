import { sentence } from "../../backend/error";
import type { event } from "../../backend/types";
import * as actions from "../../state/actions";
import { useKandev } from "../../state/use";
import { IconButton } from "../../ui/button";
import { Menu, MenuItem, MenuRule } from "../../ui/menu";
import { isLive } from "../../ui/status";
import { words } from "../../words";

/** What can be done to a session: rename, start again, reset, stop, archive, delete. */
export function SessionMenu({ session }: { session: event.Session }) {
  const { store, backend } = useKandev();
  const run = (work: Promise<unknown>) => {
    work.catch((error) => actions.report(store, sentence(error)));
  };
  const live = isLive(session);
  const copyMerge = async () => {
    const { merge } = await backend.place(session.id);
    if (merge === "") return actions.report(store, words.session.nothingToMerge);
    await navigator.clipboard.writeText(merge);
  };
  return (
    <Menu align="end" trigger={<IconButton icon="more" label={words.session.menu} />}>
      <MenuItem icon="pencil" onSelect={() => actions.openDialog(store, "rename", session.id)}>
        {words.session.rename}
      </MenuItem>
      {!live && !session.gone && (
        <MenuItem icon="loop" onSelect={() => run(backend.startSession(session.id))}>
          {words.session.start}
        </MenuItem>
      )}
      {(session.state === "ready" || !live) && !session.gone && (
        <MenuItem icon="drop" onSelect={() => run(backend.resetSession(session.id))}>
          {words.session.reset}
        </MenuItem>
      )}
      {live && (
        <MenuItem icon="stop" onSelect={() => run(backend.stopSession(session.id))}>
          {words.session.stopAgent}
        </MenuItem>
      )}
      <MenuItem icon="folder" onSelect={() => run(backend.openPlace(session.id))}>
        {words.session.openFolder}
      </MenuItem>
      {session.executor === "worktree" && (
        <MenuItem icon="copy" onSelect={() => run(copyMerge())}>
          {words.session.copyMerge}
        </MenuItem>
      )}
      {session.executor === "worktree" && !live && (
        <MenuItem icon="branch" onSelect={() => run(backend.removePlace(session.id))}>
          {words.session.removeWorktree}
        </MenuItem>
      )}
      <MenuRule />
      {!live && (
        <MenuItem icon="drop" onSelect={() => run(backend.archiveSession(session.id, !session.archived))}>
          {session.archived ? words.session.bringBack : words.session.archive}
        </MenuItem>
      )}
      <MenuItem icon="x" onSelect={() => actions.openDialog(store, "delete", session.id)}>
        {words.session.remove}
      </MenuItem>
    </Menu>
  );
}
