import { type FormEvent, useEffect, useState } from "react";
import type * as t from "../../backend/types";
import { plural } from "../../lib/format";
import { plainMarked } from "../../lib/hidden";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { useWork } from "../../ui/use-work";
import { GrantList } from "./grant-list";
import { missingNames } from "./state-of";
import { hostLines } from "./values";
import { words } from "./words";

/** Shows what a plugin asks for and grants it. Of a module without a manifest the person names the hosts. */
export function EnablePlugin({ open, onClose }: { open: boolean; onClose: () => void }) {
  const plugin = useKandevState((state) =>
    open ? state.plugins?.plugins.find(({ id }) => id === state.subject) : undefined,
  );
  // It was removed meanwhile: there is nothing to ask.
  const gone = useKandevState((state) => open && state.plugins !== null && plugin === undefined);
  useEffect(() => {
    if (gone) onClose();
  }, [gone, onClose]);
  const w = words.enabling;
  const title = plugin && (plugin.state === "enabled" ? w.titleGrant : w.title)(plainMarked(plugin.name));
  return (
    <Dialog
      open={open && plugin !== undefined}
      onOpenChange={(next) => !next && onClose()}
      title={title ?? ""}
      className="form-dialog"
      initialFocus={() => document.getElementById("plugin-grant")}
    >
      {plugin && <Form plugin={plugin} onClose={onClose} />}
    </Dialog>
  );
}

function Form({ plugin, onClose }: { plugin: t.Plugin; onClose: () => void }) {
  const { backend } = useKandev();
  const w = words.enabling;
  const before = plugin.granted;
  const [hosts, setHosts] = useState(before?.hosts.join("\n") ?? "");
  const [network, setNetwork] = useState(before?.private_network ?? false);
  const { busy, error, run } = useWork();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const grant = plugin.bare
      ? { ...plugin.requested, hosts: hostLines(hosts), private_network: network }
      : plugin.requested;
    if (await run(() => backend.enablePlugin(plugin.id, grant))) onClose();
  };
  const button = plugin.state === "enabled" ? w.buttonGrant : plugin.asks.nothing ? w.buttonPlain : w.button;
  return (
    <form className="form-body" onSubmit={submit}>
      <div className="scroll pl-dialog">
        {plugin.state !== "enabled" && (
          <p>{plugin.tools.length === 1 ? w.leadOne : w.lead(plural(plugin.tools.length, "tool"))}</p>
        )}
        <section>
          <h3 className="cap">{w.grants}</h3>
          <GrantList requested={plugin.requested} asks={before && plugin.asks} hosts={!plugin.bare} />
        </section>
        {plugin.bare && (
          <BareHosts hosts={hosts} onHosts={setHosts} network={network} onNetwork={setNetwork} />
        )}
        {plugin.missing.length > 0 && (
          <p className="row">
            <Icon name="info" />
            <SafeText text={w.missing(missingNames(plugin))} />
          </p>
        )}
        <p className="faint small">{words.permissions.foot}</p>
      </div>
      <Failure text={error} />
      <footer className="form-foot">
        <span className="grow" />
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button kind="primary" type="submit" id="plugin-grant" disabled={busy}>
          {button}
        </Button>
      </footer>
    </form>
  );
}

interface BareHostsProps {
  hosts: string;
  onHosts: (text: string) => void;
  network: boolean;
  onNetwork: (on: boolean) => void;
}

function BareHosts({ hosts, onHosts, network, onNetwork }: BareHostsProps) {
  const w = words.enabling;
  return (
    <section className="pl-bare">
      <label htmlFor="plugin-hosts" className="cap">
        {w.bareHosts}
      </label>
      <textarea
        id="plugin-hosts"
        className="area mono"
        rows={3}
        spellCheck={false}
        aria-describedby="plugin-hosts-hint"
        value={hosts}
        onChange={(event) => onHosts(event.target.value)}
      />
      <p id="plugin-hosts-hint" className="faint small">
        {w.bareHint}
      </p>
      <label className="opt">
        <input
          type="checkbox"
          className="box"
          checked={network}
          onChange={(event) => onNetwork(event.target.checked)}
        />
        <span className="opt-label">{w.bareNetwork}</span>
        <span className="opt-note">{w.networkNote}</span>
      </label>
    </section>
  );
}
