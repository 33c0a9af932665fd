import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { loadConfig } from '@kit/server/config'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readManifest } from '../backup/archive.ts'
import { readBackupState } from '../backup/backup-folder.ts'
import { test_settings } from './client.ts'
import { look } from './kept-rows.ts'
import { openServer } from './opened-server.ts'
import type { OpenedServer } from './opened-server.ts'
import { makePostgres } from './postgres-cluster.ts'
import type { FaultyPostgres } from './postgres-cluster.ts'

const patience_ms = 240_000
const nodes = ['one', 'two']

let root: string
let postgres: FaultyPostgres
let servers: OpenedServer[] = []

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'campus-nodes-'))
  postgres = await makePostgres()
}, patience_ms)

afterAll(async () => {
  await stopAll()
  await postgres?.remove()
  await rm(root, { recursive: true, force: true })
})

function settingsOf(node: string): Record<string, string> {
  return { ...postgres.settings, CAMPUS_DATA_DIR: join(root, node), CAMPUS_BACKUP_DIR: join(root, `${node}-backups`), CAMPUS_BACKUP_AT: '02:30' }
}

async function stopAll(): Promise<void> {
  await Promise.all(servers.splice(0).map(server => server.close()))
}

/** Backups of both servers. */
async function made(): Promise<string[]> {
  const lists = await Promise.all(nodes.map(node => readdir(join(root, `${node}-backups`)).catch(() => [])))
  return lists.flatMap((names, at) => names.map(name => join(root, `${nodes[at]}-backups`, name))).filter(path => /campus-\d+-\d+$/.test(path))
}

test('two servers that were both down in the night make one backup between them at their next start', async () => {
  servers = [await openServer(settingsOf('one'))]
  await stopAll()
  const missed = await look(settingsOf('one'), async database => {
    await database.owner_exec(`update work set due_at = now() - interval '5 hours' where kind = 'installation_backup'`)
    return made()
  })
  expect(missed).toEqual([])

  servers = await Promise.all(nodes.map(node => openServer(settingsOf(node))))
  const states = () => Promise.all(nodes.map(node => readBackupState(loadConfig({ ...test_settings, ...settingsOf(node) }))))
  for (const until = Date.now() + patience_ms; (await states()).every(state => state === null); await new Promise(resolve => setTimeout(resolve, 100))) {
    if (Date.now() > until) throw new Error('no backup was made')
  }
  await stopAll()
  expect((await states()).filter(state => state !== null)).toMatchObject([{ is_ok: true, error: null }])
  const [folder = '', ...more] = await made()
  expect(more).toEqual([])
  // Whoever made it has proved it: only then it has its own name.
  expect((await readManifest(folder)).origin).toBe('schedule')
}, patience_ms)
