import type * as t from "../../backend/types";
import { count } from "../../lib/format";
import { Icon } from "../../ui/icon";
import { SafeText } from "../../ui/safetext";
import { words } from "./words";

const encoder = new TextEncoder();

/** What the tool says of itself: plain text with its line breaks, hidden characters drawn. */
export function Description({ entry }: { entry: t.Entry }) {
  const { description } = entry;
  const none = !entry.has_description || description === "";
  const blank = !none && description.trim() === "";
  return (
    <section>
      <h3 className="cap">
        {words.description}
        {!none && <span className="count">{words.bytesOf(count(encoder.encode(description).length))}</span>}
      </h3>
      {none || blank ? (
        <p className="faint">{blank ? words.blankDescription : words.noDescription}</p>
      ) : (
        <p className="desc" dir="auto">
          <SafeText text={description} lines />
          {entry.description_cut && "…"}
        </p>
      )}
      {entry.description_cut && (
        <p className="faint small cut-mark">
          <Icon name="info" />
          {words.descriptionCut}
        </p>
      )}
    </section>
  );
}
