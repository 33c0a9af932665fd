import { env } from 'node:process'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'
import { manifests } from './manifest.ts'

const server = `http://127.0.0.1:${env.CAMPUS_PORT ?? '7300'}`

/** Method and address of the calls of every manifest, without the contracts and their schemas: the phone does not load those. */
function callTable(): Record<string, Record<string, [string, string | undefined]>> {
  return Object.fromEntries(
    manifests.map(({ code, calls }) => [code, Object.fromEntries(Object.entries(calls).map(([name, { method, paths }]) => [name, [method, paths[0]]]))]),
  )
}

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: '/mini/',
  plugins: [react()],
  define: { MINI_CALLS: JSON.stringify(callTable()), ...(command === 'build' ? { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } : {}) },
  build: { outDir: 'dist', emptyOutDir: true, target: ['chrome80', 'safari14'], modulePreload: { polyfill: false } },
  server: { proxy: { '^/(web|material)/': server } },
}))
