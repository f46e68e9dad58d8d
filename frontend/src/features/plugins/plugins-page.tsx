import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";
import type * as t from "../../backend/types";
import { count, plural } from "../../lib/format";
import { letter } from "../../lib/keys";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { Button, IconButton } from "../../ui/button";
import { EmptyState } from "../../ui/empty-state";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { Skeleton } from "../../ui/skeleton";
import { words as common } from "../../words";
import { PluginList } from "./plugin-list";
import { PluginPage } from "./plugin-page";
import { matching } from "./state-of";
import { words } from "./words";
import "./plugins.css";

const nothing: t.Plugin[] = [];

/** The installed plugins beside the page of one of them. */
export function Plugins({ notices }: { notices: ReactNode }) {
  const { store, retry } = useKandev();
  const pulled = useKandevState((state) => state.plugins);
  const error = useKandevState((state) => state.pullErrors.plugins ?? "");
  const wanted = useKandevState((state) => state.plugin);
  const plugins = pulled?.plugins ?? nothing;
  const chosen = plugins.find(({ id }) => id === wanted) ?? plugins[0];
  const choose = (id: string) => store.setState({ plugin: id });
  return (
    <>
      <PageBar plugins={plugins} chosen={chosen} onChoose={choose} />
      {notices}
      {!pulled && !error && (
        <div className="pl-page">
          <Skeleton rows={6} />
        </div>
      )}
      {!pulled && error && (
        <EmptyState
          shape={{ shape: "failed", tone: "bad" }}
          title={`${words.failed}.`}
          actions={<Button onClick={() => retry("plugins")}>{common.retry}</Button>}
        >
          <SafeText text={error} />
        </EmptyState>
      )}
      {pulled && !chosen && (
        <EmptyState
          icon="cube"
          title={`${words.none}.`}
          actions={
            <Button icon="plus" onClick={() => actions.openInstall(store)}>
              {words.install}
            </Button>
          }
        >
          {words.noneHint}
        </EmptyState>
      )}
      {pulled && chosen && <Both pulled={pulled} chosen={chosen} onChoose={choose} />}
    </>
  );
}

interface PageBarProps {
  plugins: t.Plugin[];
  chosen: t.Plugin | undefined;
  onChoose: (id: string) => void;
}

function PageBar({ plugins, chosen, onChoose }: PageBarProps) {
  const { store } = useKandev();
  const tools = plugins.reduce((sum, plugin) => sum + plugin.tools.length, 0);
  const about =
    plugins.length > 0 ? `${words.installed(count(plugins.length), plural(tools, "tool"))}. ` : "";
  return (
    <header className="bar top pl-bar">
      <IconButton
        className="narrow"
        icon="rail"
        label={common.rail.show}
        onClick={() => store.setState({ drawer: true })}
      />
      <h1>{words.title}</h1>
      {plugins.length > 1 && chosen && (
        <span className="pl-switch">
          <Select
            boxed
            labelHidden
            label={words.choose}
            value={chosen.id}
            options={plugins.map(({ id, name }) => ({ value: id, label: <SafeText text={name} /> }))}
            onChange={onChoose}
          />
        </span>
      )}
      <span className="faint cut grow">
        {about}
        {words.drop}
      </span>
      <Button icon="plus" onClick={() => actions.openInstall(store)}>
        {words.install}
      </Button>
    </header>
  );
}

interface BothProps {
  pulled: t.Plugins;
  chosen: t.Plugin;
  onChoose: (id: string) => void;
}

function Both({ pulled, chosen, onChoose }: BothProps) {
  const off = useKandevState((state) => state.settings.letters_off);
  const [query, setQuery] = useState("");
  const field = useRef<HTMLInputElement>(null);
  const hits = useMemo(() => matching(pulled.plugins, query), [pulled, query]);
  useEffect(() => {
    const down = (event: KeyboardEvent) => {
      // What lies over the page has its own keys; where the list is not shown, neither is its field.
      if (!letter(event, "/", off) || document.querySelector("[role=menu], [role=dialog]")) return;
      if (!field.current?.checkVisibility()) return;
      event.preventDefault();
      field.current.focus();
    };
    addEventListener("keydown", down);
    return () => removeEventListener("keydown", down);
  }, [off]);
  return (
    <div className="pl">
      <PluginList
        plugins={hits}
        chosen={chosen.id}
        query={query}
        field={field}
        onQuery={setQuery}
        onChoose={onChoose}
      />
      <PluginPage key={chosen.id} plugin={chosen} place={pulled.place} />
    </div>
  );
}
