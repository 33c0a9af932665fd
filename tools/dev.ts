// `npm run dev`: the API server, restarted on every change, and the console by Vite, which passes its calls on (its own config says where).
import { spawn } from 'node:child_process'
import { createServer } from 'vite'

const api = spawn(process.execPath, ['--watch', '--import', './tools/development.ts', 'apps/server/main.ts'], { stdio: 'inherit' })
const vite = await createServer({ configFile: 'apps/console/vite.config.ts' })
await vite.listen()
vite.printUrls()

let is_stopping = false
api.once('exit', code => void stop(code ?? 0))
process.on('SIGINT', () => void stop(0))
process.on('SIGTERM', () => void stop(0))

/** One of the two ends, both end. */
async function stop(code: number): Promise<void> {
  if (is_stopping) return
  is_stopping = true
  api.kill('SIGTERM')
  await vite.close()
  process.exitCode = code
}
