import { useState } from "react";
import type { Agent, OwnServer, ServerChange } from "../../backend/types";
import { useKandev } from "../../state/use";
import { Area, Field } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { Select } from "../../ui/select";
import { blank, changeOf, type EditedValue, lines, values } from "./change";
import { SaveForm } from "./save-form";
import { ValueRows } from "./value-rows";
import { pageWords } from "./words";

const transports = (["http", "sse", "stdio"] as const).map((value) => ({
  value,
  label: pageWords.servers.transports[value],
}));

export interface ServerFormProps {
  agent: Agent;
  /** null = a new one. */
  server: OwnServer | null;
  /** Values are asked for at each start and not stored. */
  ask: boolean;
  onClose: () => void;
}

const edited = (list: ServerChange["env"], unstored: string[]): EditedValue[] =>
  list.map((value, key) => ({ ...value, key, asked: unstored.includes(value.name) }));

/** Adds a server or changes one. Values go in and never come back. */
export function ServerForm({ agent, server, ask, onClose }: ServerFormProps) {
  const { backend } = useKandev();
  const [form, setForm] = useState(server ?? blank(agent.id));
  const [args, setArgs] = useState(form.args.join("\n"));
  const [env, setEnv] = useState(() => edited(changeOf(form).env, form.unstored));
  const [headers, setHeaders] = useState(() => edited(changeOf(form).headers, form.unstored));
  const set = (change: Partial<OwnServer>) => setForm({ ...form, ...change });
  const save = () => {
    const change = { ...form, args: lines(args), env: values(env), headers: values(headers) };
    return backend.saveOwnServer(change as unknown as ServerChange);
  };
  return (
    <SaveForm
      title={<Title agent={agent} server={server} />}
      label={pageWords.servers.save}
      save={save}
      onClose={onClose}
    >
      <div className="form">
        <label htmlFor="server-name">{pageWords.servers.name}</label>
        <Field
          id="server-name"
          autoFocus
          value={form.name}
          placeholder={pageWords.servers.nameHint}
          onChange={(event) => set({ name: event.target.value })}
        />
        <label htmlFor="server-transport">{pageWords.servers.transport}</label>
        <Select
          boxed
          labelHidden
          id="server-transport"
          label={pageWords.servers.transport}
          value={form.transport}
          options={transports}
          onChange={(transport) => set({ transport })}
        />
        {form.transport === "stdio" ? (
          <Local form={form} set={set} ask={ask} args={args} setArgs={setArgs} env={env} setEnv={setEnv} />
        ) : (
          <Remote form={form} set={set} ask={ask} headers={headers} setHeaders={setHeaders} />
        )}
      </div>
    </SaveForm>
  );
}

function Title({ agent, server }: { agent: Agent; server: OwnServer | null }) {
  const say = pageWords.servers;
  return (
    <>
      <SafeText text={server ? say.editTitle(server.name) : say.addTitle} />{" "}
      <span className="faint small">
        <SafeText text={agent.name} />
      </span>
    </>
  );
}

interface Part {
  form: OwnServer;
  ask: boolean;
  set: (change: Partial<OwnServer>) => void;
}

function Local(
  props: Part & {
    args: string;
    setArgs: (text: string) => void;
    env: EditedValue[];
    setEnv: (values: EditedValue[]) => void;
  },
) {
  return (
    <>
      <label htmlFor="server-command">{pageWords.servers.command}</label>
      <Field
        id="server-command"
        className="mono"
        value={props.form.command}
        placeholder="npx"
        onChange={(event) => props.set({ command: event.target.value })}
      />
      <Area
        id="server-args"
        label={pageWords.servers.args}
        mono
        value={props.args}
        placeholder={pageWords.servers.argsHint}
        onText={props.setArgs}
      />
      <span className="form-top">{pageWords.servers.env}</span>
      <ValueRows
        label={pageWords.servers.env}
        add={pageWords.servers.addVariable}
        ask={props.ask}
        values={props.env}
        onChange={props.setEnv}
      />
    </>
  );
}

function Remote(props: Part & { headers: EditedValue[]; setHeaders: (values: EditedValue[]) => void }) {
  return (
    <>
      <label htmlFor="server-url">{pageWords.servers.url}</label>
      <Field
        id="server-url"
        className="mono"
        value={props.form.url}
        placeholder="https://example.com/mcp"
        onChange={(event) => props.set({ url: event.target.value })}
      />
      <span className="form-top">{pageWords.servers.headers}</span>
      <ValueRows
        label={pageWords.servers.headers}
        add={pageWords.servers.addHeader}
        ask={props.ask}
        values={props.headers}
        onChange={props.setHeaders}
      />
    </>
  );
}
