import { type FormEvent, useRef, useState } from "react";
import type * as t from "../../backend/types";
import { useKandev } from "../../state/use";
import { Button } from "../../ui/button";
import { Failure } from "../../ui/failure";
import { useWork } from "../../ui/use-work";
import { AddedSettings } from "./added-settings";
import { SettingField } from "./setting-field";
import { type AddedRow, changes, type Typed } from "./values";
import { words } from "./words";

/** The settings of a plugin. A secret goes in and never comes back: it is set, or it is not. */
export function ConfigForm({ plugin, place }: { plugin: t.Plugin; place: string }) {
  const { backend } = useKandev();
  const [typed, setTyped] = useState<Typed>({});
  const [forgotten, setForgotten] = useState<ReadonlySet<string>>(new Set());
  const [added, setAdded] = useState<AddedRow[]>([]);
  const [saved, setSaved] = useState(false);
  const { busy, error, run } = useWork();
  const made = useRef(0);
  const list = changes(plugin.config, typed, forgotten, added);
  const save = async (event: FormEvent) => {
    event.preventDefault();
    if (list.length === 0 || !(await run(() => backend.configurePlugin(plugin.id, list)))) return;
    setTyped({});
    setForgotten(new Set());
    setAdded([]);
    setSaved(true);
  };
  const type = (key: string, value: string) => {
    setSaved(false);
    setTyped({ ...typed, [key]: value });
    setForgotten(new Set([...forgotten].filter((other) => other !== key)));
  };
  const forget = (key: string) => {
    setSaved(false);
    setTyped({ ...typed, [key]: "" });
    setForgotten(new Set([...forgotten, key]));
  };
  if (plugin.config.length === 0 && !plugin.bare) return null;
  const secrets = plugin.config.some((field) => field.secret) || added.some((row) => row.secret);
  return (
    <section>
      <h3 className="cap">{words.config.title}</h3>
      <form className="pl-config" onSubmit={save}>
        <div className="form">
          {plugin.config.map((field) => (
            <SettingField
              key={field.key}
              id={`setting/${plugin.id}/${field.key}`}
              field={field}
              typed={typed[field.key]}
              forgotten={forgotten.has(field.key)}
              onType={(value) => type(field.key, value)}
              onForget={() => forget(field.key)}
            />
          ))}
        </div>
        {plugin.bare && (
          <AddedSettings
            rows={added}
            onChange={(rows) => {
              setSaved(false);
              setAdded(rows);
            }}
            nextId={() => ++made.current}
          />
        )}
        {secrets && place && <p className="faint small">{place}</p>}
        <Failure text={error} />
        <div className="row">
          <Button type="submit" disabled={busy || list.length === 0}>
            {words.config.save}
          </Button>
          <span className="faint small" role="status">
            {saved && list.length === 0 ? words.config.saved : ""}
          </span>
        </div>
      </form>
    </section>
  );
}
