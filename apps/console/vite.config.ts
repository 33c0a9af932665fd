import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

const server = `http://127.0.0.1:${env.CAMPUS_PORT ?? '7300'}`

// The login page must not carry the app's long list of chunks in its first bytes; the app fetches its own.
const preload_most = 8
const entry = /^assets\/index-/
const loaded_with_it = /^assets\/(index|react|rolldown-runtime)-/

// Packages that forget to say that importing them does nothing by itself, and heavy parts of the kit that few pages use: without this
// they are in what every page loads.
const pureModules = [
  { test: /node_modules[\\/]@rc-component[\\/].*\.js$/, sideEffects: false },
  { test: /kit[\\/]web[\\/]parts[\\/](?:date-|job-progress)/, sideEffects: false },
  { test: /kit[\\/]web[\\/]upload[\\/].*\.tsx?$/, sideEffects: false },
]

// Vite's own helper is four times as long and stands in the first bytes of the login page. A Vite that names it otherwise stops the build.
function shortPreload(): Plugin {
  let taken = false
  return {
    name: 'console:short-preload',
    apply: 'build',
    enforce: 'pre',
    resolveId: id => {
      if (id !== '\0vite/preload-helper.js') return null
      taken = true
      return fileURLToPath(new URL('./preload.ts', import.meta.url))
    },
    generateBundle() {
      if (!taken) this.error('Vite no longer asks for its preload helper by the known name')
    },
  }
}

function preloads(_file: string, found: string[], { hostId }: { hostId: string }): string[] {
  const wanted = entry.test(hostId) ? found : found.filter(file => !loaded_with_it.test(file))
  return wanted.length > preload_most ? [] : wanted
}

// Chunking stays automatic but for React: manual groups doubled the login page. No polyfill, so no inline code under the strict CSP.
export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  plugins: [shortPreload(), react()],
  // The browser extension for developers finds the development server; in the build its hook is 0.4 KiB of the login page.
  define: command === 'build' ? { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } : {},
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2022',
    modulePreload: { polyfill: false, resolveDependencies: preloads },
    rolldownOptions: {
      output: { codeSplitting: { groups: [{ name: 'react', test: /node_modules[\\/](?:react|react-dom|scheduler)[\\/]/ }] } },
      treeshake: { moduleSideEffects: pureModules },
    },
  },
  server: { proxy: { '^/(web|core|leave|material|api|iot|pay|admin-api)/': server, '^/(livez|readyz)$': server } },
}))
