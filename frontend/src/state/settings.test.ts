import { expect, test, vi } from "vitest";
import type { Backend } from "../backend/backend";
import { saveSettings } from "./actions";
import { newStore } from "./store";

function saving(saveSettings: Backend["saveSettings"]) {
  return { saveSettings } as unknown as Backend;
}

test("a setting is shown at once", async () => {
  const store = newStore();
  const saved = vi.fn(async () => {});
  const done = saveSettings(store, saving(saved), { theme: "dark" });
  expect(store.getState().settings.theme).toBe("dark");
  await done;
  expect(saved).toHaveBeenCalledExactlyOnceWith(store.getState().settings);
});

test("one that could not be saved is shown as it was, and why is thrown", async () => {
  const store = newStore();
  const before = store.getState().settings;
  const refused = saving(() => Promise.reject(new Error("The disk is full.")));
  await expect(saveSettings(store, refused, { theme: "dark" })).rejects.toThrow("The disk is full.");
  expect(store.getState().settings).toEqual(before);
});

test("what was told meanwhile stays when one could not be saved", async () => {
  const store = newStore();
  const told = { ...store.getState().settings, theme: "light" };
  const refused = saving(async () => {
    store.setState({ settings: told });
    throw new Error("The disk is full.");
  });
  await expect(saveSettings(store, refused, { theme: "dark" })).rejects.toThrow();
  expect(store.getState().settings).toEqual(told);
});
