import { join } from 'node:path'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const pages = ['index.html', 'face.html']

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  // Every page of the console is served by the device at its own root.
  base: '/',
  plugins: [react()],
  define: command === 'build' ? { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } : {},
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false }, rolldownOptions: { input: pages.map(page => join(import.meta.dirname, page)) } },
  server: { proxy: { '/api/': 'http://127.0.0.1:8080' } },
}))
