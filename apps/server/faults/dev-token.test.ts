import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { test_settings } from '../testing/database.ts'
import { runCli, runHere } from './cli-process.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'

const patience_ms = 240_000

let root: string
let settings: Record<string, string>
let server: ServerProcess | undefined

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'campus-token-'))
  settings = { ...test_settings, CAMPUS_DATA_DIR: join(root, 'data') }
  await runHere(['migrate', 'up'], settings)
  await runHere(['create-school', '2001', '第一小学'], settings)
  await runHere(['create-admin', 'superadmin', '管理员'], settings)
  server = await startServer(settings)
}, patience_ms)
afterAll(async () => {
  await endServer(server)
  await rm(root, { recursive: true, force: true })
})

test('the command for a token asks the running server, which holds the embedded database, and the token opens a session', async () => {
  const token = (await runCli(['token', 'superadmin'], settings)).trim()
  const ask = (authorization: string) => fetch(`${server?.url}/web/user_pref?pref_key=quick_navs`, { headers: { authorization } })
  expect((await ask(token)).status).toBe(200)
  expect((await ask('none')).status).toBe(401)
  await expect(runCli(['token', 'nobody01'], settings)).rejects.toThrow('nobody01')
}, patience_ms)
