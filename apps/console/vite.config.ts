import { env } from 'node:process'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = `http://127.0.0.1:${env.CAMPUS_PORT ?? '7300'}`

// The login page must not carry the app's long list of chunks in its first bytes; the app fetches its own.
const preload_most = 8

// Chunking stays automatic: manual groups doubled the login page. No polyfill, so no inline code under the strict CSP.
export default defineConfig({
  root: import.meta.dirname,
  plugins: [react()],
  build: { outDir: 'dist', emptyOutDir: true, target: 'es2022', modulePreload: { polyfill: false, resolveDependencies: (_file, found) => (found.length > preload_most ? [] : found) } },
  server: { proxy: { '^/(web|core|leave|material|api|iot|pay|admin-api)/': server, '^/(livez|readyz)$': server } },
})
