import { dirname, join, relative } from 'node:path'
import { defineConfig } from 'vite'
import type { Plugin } from 'vite'

/** Programs and threads of the server, by the name of their file. Why there is a bundle: docs/decisions/0034-the-server-starts-from-a-bundle.md. */
const entries = {
  main: 'main.ts',
  cli: 'cli.ts',
  'run-backup': 'backup/run-backup.ts',
  'pglite-worker': '../../kit/server/db/pglite-worker.ts',
  'sheet-worker': '../../kit/server/excel/sheet-worker.ts',
  'face-worker': '../../domains/faces/server/detector/face-worker.ts',
  'solve-worker': '../../domains/teaching/server/solve/solve-worker.ts',
}
/** Packages with parts of their own beside them: native code, WebAssembly, threads, pages. */
const left_outside = ['@electric-sql/pglite', '@electric-sql/pglite-prepopulatedfs', '@node-rs/argon2', 'sharp', 'pino', 'swagger-ui-dist', 'libpg-query', '@vladmandic/human', '@tensorflow/tfjs-backend-wasm']
const dist = join(import.meta.dirname, 'dist')
const started = /new URL\('\.\/([\w-]+)\.ts', import\.meta\.url\)/g

/** What a source finds beside itself (migrations, data, pages) is found from the bundle too, where it lies; what it starts is an entry of the bundle. */
function keepPlaces(): Plugin {
  return {
    name: 'server:keep-places',
    enforce: 'pre',
    transform(code, id) {
      if (!id.endsWith('.ts') || id.includes('node_modules') || !code.includes('import.meta.')) return null
      const placed = code.replaceAll('import.meta.dirname', `(import.meta.dirname + ${JSON.stringify(`/${relative(dist, dirname(id)).replaceAll('\\', '/')}`)})`).replaceAll(started, (_all, name: string) => {
        if (!Object.hasOwn(entries, name)) this.error(`${id} starts ${name}.ts, which is no entry of apps/server/vite.config.ts`)
        return `new URL('./${name}.js', import.meta.url)`
      })
      if (/import\.meta\.(?!dirname|url\))/.test(placed)) this.error(`${id} asks import.meta for something that is not there in the bundle`)
      return { code: placed, map: null }
    },
  }
}

/** Readable as it is: an error names a function, and the bundle says from which file each part comes. */
export default defineConfig({
  root: import.meta.dirname,
  plugins: [keepPlaces()],
  ssr: { noExternal: true, external: left_outside },
  build: {
    ssr: true,
    outDir: dist,
    minify: false,
    target: 'node24',
    rolldownOptions: {
      input: Object.fromEntries(Object.entries(entries).map(([name, file]) => [name, join(import.meta.dirname, file)])),
      output: { entryFileNames: '[name].js', chunkFileNames: 'part-[hash].js' },
    },
  },
})
