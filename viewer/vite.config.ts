// How the page is built: relative paths, since the program serves it from wherever it stands; no
// inlined scripts or preloads, since the page's content security policy refuses them; no source
// maps, since every file of the result is embedded into the program.
import { defineConfig } from "vite";

export default defineConfig({
  base: "./",
  build: {
    target: "es2021",
    modulePreload: false,
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
  },
  test: { include: ["test/**/*.test.ts"], environment: "node" },
} as Parameters<typeof defineConfig>[0]);
