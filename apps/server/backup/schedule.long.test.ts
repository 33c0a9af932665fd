import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { ensureUsers } from '@campus/identity/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { emptyDatabase, startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { readBackupState } from './backup-folder.ts'
import type { BackupState } from './backup-folder.ts'
import { writeBackup } from './backup.ts'
import { nextTime } from './next-time.ts'
import { restoreBackup } from './restore.ts'

const at = '02:30'
const patience_ms = 120_000

let root: string
let dir: string
let app: TestApp

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'campus-nightly-'))
  dir = join(root, 'backups')
  app = await startTestApp({ settings: { CAMPUS_DATA_DIR: join(root, 'data'), CAMPUS_BACKUP_AT: at, CAMPUS_BACKUP_DIR: dir, CAMPUS_BACKUP_KEEP: '1', CAMPUS_LOG_LEVEL: 'silent' } })
  const people = Array.from({ length: 300 }, (_, n) => ({ user_no: `N${n}`, user_name: `夜${n}`, user_kind: 1 }))
  await app.running.database.tenant<unknown, unknown>(test_schools.a, db => ensureUsers(db, test_schools.a, people))
  const { path } = await app.running.app.files.reserve(test_schools.a, 'photo', '.txt')
  await writeFile(path, 'a photo')
})
afterAll(async () => {
  await app?.close()
  await rm(root, { recursive: true, force: true })
})

/** Moves the clock past the next due moment and waits until that run has ended. */
async function oneNight(): Promise<BackupState> {
  const due = nextTime(at, app.clock.now())
  app.clock.advance(due.getTime() - app.clock.now().getTime() + 1000)
  for (const until = Date.now() + patience_ms; Date.now() < until; await pause(50)) {
    const state = await readBackupState(app.running.app.config)
    if (state && Date.parse(state.ended_at) >= due.getTime()) return state
  }
  throw new Error('no backup was made')
}

async function metric(): Promise<number> {
  const text = await (await fetch(`${app.url}/metrics`)).text()
  return Number(/^campus_backup_last_success_seconds (\S+)$/m.exec(text)?.[1])
}

function pendingNights(): Promise<number> {
  return app.running.database.tenant<unknown, number>(0, async db => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from work where kind = 'installation_backup'`.execute(db)
    return rows[0]?.n ?? 0
  })
}

test('at its time a backup is made, proved and told; the server stays ready and answers meanwhile', async () => {
  expect([await metric(), await pendingNights()]).toEqual([0, 1])
  const night = oneNight()
  const statuses = new Set<number>()
  while (await Promise.race([night.then(() => false), pause(20, true)])) statuses.add((await fetch(`${app.url}/readyz`)).status)
  const state = await night
  expect(state).toMatchObject({ is_ok: true, error: null, proof: 'restored' })
  expect([...statuses]).toEqual([200])
  expect(await metric()).toBe(Date.parse(state.last_success_at ?? '') / 1000)
  expect((await readdir(dir)).toSorted()).toEqual([state.last_success, 'last-run.json'])
  expect(await readdir(join(root, 'data'))).not.toContain('backup-copy')

  const target = await emptyDatabase()
  try {
    await restoreBackup(target.database, join(root, 'restored'), join(dir, state.last_success ?? ''))
    const { rows } = await target.database.tenant<unknown, { rows: { n: number }[] }>(test_schools.a, db => sql<{ n: number }>`select count(*)::int as n from school_user where user_no like 'N%'`.execute(db))
    expect(rows).toEqual([{ n: 300 }])
    expect(await readdir(join(root, 'restored/files', String(test_schools.a), 'photo'))).toHaveLength(1)
  } finally {
    await target.drop()
  }
}, patience_ms)

test('the oldest of its own go beyond the number to keep; what others put there stays', async () => {
  const [first = ''] = await readdir(dir)
  await writeBackup(app.running.database, join(root, 'none'), join(dir, 'campus-20200101-020000'))
  await mkdir(join(dir, 'campus-20200102-020000'))
  await mkdir(join(dir, 'campus-20200103-020000.unfinished'))
  await mkdir(join(dir, 'by-hand'))
  const state = await oneNight()
  expect(state).toMatchObject({ is_ok: true })
  expect((await readdir(dir)).toSorted()).toEqual(['by-hand', 'campus-20200101-020000', 'campus-20200102-020000', state.last_success, 'last-run.json'])
  expect(state.last_success).not.toBe(first)
  expect(await pendingNights()).toBe(1)
}, patience_ms)

test('a failure is told with its reason, leaves nothing half-made and takes nothing away', async () => {
  const before = await readBackupState(app.running.app.config)
  const socket = createServer().listen(join(root, 'data/files/s'))
  await once(socket, 'listening')
  const there = (await readdir(dir)).toSorted()
  const state = await oneNight()
  socket.close()
  expect(state).toMatchObject({ is_ok: false, last_success: before?.last_success, last_success_at: before?.last_success_at })
  expect(state.error).toContain('socket')
  expect((await readdir(dir)).toSorted()).toEqual(there)
  expect(await metric()).toBe(Date.parse(before?.last_success_at ?? '') / 1000)
  expect((await fetch(`${app.url}/readyz`)).status).toBe(200)
}, patience_ms)
