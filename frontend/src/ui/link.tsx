import { createContext, type KeyboardEvent, type ReactNode, use } from "react";
import { matches } from "../lib/keys";

/** Opens a link outside the window. Given once around the app. */
export const OpenLink = createContext<(url: string) => void>(() => {});

/**
 * A link to the web. It has no address of its own, so that no click of any kind can make the
 * window leave the app: the app opens it in the person's browser.
 */
export function Link({ url, children }: { url: string; children: ReactNode }) {
  const open = use(OpenLink);
  const key = (event: KeyboardEvent) => {
    if (!matches(event, "Enter")) return;
    event.preventDefault();
    open(url);
  };
  return (
    // biome-ignore lint/a11y/useSemanticElements: an <a> without an address is no link, with one it can navigate.
    <span role="link" tabIndex={0} className="weblink" title={url} onClick={() => open(url)} onKeyDown={key}>
      {children}
    </span>
  );
}
