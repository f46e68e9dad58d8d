import type { ReactNode } from "react";
import type * as t from "../../backend/types";
import { count, tokenFigure } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import * as actions from "../../state/actions";
import { useKandev, useKandevState } from "../../state/use";
import { SafeText } from "../../ui/safetext";
import { breakable, characters, lengthNote, modelName, pluginNamed } from "./names";
import { seconds } from "./status-word";
import { TokenSplit } from "./token-split";
import type { Model } from "./use-model";
import { words } from "./words";

export interface ToolSideProps {
  entry: t.Entry;
  model: Model;
  server: t.event.Server;
  use: t.Use | undefined;
}

/** The facts beside a tool: its names, its size, where it is from and how often it was called. */
export function ToolSide({ entry, model, server, use }: ToolSideProps) {
  return (
    <aside className="page-side">
      <Names entry={entry} agent={model.agent} server={server.name} />
      <section>
        <h3 className="cap">
          {words.split.title}
          <span className="grow" />
          <span className="cap-value num">{tokenFigure(entry.estimate)}</span>
        </h3>
        <TokenSplit entry={entry} counting={server.counting} />
      </section>
      <Provenance entry={entry} compared={model.loaded?.catalog?.compared ?? false} />
      <section>
        <h3 className="cap">{words.calls.title}</h3>
        {use ? (
          <dl className="dl small num">
            <dt>{words.calls.answered}</dt>
            <dd>{count(use.calls)}</dd>
            <dt>{words.calls.errors}</dt>
            <dd>{count(use.errors)}</dd>
            <dt>{words.calls.last}</dt>
            <dd>{use.last ? seconds(use.last) : words.never}</dd>
          </dl>
        ) : (
          <p className="faint small">{words.calls.none}</p>
        )}
      </section>
    </aside>
  );
}

function Names({ entry, agent, server }: { entry: t.Entry; agent: t.AgentNames; server: string }) {
  const { names } = words;
  const embedded = useKandevState(
    (state) => state.agents?.find((one) => one.id === agent.id)?.embedded ?? false,
  );
  const model = embedded ? undefined : modelName(agent, server, entry.served);
  const same = entry.source === "plugin" ? names.samePlugin : names.same;
  return (
    <section>
      <h3 className="cap">{names.title}</h3>
      <dl className="nms">
        <Name label={names.served} name={entry.served}>
          {names.characters(count(characters(entry.served)))}
        </Name>
        <Name label={names.canonical} name={entry.canonical}>
          {entry.canonical === entry.served ? same : names.characters(count(characters(entry.canonical)))}
        </Name>
        {entry.original && (
          <Name label={names.original} name={entry.original}>
            {names.characters(count(characters(entry.original)))}
          </Name>
        )}
        {model === undefined ? (
          <div className="nm">
            <dt>{names.model(agent.name)}</dt>
            <dd className="faint tiny">{embedded ? names.noModel : names.unknown(agent.name)}</dd>
          </div>
        ) : (
          <Name label={names.model(agent.name)} name={model}>
            {lengthNote(agent, characters(model))}
          </Name>
        )}
      </dl>
    </section>
  );
}

function Name({ label, name, children }: { label: string; name: string; children: ReactNode }) {
  return (
    <div className="nm">
      <dt>
        <SafeText text={label} />
      </dt>
      <dd>
        <span className="mono">
          {breakable(name).map((part, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: the parts have no other identity.
            <span key={n}>
              <SafeText text={part} />
              <wbr />
            </span>
          ))}
        </span>
      </dd>
      <dd className="faint tiny num">{children}</dd>
    </div>
  );
}

function Provenance({ entry, compared }: { entry: t.Entry; compared: boolean }) {
  const { from } = words;
  const version = useKandevState((state) => state.version);
  const since = from.marks[entry.mark ?? ""] ?? from.same;
  return (
    <section>
      <h3 className="cap">{from.title}</h3>
      <dl className="dl small">
        <dt>{entry.source === "plugin" ? from.plugin : from.builtin}</dt>
        <dd>
          {entry.source === "plugin" ? <PluginName entry={entry} /> : `${from.kandev} ${version}`.trim()}
        </dd>
        {compared && (
          <>
            <dt>{from.since}</dt>
            <dd>{since}</dd>
          </>
        )}
      </dl>
    </section>
  );
}

// The plugin by its name and id; a click goes to its page where it is still installed.
function PluginName({ entry }: { entry: t.Entry }) {
  const id = entry.plugin ?? "";
  const { store } = useKandev();
  const installed = useKandevState((state) => state.plugins?.plugins.some((one) => one.id === id) ?? false);
  const shown = pluginNamed(entry);
  if (!installed) return <SafeText text={shown} />;
  return (
    <button
      type="button"
      className="link wrap"
      title={words.from.openPlugin(plainMarked(shown))}
      onClick={() => actions.openPlugins(store, id)}
    >
      <SafeText text={shown} />
    </button>
  );
}
