import { join } from 'node:path'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

/** The page stands in a sandbox without an origin, where neither modules nor anything fetched with credentials of an origin would load. */
function plainTags(): Plugin {
  return {
    name: 'help:plain-tags',
    transformIndexHtml: { order: 'post', handler: html => html.replace(/<script type="module" crossorigin/, '<script defer').replaceAll(' crossorigin', '') },
  }
}

// A build of its own: the pages of the help share nothing with the console, whose chunks stay as they are.
export default defineConfig({
  root: join(import.meta.dirname, 'app/help/page'),
  base: '/help/',
  plugins: [plainTags()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false } },
})
