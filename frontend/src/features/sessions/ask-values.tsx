import { type FormEvent, Fragment, useEffect, useState } from "react";
import { sentence } from "../../backend/error";
import type { AskedServer, event, TypedValue } from "../../backend/types";
import { agentNameOf } from "../../state/agent-name";
import { useKandev, useKandevState } from "../../state/use";
import { Button } from "../../ui/button";
import { Dialog } from "../../ui/dialog";
import { Failure } from "../../ui/failure";
import { Field } from "../../ui/field";
import { SafeText } from "../../ui/safetext";
import { Skeleton } from "../../ui/skeleton";
import { words } from "../../words";

/** Asked before a start that needs values which are not stored; of several, the session on screen first. */
export function AskValues() {
  const session = useKandevState((state) => {
    const asking = Object.values(state.sessions).filter((one) => one.asks);
    return asking.find((one) => one.id === state.session) ?? asking[0];
  });
  const quit = useKandevState((state) => state.quit !== null);
  if (!session || quit) return null;
  return <Ask key={`${session.id}/${session.since}`} session={session} />;
}

function Ask({ session }: { session: event.Session }) {
  const { backend } = useKandev();
  const agent = useKandevState((state) => agentNameOf(state, session.id));
  const [servers, setServers] = useState<AskedServer[] | null>(null);
  const [typed, setTyped] = useState<Record<string, string>>({});
  const [error, setError] = useState("");
  const { id } = session;
  useEffect(() => {
    let left = false;
    backend.valuesAsked(id).then(
      (found) => !left && setServers(found),
      (thrown) => !left && setError(`${words.values.failed} ${sentence(thrown)}`),
    );
    return () => {
      left = true;
    };
  }, [backend, id]);
  const give = (values: TypedValue[]) => {
    setError("");
    backend.giveValues(id, values).catch((thrown) => setError(sentence(thrown)));
  };
  const all = (servers ?? []).flatMap(rowsOf);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    give(all.map((row) => ({ ...row, value: typed[keyOf(row)] ?? "" })));
  };
  const enough = all.some((row) => (typed[keyOf(row)] ?? "") !== "");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && give([])}
      title={<SafeText text={words.values.title(agent)} />}
      className="form-dialog"
    >
      <form className="form-body" onSubmit={submit} autoComplete="off">
        <div className="form ask-values">
          <p>{words.values.text}</p>
          {!servers && !error && <Skeleton rows={2} />}
          {servers?.map((server, n) => (
            <Server
              key={server.id}
              server={server}
              first={n === 0}
              typed={typed}
              onType={(key, value) => setTyped((now) => ({ ...now, [key]: value }))}
            />
          ))}
        </div>
        <Failure text={error} />
        <footer className="form-foot">
          <span className="grow" />
          <Button onClick={() => give([])}>{words.values.without}</Button>
          <Button kind="primary" type="submit" disabled={!enough}>
            {words.values.start}
          </Button>
        </footer>
      </form>
    </Dialog>
  );
}

interface ServerProps {
  server: AskedServer;
  /** Its first value has the focus. */
  first: boolean;
  typed: Record<string, string>;
  onType: (key: string, value: string) => void;
}

function Server({ server, first, typed, onType }: ServerProps) {
  return rowsOf(server).map((row, n) => {
    const key = keyOf(row);
    return (
      <Fragment key={key}>
        <label htmlFor={key} className="wrap">
          <span className="medium">
            <SafeText text={server.name} />
          </span>{" "}
          <span className="mono small">
            <SafeText text={row.name} />
          </span>
        </label>
        <Field
          id={key}
          autoFocus={first && n === 0}
          type="password"
          autoComplete="new-password"
          value={typed[key] ?? ""}
          onChange={(event) => onType(key, event.target.value)}
        />
      </Fragment>
    );
  });
}

function rowsOf(server: AskedServer): TypedValue[] {
  const row = (header: boolean) => (name: string) => ({ server: server.id, header, name, value: "" });
  return [...server.headers.map(row(true)), ...server.env.map(row(false))];
}

const keyOf = (row: TypedValue) => `value/${row.server}/${row.header}/${row.name}`;
