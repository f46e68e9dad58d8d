import { useEffect, useMemo, useState } from "react";
import type * as t from "../../backend/types";
import { sessionTitle } from "../../state/select";
import { wholeSummary } from "../../state/servers";
import { useKandevState } from "../../state/use";
import { CatalogIndex, SchemaIndex } from "./index-cache";
import { type Hit, keepOrder, listTools } from "./list";
import { goneSince, offeredKey } from "./plugin-state";
import type { View } from "./view";

/** What the explorer shows of one session. */
export interface Model {
  title: string;
  agent: t.AgentNames;
  /** The summary of the stream: status, counts, times; with every server once the attachment is here. */
  summary?: t.event.Attachment;
  /** With the definitions; only of the attempt that the summary is about. */
  loaded?: t.Attachment;
  /** Attempts before the current one, newest first. */
  earlier: t.Attempt[];
  /** Why the last pull failed. */
  error: string;
}

export function useModel(session: string): Model {
  const told = useKandevState((state) => state.attachments[session]);
  const pulled = useKandevState((state) => state.loadedAttachments[session]);
  const error = useKandevState((state) => state.pullErrors[`attachment/${session}`] ?? "");
  const title = useKandevState((state) => sessionTitle(state, session));
  const agentID = useKandevState((state) => state.sessions[session]?.agent ?? "");
  const agentName = useKandevState((state) => state.sessions[session]?.agent_name ?? "");
  return useMemo(() => {
    const summary = told && wholeSummary(told, pulled);
    const current = pulled?.attempts.at(-1)?.id;
    const loaded = pulled && current === summary?.attempt ? pulled : undefined;
    const earlier = (pulled?.attempts ?? []).filter((attempt) => attempt.id !== summary?.attempt).reverse();
    const agent = pulled?.agent ?? {
      id: agentID,
      name: agentName,
      form: "",
      limit: 0,
      defers: false,
      keeps_list: false,
      client: { rewrite_keys: [] },
    };
    return { title, agent, summary, loaded, earlier, error };
  }, [told, pulled, error, title, agentID, agentName]);
}

/** The server on screen: the chosen one while it exists, else the built-in one. */
export function serverOf(model: Model, name: string): t.event.Server | undefined {
  const servers = model.summary?.servers ?? [];
  return (
    servers.find((server) => server.name === name) ??
    servers.find((server) => server.source === "builtin") ??
    servers[0]
  );
}

export interface Listing {
  index: CatalogIndex;
  hits: Hit[];
  /** Grows when schemas were read in the background, so that marks appear. */
  read: number;
}

/** The tools of the catalog as the view wants them. `held` keeps rows where they are. */
export function useListing(
  model: Model,
  server: string,
  view: View,
  held: readonly string[] | null,
): Listing {
  const [schemas] = useState(() => new SchemaIndex());
  const [read, setRead] = useState(0);
  const entries = model.loaded?.catalog?.entries;
  const uses = model.loaded?.uses;
  const { agent } = model;
  const offered = useKandevState((state) => offeredKey(state.plugins));
  const live = model.summary?.live ?? false;
  useEffect(
    () => (entries ? schemas.readAll(entries, () => setRead((n) => n + 1)) : undefined),
    [schemas, entries],
  );
  const index = useMemo(
    () => new CatalogIndex(schemas, uses ?? [], agent, server, goneSince(offered, live)),
    [schemas, uses, agent, server, offered, live],
  );
  const { query, sort, source, show } = view;
  const hits = useMemo(
    () => listTools(entries ?? [], { query, sort, source, show }, index),
    [entries, query, sort, source, show, index],
  );
  const shown = useMemo(() => (held ? keepOrder(hits, held) : hits), [hits, held]);
  return { index, hits: shown, read };
}
