import { env } from 'node:process'
import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = `http://127.0.0.1:${env.CAMPUS_PORT ?? '7300'}`

export default defineConfig(({ command }) => ({
  root: import.meta.dirname,
  base: '/board/',
  plugins: [react()],
  define: command === 'build' ? { __REACT_DEVTOOLS_GLOBAL_HOOK__: 'undefined' } : {},
  // Old screens run WebViews that are years behind.
  build: { outDir: 'dist', emptyOutDir: true, target: ['chrome80'], modulePreload: { polyfill: false } },
  server: { proxy: { '^/iot/api/': server } },
}))
