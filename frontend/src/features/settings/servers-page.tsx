import { useCallback, useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { OwnServer, OwnServers } from "../../backend/types";
import { useKandev, useKandevState } from "../../state/use";
import { AskOnce, useAsking } from "../../ui/ask-once";
import { Button } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { Failure } from "../../ui/failure";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { Skeleton } from "../../ui/skeleton";
import { Switch } from "../../ui/switch";
import { words } from "../../words";
import { changeOf } from "./change";
import { ImportServers } from "./import-servers";
import { ServerForm } from "./server-form";
import { ServerRow } from "./server-row";
import { pageWords } from "./words";

/** What lies over the list: a server (a new one without an id), the import, or nothing. */
type Over = { server: OwnServer | null } | "import" | null;

/** The person's own MCP servers, agent by agent. */
export function ServersPage({ back }: { back: { current: (() => void) | null } }) {
  const { backend } = useKandev();
  const agents = useKandevState((state) => state.agents);
  const [chosen, setChosen] = useState("");
  const agent = agents?.find(({ id }) => id === chosen) ?? agents?.find(({ installed }) => installed);
  const id = agent?.id ?? "";
  const [page, setPage] = useState<OwnServers | null>(null);
  const [error, setError] = useState("");
  const [over, setOver] = useState<Over>(null);
  const load = useCallback(async () => {
    if (id === "") return;
    try {
      setPage(await backend.ownServers(id));
      setError("");
    } catch (thrown) {
      setError(sentence(thrown));
    }
  }, [backend, id]);
  useEffect(() => {
    setPage(null);
    void load();
  }, [load]);
  const close = useCallback(() => {
    setOver(null);
    void load();
  }, [load]);
  useEffect(() => {
    back.current = over ? close : null;
  }, [over, close, back]);
  if (agent && over === "import") return <ImportServers agent={agent} onClose={close} />;
  if (agent && over && over !== "import")
    return <ServerForm agent={agent} server={over.server} ask={page?.ask ?? false} onClose={close} />;
  const act = (work: () => Promise<unknown>) => {
    work().then(load, (thrown) => setError(sentence(thrown)));
  };
  return (
    <>
      <header className="set-head">
        <div>
          <h3>{words.settings.pages.servers}</h3>
          <p className="soft">{pageWords.servers.lead}</p>
        </div>
        <Button icon="drop" disabled={!agent} onClick={() => setOver("import")}>
          {pageWords.servers.import}
        </Button>
        <Button icon="plus" disabled={!agent} onClick={() => setOver({ server: null })}>
          {pageWords.servers.add}
        </Button>
      </header>
      {agents && agent && (
        <Select
          boxed
          label={pageWords.servers.agent}
          value={id}
          options={agents.map((one) => ({ value: one.id, label: <SafeText text={one.name} /> }))}
          onChange={setChosen}
        />
      )}
      {agent?.facts.ignores_servers && <p className="soft">{pageWords.servers.ignores(agent.name)}</p>}
      <Failure text={error} />
      {!page && !error && <Skeleton rows={3} />}
      {page?.servers.length === 0 && (
        <EmptyState icon="plug" title={`${pageWords.servers.none}.`}>
          {pageWords.servers.noneHint}
        </EmptyState>
      )}
      {page && page.servers.length > 0 && (
        <ul className="set-servers">
          {page.servers.map((server) => (
            <ServerRow
              key={server.id}
              server={server}
              onEdit={() => setOver({ server })}
              onRemove={() => act(() => backend.deleteOwnServer(server.id))}
              onSwitch={() => act(() => backend.saveOwnServer(changeOf({ ...server, off: !server.off })))}
            />
          ))}
        </ul>
      )}
      {page && (
        <p className="faint small">
          {pageWords.servers.next} {page.ask ? pageWords.servers.askPlace : page.place}
        </p>
      )}
      {page && <AskSwitch ask={page.ask} onChange={(on) => act(() => backend.askValues(on))} />}
    </>
  );
}

// Switched on, what is stored is forgotten: that is asked once more.
function AskSwitch({ ask, onChange }: { ask: boolean; onChange: (on: boolean) => void }) {
  const { asking, kept, ask: askFirst, keep, end } = useAsking();
  const say = pageWords.servers;
  if (asking)
    return (
      <AskOnce
        text={say.askSure}
        label={say.askForget}
        onYes={() => {
          end();
          onChange(true);
        }}
        onKeep={keep}
      />
    );
  return (
    <div className="row">
      <Switch
        on={ask}
        labelledBy="ask-values-label"
        autoFocus={kept}
        onSwitch={() => (ask ? onChange(false) : askFirst())}
      />
      <span id="ask-values-label">{say.ask}</span>
    </div>
  );
}
