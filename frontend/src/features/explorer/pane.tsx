import { useEffect, useMemo, useState } from "react";
import type * as t from "../../backend/types";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { SafeText } from "../../ui/safetext";
import { Skeleton } from "../../ui/skeleton";
import { EvidenceTrack } from "./evidence-track";
import { Figures } from "./figures";
import { ForeignServer } from "./foreign-server";
import { keyed } from "./list";
import { markListPainted } from "./measure";
import { ServerHead } from "./server-head";
import { NoTools, ServerNotice } from "./server-states";
import { ToolPage } from "./tool-page";
import { Tools } from "./tools";
import { type Model, useListing } from "./use-model";
import { choose, type View } from "./view";
import { words } from "./words";

export interface PaneProps {
  session: string;
  model: Model;
  server: t.event.Server | undefined;
  view: View;
  change: (change: Partial<View>) => void;
}

/** What stands beside the rail: a server, or one of its tools. */
export function Pane({ session, model, server, view, change }: PaneProps) {
  const [hold, setHold] = useState<{ view: string; keys: string[] } | null>(null);
  const order = [view.query, view.sort, view.source, view.show].join("\n");
  const held = hold?.view === order && view.tool === "" ? hold.keys : null;
  const listing = useListing(model, server?.name ?? "", view, held);
  const catalog = model.loaded?.catalog;
  const revision = model.loaded?.catalog_rev ?? 0;
  const tools = catalog?.entries.length;
  useEffect(() => {
    if (tools !== undefined) markListPainted(revision, tools);
  }, [revision, tools]);
  const tool = useMemo(() => findTool(listing.hits, catalog, view.tool), [listing.hits, catalog, view.tool]);
  const live = model.summary?.live ?? false;
  if (!server) return <Nothing />;
  const own = server.source === "builtin";
  return (
    <div className={live ? "ex-main" : "ex-main is-past"}>
      {tool && own ? (
        <ToolPage entry={tool} model={model} server={server} listing={listing} view={view} change={change} />
      ) : (
        <div className="ex-pane">
          <ServerHead
            session={session}
            model={model}
            server={server}
            onChoose={(name) => change(choose(name))}
          />
          <div className="facts">
            {own && <Figures server={server} agent={model.agent} />}
            <EvidenceTrack server={server} />
          </div>
          {!own && <ForeignServer server={server} agent={model.agent} live={live} />}
          {own && (
            <div className="ex-notices" role="status">
              <ServerNotice session={session} model={model} server={server} />
            </div>
          )}
          {own && catalog && catalog.entries.length > 0 && (
            <Tools
              catalog={catalog}
              model={model}
              server={server}
              listing={listing}
              view={view}
              change={change}
              onHold={(keys) =>
                setHold((now) => (keys && now?.view === order ? now : keys && { view: order, keys }))
              }
            />
          )}
          {own && !(catalog && catalog.entries.length > 0) && (
            <div className="ex-state">
              <Unlisted session={session} model={model} server={server} />
            </div>
          )}
        </div>
      )}
    </div>
  );
}

// Also a tool that search and filter do not list now: the page stays.
function findTool(hits: { key: string; entry: t.Entry }[], catalog: t.Catalog | undefined, key: string) {
  if (key === "") return undefined;
  const hit = hits.find((one) => one.key === key);
  return (hit ?? keyed(catalog?.entries ?? []).find((one) => one.key === key))?.entry;
}

function Nothing() {
  return (
    <div className="ex-main">
      <EmptyState icon="plug" title={words.nothing}>
        {words.nothingHint}
      </EmptyState>
    </div>
  );
}

// A list was served but is not here yet, or there is none.
function Unlisted({ session, model, server }: { session: string; model: Model; server: t.event.Server }) {
  const { retry } = useKandev();
  const expected = (server.tool_count ?? 0) > 0;
  if (expected && !model.loaded?.catalog) {
    if (!model.error) return <Skeleton rows={8} />;
    return (
      <EmptyState
        shape={{ shape: "failed", tone: "bad" }}
        title={words.loadFailed}
        actions={<Button onClick={() => retry(`attachment/${session}`)}>{words.retry}</Button>}
      >
        <SafeText text={model.error} />
      </EmptyState>
    );
  }
  return <NoTools session={session} model={model} server={server} />;
}
