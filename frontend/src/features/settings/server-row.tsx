import type { OwnServer } from "../../backend/types";
import { count, plural } from "../../lib/format";
import { AskOnce, useAsking } from "../../ui/ask-once";
import { IconButton } from "../../ui/button";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { Switch } from "../../ui/switch";
import { pageWords } from "./words";

export interface ServerRowProps {
  server: OwnServer;
  onEdit: () => void;
  onRemove: () => void;
  onSwitch: () => void;
}

/** One of the person's servers: where it is, how many values are kept, and what can be done. */
export function ServerRow({ server, onEdit, onRemove, onSwitch }: ServerRowProps) {
  const { asking, kept: focus, ask, keep } = useAsking();
  const kept = server.env.length + server.headers.length - server.unstored.length;
  const transport = pageWords.servers.transports[server.transport as "http" | "sse" | "stdio"];
  const target = server.transport === "stdio" ? [server.command, ...server.args].join(" ") : server.url;
  if (asking)
    return (
      <li className="set-server">
        <AskOnce
          text={pageWords.servers.removeAsk(server.name)}
          label={pageWords.servers.removeButton}
          onYes={onRemove}
          onKeep={keep}
        />
      </li>
    );
  return (
    <li className="set-server">
      <Icon name={server.transport === "stdio" ? "term" : "globe"} />
      <div className="grow">
        <p className="cut">
          <span className="medium">
            <SafeText text={server.name} />
          </span>{" "}
          <span className="faint small">
            {transport ?? server.transport}
            {kept > 0 &&
              `, ${kept === 1 ? pageWords.servers.valueOne : pageWords.servers.values(count(kept))}`}
            {server.unstored.length > 0 &&
              `, ${pageWords.servers.asks(plural(server.unstored.length, "value"))}`}
            {server.off && `, ${pageWords.servers.off}`}
          </span>
        </p>
        <p className="cut mono small soft">
          <SafeText text={target} />
        </p>
      </div>
      <Switch on={!server.off} label={pageWords.servers.on(server.name)} onSwitch={onSwitch} />
      <IconButton icon="pencil" label={pageWords.servers.edit(server.name)} onClick={onEdit} />
      <IconButton icon="x" label={pageWords.servers.remove(server.name)} autoFocus={focus} onClick={ask} />
    </li>
  );
}
