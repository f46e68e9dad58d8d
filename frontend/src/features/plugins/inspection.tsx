import type * as t from "../../backend/types";
import { bytes } from "../../lib/format";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { StatusShape } from "../../ui/shape";
import { GrantList } from "./grant-list";
import { PluginTools } from "./plugin-tools";
import { fieldName } from "./state-of";
import { words } from "./words";

/** Everything that is known of a file before it is installed. */
export function Inspection({ inspection }: { inspection: t.PluginInspection }) {
  const { plugin, update, problems } = inspection;
  const w = words.installing;
  const kept = plugin.bare ? update?.granted : undefined; // a module asks for nothing itself
  const by = [plugin.version, plugin.author && words.by(plugin.author), plugin.license].filter(Boolean);
  return (
    <>
      {problems.length > 0 && <Problems problems={problems} />}
      <section>
        <h3 className="cap wrap">
          <SafeText text={plugin.name} />
          <span className="count">
            <SafeText text={by.join(", ")} />
          </span>
        </h3>
        {plugin.description && (
          <p className="soft wrap">
            <SafeText text={plugin.description} lines />
          </p>
        )}
        <p className="row pl-ran">
          <Icon name="info" />
          <span>{inspection.ran_code ? w.ran : w.notRun}</span>
        </p>
        <dl className="dl small">
          <dt>{words.about.id}</dt>
          <dd className="mono">
            <SafeText text={plugin.id} />
          </dd>
          <dt>{w.sha}</dt>
          <dd className="mono">{plugin.sha256}</dd>
          <dt>{w.size}</dt>
          <dd>{bytes(inspection.bytes)}</dd>
        </dl>
      </section>
      {update && <Update update={update} version={plugin.version} bare={plugin.bare} />}
      {plugin.tools.length > 0 && (
        <PluginTools
          tools={plugin.tools}
          total={plugin.tokens_total}
          note={inspection.ran_code ? words.tools.fromRun : words.tools.fromManifest}
        />
      )}
      {plugin.tools.length > 0 && (
        <section>
          <h3 className="cap">{kept ? w.keeps : w.asks}</h3>
          <GrantList requested={kept ?? plugin.requested} asks={kept ? undefined : update?.asks} hosts />
          {plugin.bare && !kept && <p className="faint small">{w.asksBare}</p>}
        </section>
      )}
      {plugin.config.length > 0 && (
        <section>
          <h3 className="cap">{w.settings}</h3>
          <ul className="pl-grants">
            {plugin.config.map((field) => (
              <li key={field.key} className="row">
                <span className="wrap">
                  <SafeText text={fieldName(field)} />
                </span>
                <span className="faint small">{settingNotes(field)}</span>
              </li>
            ))}
          </ul>
        </section>
      )}
      {plugin.warnings.length > 0 && (
        <section>
          <h3 className="cap">{words.warnings}</h3>
          {plugin.warnings.map((line) => (
            <p key={line} className="soft small wrap">
              <SafeText text={line} />
            </p>
          ))}
        </section>
      )}
    </>
  );
}

function settingNotes(field: t.PluginField): string {
  const w = words.config;
  return [field.secret && w.secret.toLowerCase(), field.required && w.required].filter(Boolean).join(", ");
}

function Problems({ problems }: { problems: string[] }) {
  return (
    <section role="alert" className="pl-problems">
      <h3 className="cap st-bad">
        <StatusShape shape="failed" tone="bad" />
        {words.installing.problems}
      </h3>
      <ul>
        {problems.map((line) => (
          <li key={line} className="wrap">
            <SafeText text={line} />
          </li>
        ))}
      </ul>
    </section>
  );
}

// What an update changes for the person who has the version before.
function Update({ update, version, bare }: { update: t.PluginUpdate; version: string; bare: boolean }) {
  const w = words.installing;
  const replaces = bare && !update.same; // a module has no version that could tell
  const lines = [
    update.added.length > 0 && w.added(update.added.join(", ")),
    update.removed.length > 0 && w.gone(update.removed.join(", ")),
    update.changed.length > 0 && w.changed(update.changed.join(", ")),
  ].filter((line): line is string => line !== false);
  return (
    <section>
      <h3 className="cap">
        <SafeText text={replaces ? w.replaces : w.from(update.version, version)} />
      </h3>
      {replaces && <p className="soft">{w.replacesNote}</p>}
      {update.same && <p className="soft">{w.same}</p>}
      {lines.map((line) => (
        <p key={line} className="soft wrap">
          <SafeText text={line} />
        </p>
      ))}
    </section>
  );
}
