// `npm run dev`: the API server, restarted on every change, and the console by Vite with its calls passed on to it.
import { spawn } from 'node:child_process'
import { familyPrefix } from '@kit/contract'
import { createServer } from 'vite'

const api_port = process.env.CAMPUS_PORT ?? '7300'
const target = `http://127.0.0.1:${api_port}`
const passed_on = [...Object.values(familyPrefix), '/api']

const api = spawn(process.execPath, ['--watch', '--import', './tools/development.ts', 'apps/server/main.ts'], { stdio: 'inherit' })
const vite = await createServer({
  root: 'apps/console',
  configFile: 'apps/console/vite.config.ts',
  server: { proxy: Object.fromEntries(passed_on.map(prefix => [`^${prefix}/`, { target, ws: true }])) },
})
await vite.listen()
vite.printUrls()

let is_stopping = false
api.once('exit', code => void stop(code ?? 0))
process.once('SIGINT', () => void stop(0))
process.once('SIGTERM', () => void stop(0))

/** One of the two ends, both end. */
async function stop(code: number): Promise<void> {
  if (is_stopping) return
  is_stopping = true
  api.kill('SIGTERM')
  await vite.close()
  process.exitCode = code
}
