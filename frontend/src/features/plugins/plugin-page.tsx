import { useState } from "react";
import { sentence } from "../../backend/error";
import type * as t from "../../backend/types";
import { clock } from "../../lib/format";
import * as actions from "../../state/actions";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { CopyButton } from "../../ui/copy-button";
import { Failure } from "../../ui/failure";
import { Link } from "../../ui/link";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { Switch } from "../../ui/switch";
import { ConfigForm } from "./config-form";
import { LastRuns } from "./last-runs";
import { Permissions } from "./permissions";
import { PluginTools } from "./plugin-tools";
import { missingNames, statusOf } from "./state-of";
import { words } from "./words";

/** One plugin: what it is, whether it is on and why not, what it may do, and what it did. */
export function PluginPage({ plugin, place }: { plugin: t.Plugin; place: string }) {
  return (
    <div className="scroll pl-page">
      <Head plugin={plugin} />
      {plugin.description && (
        <p className="desc">
          <SafeText text={plugin.description} lines />
        </p>
      )}
      <State plugin={plugin} />
      <Permissions plugin={plugin} />
      <ConfigForm plugin={plugin} place={place} />
      <PluginTools tools={plugin.tools} total={plugin.tokens_total} />
      <LastRuns plugin={plugin} />
      <About plugin={plugin} />
    </div>
  );
}

function Head({ plugin }: { plugin: t.Plugin }) {
  const { store, backend } = useKandev();
  const [error, setError] = useState("");
  const on = plugin.state === "enabled";
  const turn = () => {
    setError("");
    if (!on) return actions.openDialog(store, "enable-plugin", plugin.id);
    backend.disablePlugin(plugin.id).catch((thrown) => setError(sentence(thrown)));
  };
  const facts = [
    plugin.version,
    plugin.author && words.by(plugin.author),
    plugin.license,
    plugin.bare && words.bare,
  ];
  return (
    <header className="pl-head">
      <div>
        <h2>
          <SafeText text={plugin.name} />
        </h2>
        <p className="faint small">
          <SafeText text={facts.filter(Boolean).join(", ")} />
          {plugin.homepage && (
            <>
              {", "}
              <Link url={plugin.homepage}>{words.homepage}</Link>
            </>
          )}
        </p>
      </div>
      <span className="row">
        <Switch id="plugin-switch" on={on} label={words.enabled} onSwitch={turn} />
        <span aria-hidden="true">{words.enabled}</span>
      </span>
      <Button onClick={() => actions.openInstall(store)}>{words.update}</Button>
      <Button onClick={() => actions.openDialog(store, "remove-plugin", plugin.id)}>{words.remove}</Button>
      <Failure text={error} />
    </header>
  );
}

// What keeps it from working, and what to do about it.
function State({ plugin }: { plugin: t.Plugin }) {
  const { store } = useKandev();
  const status = statusOf(plugin);
  if (plugin.reason === "asks_more")
    return (
      <section className="ask pl-ask" aria-label={words.more.title}>
        <header className="ask-head">
          <StatusShape shape="waiting" tone="warn" />
          <h3>{words.more.title}</h3>
        </header>
        <p className="soft">{words.more.text}</p>
        <footer className="ask-foot">
          <Button onClick={() => actions.openDialog(store, "enable-plugin", plugin.id)}>
            {words.more.button}
          </Button>
        </footer>
      </section>
    );
  if (status.tone === "bad")
    return (
      <section className="ask pl-ask" aria-label={status.word}>
        <header className="ask-head st-bad">
          <StatusShape shape={status.shape} tone={status.tone} />
          <h3>{status.word}</h3>
          <span className="faint small ask-end">{clock(plugin.since)}</span>
        </header>
        {plugin.detail && (
          <p className="soft wrap">
            <SafeText text={plugin.detail} lines />
          </p>
        )}
        <p className="soft pl-help">{words.help[plugin.reason]}</p>
      </section>
    );
  if (plugin.missing.length === 0) return null;
  return (
    <p className="row pl-missing">
      <StatusShape shape="waiting" tone="warn" />
      <span>
        <SafeText text={words.missing(missingNames(plugin))} />
      </span>
    </p>
  );
}

function About({ plugin }: { plugin: t.Plugin }) {
  return (
    <section>
      <h3 className="cap">{words.about.title}</h3>
      <dl className="dl small">
        <dt>{words.about.id}</dt>
        <dd className="mono">
          <SafeText text={plugin.id} />
        </dd>
        <dt>{words.about.sha}</dt>
        <dd className="row">
          <span className="mono cut">{plugin.sha256}</span>
          <CopyButton label={words.about.copySha} text={plugin.sha256} />
        </dd>
        <dt>{words.about.since}</dt>
        <dd>{clock(plugin.installed_at)}</dd>
        {plugin.updated_at > plugin.installed_at && (
          <>
            <dt>{words.about.updated}</dt>
            <dd>{clock(plugin.updated_at)}</dd>
          </>
        )}
        {plugin.warnings.length > 0 && (
          <>
            <dt>{words.warnings}</dt>
            <dd>
              {plugin.warnings.map((line) => (
                <p key={line}>
                  <SafeText text={line} />
                </p>
              ))}
            </dd>
          </>
        )}
      </dl>
    </section>
  );
}
