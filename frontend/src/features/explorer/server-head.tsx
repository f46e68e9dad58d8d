import type * as t from "../../backend/types";
import { Icon } from "../../ui/icon";
import { Menu, MenuHead, MenuItem, MenuRule } from "../../ui/menu";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { serverStatus } from "../../ui/status";
import { CopyMenu } from "./copy-menu";
import { EarlierAttempt } from "./earlier-attempt";
import { statusWord } from "./status-word";
import type { Model } from "./use-model";
import { words } from "./words";

export interface ServerHeadProps {
  session: string;
  model: Model;
  server: t.event.Server;
  onChoose: (name: string) => void;
}

/** The server on screen: shape, name, word, and how it is reached. Its name opens the list of servers. */
export function ServerHead({ session, model, server, onChoose }: ServerHeadProps) {
  const live = model.summary?.live ?? false;
  const { shape, tone } = serverStatus(server.status, live);
  const title = (
    <button type="button" className="srv-title" aria-label={words.server(server.name)}>
      <StatusShape shape={shape} tone={tone} />
      <h2 className="mono">
        <SafeText text={server.name} />
      </h2>
      <Icon name="updown" />
    </button>
  );
  return (
    <header className="srv-head">
      <Menu trigger={title} className="srv-menu">
        {(model.summary?.servers ?? []).map((one) => (
          <MenuItem key={one.name} current={one.name === server.name} onSelect={() => onChoose(one.name)}>
            <span className="mono">
              <SafeText text={one.name} />
            </span>{" "}
            <span className="faint small">{statusWord(one, live)}</span>
          </MenuItem>
        ))}
        {model.earlier.length > 0 && <MenuRule />}
        {model.earlier.length > 0 && <MenuHead>{words.earlier}</MenuHead>}
        {model.earlier.map((attempt) => (
          <MenuHead key={attempt.id}>
            <EarlierAttempt attempt={attempt} />
          </MenuHead>
        ))}
      </Menu>
      <span className="srv-word">{statusWord(server, live)}</span>
      <span className="faint cut srv-sub">
        <SafeText text={reached(server)} />
      </span>
      <CopyMenu session={session} model={model} server={server} />
    </header>
  );
}

/** "Built-in, HTTP on 127.0.0.1, MCP 2025-06-18" */
function reached(server: t.event.Server): string {
  const { sub } = words;
  const own = server.source === "builtin";
  const parts: string[] = [own ? sub.builtin : sub.yours];
  const transport = sub.transport[server.transport ?? ""] ?? server.transport ?? "";
  const host = own ? (server.target ?? "").replace(/^\w+:\/\//, "").replace(/:\d+$/, "") : "";
  if (transport) parts.push(host ? sub.on(transport, host) : transport);
  if (server.protocol) parts.push(sub.protocol(server.protocol));
  return parts.join(", ");
}
