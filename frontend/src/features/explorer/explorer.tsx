import { type KeyboardEvent, useEffect, useRef } from "react";
import { clock, count } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { letter } from "../../lib/keys";
import { useKandevState } from "../../state/use";
import { Dialog } from "../../ui/dialog";
import { SafeText } from "../../ui/safetext";
import { keyed } from "./list";
import { markOpening } from "./measure";
import { Pane } from "./pane";
import { ServersRail } from "./servers-rail";
import { statusWord } from "./status-word";
import { type Model, serverOf, useModel } from "./use-model";
import { choose, opened, useView, type View } from "./view";
import { words } from "./words";
import "./explorer.css";
import "./tools.css";

export interface ExplorerProps {
  /** The session whose attachment is shown. */
  session: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
}

/** The MCP servers of a session and, of the built-in one, every tool that was really served. */
export function Explorer({ session, open, onOpenChange }: ExplorerProps) {
  const [view, change] = useView(session);
  const off = useKandevState((state) => state.settings.letters_off);
  const was = useRef(false);
  useEffect(() => {
    if (open && !was.current) markOpening();
    was.current = open;
    if (!open) change(opened);
  }, [open, change]);
  const onEscape = (event: { preventDefault(): void }) => {
    if (view.tool === "" && view.query === "") return;
    event.preventDefault();
    change(view.tool === "" ? { query: "" } : { tool: "" });
  };
  const key = (event: KeyboardEvent<HTMLDivElement>) => {
    if (event.defaultPrevented) return;
    if (letter(event, "/", false) && view.tool === "") {
      const search = event.currentTarget.querySelector<HTMLInputElement>(".tools-bar input");
      search?.focus();
      if (search) event.preventDefault();
    } else if (letter(event, "R", off) && view.tool !== "") {
      change({ json: !view.json });
      event.preventDefault();
    }
  };
  return (
    <Dialog
      open={open}
      onOpenChange={onOpenChange}
      title={words.title}
      bar={<Subject session={session} />}
      className="explorer"
      onEscape={onEscape}
      onKeyDown={key}
      initialFocus={() => document.querySelector<HTMLElement>(".explorer .tool[tabindex='0']")}
    >
      <Body session={session} view={view} change={change} />
    </Dialog>
  );
}

function Subject({ session }: { session: string }) {
  const { agent, title, summary } = useModel(session);
  return (
    <>
      <span className="faint cut">
        <SafeText text={[agent.name, title].filter(Boolean).join(", ")} />
      </span>
      <span className="grow" />
      {summary?.started_at !== undefined && (
        <span className="faint num ex-attempt">
          {words.attempt(count(summary.number), clock(summary.started_at))}
        </span>
      )}
    </>
  );
}

interface BodyProps {
  session: string;
  view: View;
  change: (change: Partial<View>) => void;
}

function Body({ session, view, change }: BodyProps) {
  const model = useModel(session);
  const server = serverOf(model, view.server);
  useVanished(model, view, change);
  return (
    <div className="ex-body">
      <ServersRail model={model} current={server?.name ?? ""} onChoose={(name) => change(choose(name))} />
      <Pane session={session} model={model} server={server} view={view} change={change} />
      <Told model={model} />
    </div>
  );
}

// A state that changes is said, whatever is on screen. It has to be there before its text changes.
function Told({ model: { summary } }: { model: Model }) {
  return (
    <div className="sr" aria-live="polite">
      {summary?.servers.map((server) => (
        <p key={server.name}>{plainMarked(words.told(server.name, statusWord(server, summary.live)))}</p>
      ))}
    </div>
  );
}

// A tool or server that is gone takes the person one level up, never to another one's data.
function useVanished(model: Model, view: View, change: BodyProps["change"]) {
  const entries = model.loaded?.catalog?.entries;
  const gone = view.tool !== "" && !keyed(entries ?? []).some(({ key }) => key === view.tool);
  const serverGone =
    view.server !== "" && !(model.summary?.servers ?? []).some((server) => server.name === view.server);
  useEffect(() => {
    if (serverGone) change(choose(""));
    else if (gone) change({ tool: "" });
  }, [gone, serverGone, change]);
}
