import react from "@vitejs/plugin-react";
import { defineConfig } from "vite";

// The built page runs under `script-src 'self'`: no inline script, everything by relative URL.
export default defineConfig({
  plugins: [react()],
  base: "./",
  build: {
    outDir: "dist",
    emptyOutDir: true,
    // light-dark(), :has() and container queries decide: WebKit 17.5, Chromium 123.
    target: ["safari17.5", "chrome123"],
    modulePreload: { polyfill: false },
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  server: { strictPort: false },
});
