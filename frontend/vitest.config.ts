import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    environment: "node",
    include: ["src/**/*.test.{ts,tsx}"],
    restoreMocks: true,
    css: { include: [/tokens\.css/] }, // read by its test; others are empty
  },
});
