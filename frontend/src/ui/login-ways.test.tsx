import { renderToStaticMarkup } from "react-dom/server";
import { describe, expect, it } from "vitest";
import { offer } from "../backend/fake-login";
import type { LoginOffer } from "../backend/types";
import { commandsOf, LoginWays, variablesOf } from "./login-ways";

const html = (given: LoginOffer) => renderToStaticMarkup(<LoginWays offer={given} onChoose={() => {}} />);

describe("the ways to log in", () => {
  it("has a button for what the agent does itself, and only for that", () => {
    const out = html(offer);
    expect([...out.matchAll(/>Log in: ([^<]*)</g)].map((m) => m[1])).toEqual(["Account", "API key"]);
  });

  it("offers each command once, the agent's own first", () => {
    const twice = { ...offer, methods: [...offer.methods, ...offer.methods] };
    expect(commandsOf(twice).map((one) => one.command)).toEqual(["auggie login", "auggie login --console"]);
    expect(html(offer)).toContain("Console billing");
  });

  it("names each variable once", () => {
    expect(variablesOf({ ...offer, env: ["AUGMENT_API_KEY", "B"] })).toEqual(["AUGMENT_API_KEY", "B"]);
    expect(html({ command: "", env: ["ONE"], methods: [] })).toContain("set this variable before");
    expect(html({ command: "", env: ["ONE", "TWO"], methods: [] })).toContain("set one of these variables");
  });

  it("keeps a method of a kind that is not known", () => {
    expect(html(offer)).toContain("It also offers Smart card, in a way that Kandev does not know.");
  });

  it("draws hidden characters of the agent's names", () => {
    const odd = {
      ...offer,
      methods: [{ ...offer.methods[4], name: "a\u202eb" } as LoginOffer["methods"][0]],
    };
    expect(html(odd)).not.toContain("\u202e");
  });

  it("says nothing of what is not there", () => {
    expect(html({ command: "", env: [], methods: [] })).toBe('<div class="login-ways"></div>');
  });
});
