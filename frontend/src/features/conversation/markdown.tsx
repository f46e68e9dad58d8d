import { type MarkedToken, marked, type Token, type Tokens } from "marked";
import { Fragment, memo, type ReactNode, useMemo, useState } from "react";
import { bytes } from "../../lib/format";
import { CopyButton } from "../../ui/copy-button";
import { Link } from "../../ui/link";
import { SafeText } from "../../ui/safetext";
import { words } from "../../words";
import { entities, webLink } from "./markdown-text";
import "./markdown.css";

// An agent's text. Only what the lexer understood becomes an element; HTML stays the text that it
// is, pictures are not loaded, and links go through the app's opener.

/** More than this is shown only when asked for: a huge answer must not stop the window. */
const firstPart = 60_000;

/** Markdown as React elements. While a text grows only its last block is drawn again. */
export function Markdown({ text }: { text: string }) {
  const [all, setAll] = useState(false);
  const cut = !all && text.length > firstPart + 2000;
  const shown = cut ? text.slice(0, firstPart) : text;
  const blocks = useMemo(() => marked.lexer(shown), [shown]);
  return (
    <div className="prose" dir="auto">
      {blocks.map((block, n) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: blocks are only ever added at the end.
        <Block key={n} raw={block.raw} token={block} />
      ))}
      {cut && (
        <button type="button" className="link" onClick={() => setAll(true)}>
          {words.talk.rest(bytes(text.length - firstPart))}
        </button>
      )}
    </div>
  );
}

// A block is the same while its source is: the lexer makes new objects each time.
const Block = memo(
  function Block({ token }: { raw: string; token: Token }) {
    return block(token as MarkedToken);
  },
  (before, after) => before.raw === after.raw && before.token.type === after.token.type,
);

function blocks(tokens: Token[]): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their place.
  return tokens.map((token, n) => <Fragment key={n}>{block(token as MarkedToken)}</Fragment>);
}

function block(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "space":
    case "def":
      return null;
    case "heading":
      return token.depth <= 2 ? <h2>{inline(token.tokens)}</h2> : <h3>{inline(token.tokens)}</h3>;
    case "paragraph":
      return <p>{inline(token.tokens)}</p>;
    case "blockquote":
      return <blockquote>{blocks(token.tokens)}</blockquote>;
    case "list":
      return list(token);
    case "code":
      return <Code text={token.text} lang={token.lang ?? ""} />;
    case "hr":
      return <hr className="rule" />;
    case "table":
      return table(token);
    case "html":
      return <p className="literal">{<SafeText text={token.text.trimEnd()} lines />}</p>;
    case "text":
      return token.tokens ? inline(token.tokens) : <SafeText text={entities(token.text)} lines />;
    default:
      return inline([token]);
  }
}

function list(token: Tokens.List): ReactNode {
  const items = token.items.map((item, n) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: items have no identity but their place.
    <li key={n} className={item.task ? "task-item" : undefined}>
      {item.task && (
        <input type="checkbox" className="box" checked={item.checked ?? false} disabled readOnly />
      )}
      {blocks(item.tokens)}
    </li>
  ));
  return token.ordered ? <ol start={Number(token.start) || 1}>{items}</ol> : <ul>{items}</ul>;
}

function table(token: Tokens.Table): ReactNode {
  const cells = (row: Tokens.TableCell[], Cell: "td" | "th") =>
    row.map((cell, n) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: cells have no identity but their place.
      <Cell key={n} style={{ textAlign: token.align[n] ?? undefined }}>
        {inline(cell.tokens)}
      </Cell>
    ));
  return (
    <div className="table-wrap">
      <table className="table">
        <thead>
          <tr>{cells(token.header, "th")}</tr>
        </thead>
        <tbody>
          {token.rows.map((row, n) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rows have no identity but their place.
            <tr key={n}>{cells(row, "td")}</tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

function inline(tokens: Token[] | undefined): ReactNode {
  // biome-ignore lint/suspicious/noArrayIndexKey: tokens have no identity but their place.
  return tokens?.map((token, n) => <Fragment key={n}>{span(token as MarkedToken)}</Fragment>);
}

function span(token: MarkedToken): ReactNode {
  switch (token.type) {
    case "strong":
      return <strong>{inline(token.tokens)}</strong>;
    case "em":
      return <em>{inline(token.tokens)}</em>;
    case "del":
      return <del>{inline(token.tokens)}</del>;
    case "codespan":
      return (
        <code className="ic">
          <SafeText text={token.text} />
        </code>
      );
    case "br":
      return <br />;
    case "link": {
      const url = webLink(token.href);
      return url ? <Link url={url}>{inline(token.tokens)}</Link> : <SafeText text={token.raw} lines />;
    }
    case "image": {
      const url = webLink(token.href);
      return url ? (
        <Link url={url}>{<SafeText text={token.text || url} />}</Link>
      ) : (
        <SafeText text={token.raw} lines />
      );
    }
    case "escape":
      return token.text;
    case "text":
      return token.tokens ? inline(token.tokens) : <SafeText text={entities(token.text)} lines />;
    default:
      return <SafeText text={token.raw} lines />;
  }
}

function Code({ text, lang }: { text: string; lang: string }) {
  return (
    <div className="code">
      <div className="code-head">
        <span className="cut">
          <SafeText text={lang.split(/\s/)[0] ?? ""} />
        </span>
        <span className="grow" />
        <CopyButton label={words.copyCode} text={text} />
      </div>
      <pre dir="ltr">
        <SafeText text={text} lines />
      </pre>
    </div>
  );
}
