import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { isDatabaseDown, openDatabase } from './index.ts'
import type { Database } from './index.ts'
import { openPglite } from './pglite-client.ts'

const writer = fileURLToPath(new URL('./fixtures/crash-writer.ts', import.meta.url))
const count = sql<{ n: number }>`select count(*)::int as n from written`

describe('the embedded engine', () => {
  let directory: string
  let origin: Database
  /** An empty database: copying one takes a third of the time of making one. */
  let empty: Uint8Array
  beforeAll(async () => {
    origin = await openDatabase({ data_dir: 'memory://' })
    empty = await origin.snapshot()
  })
  afterAll(() => origin.close())
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'campus-pglite-'))
  })
  afterEach(() => rm(directory, { recursive: true, force: true }))

  it('refuses a directory that is open, and opens it again after the close', async () => {
    const first = await openDatabase({ data_dir: directory, durable: false, snapshot: empty })
    await first.owner_exec('create table written (n int primary key); insert into written values (1)')
    await expect(openDatabase({ data_dir: directory })).rejects.toThrow(`data directory ${directory} is in use by process ${process.pid}`)
    await first.close()
    const second = await openDatabase({ data_dir: directory, durable: false })
    expect((await second.owner((db) => count.execute(db))).rows).toEqual([{ n: 1 }])
    await second.close()
  })

  it('loses no acknowledged row when its process is killed', async () => {
    const child = spawn(process.execPath, [writer, directory], { stdio: ['ignore', 'pipe', 'inherit'] })
    const acknowledged = await killAfter(child, 60)
    const database = await openDatabase({ data_dir: directory })
    const { rows } = await database.owner((db) => sql<{ n: number }>`select n from written order by n`.execute(db))
    expect(rows.slice(0, acknowledged).map((row) => row.n)).toEqual(Array.from({ length: acknowledged }, (_, n) => n))
    await database.close()
  })

  it('finds its rows in files that have grown, shrunk and begun again', async () => {
    const database = await openDatabase({ data_dir: directory, snapshot: empty })
    const found = async () => (await database.owner((db) => count.execute(db))).rows[0]?.n
    const fill = (from: number, to: number) => database.owner_exec(`insert into written select generate_series(${from}, ${to})`)
    await database.owner_exec('create table written (n int primary key)')
    for (let round = 0; round < 3; round += 1) {
      await fill(1, 20_000)
      expect(await found()).toBe(20_000)
      await database.owner_exec('delete from written where n > 500')
      // What is empty at the end of a table goes back to the disk.
      await database.owner(db => sql`vacuum written`.execute(db))
      expect(await found()).toBe(500)
      await fill(501, 3000)
      expect(await found()).toBe(3000)
      await database.owner_exec('truncate written')
      expect(await found()).toBe(0)
    }
    await fill(1, 4000)
    await database.close()
    const again = await openDatabase({ data_dir: directory })
    expect((await again.owner((db) => sql`select count(*)::int as n, count(*) filter (where n = any (array(select n from written order by n)))::int as by_index from written`.execute(db))).rows).toEqual([{ n: 4000, by_index: 4000 }])
    await again.close()
  })

  it('syncs every commit to the disk', async () => {
    const { source, syncCount } = await openPglite(directory, { snapshot: empty })
    const session = await source.acquire('owner')
    await session.exec('create table written (n int primary key)')
    const before = await syncCount()
    for (let n = 0; n < 10; n += 1) await session.query('insert into written values ($1)', [n])
    expect((await syncCount()) - before).toBeGreaterThanOrEqual(10)
    await session.release(false)
    await source.close()
  })

  it('begins again after a first start that was cut short', async () => {
    const broken = await openDatabase({ data_dir: directory, durable: false, snapshot: empty })
    await broken.close()
    await rm(join(directory, 'pg', 'base'), { recursive: true })
    await writeFile(join(directory, 'first-start-unfinished'), '')
    const database = await openDatabase({ data_dir: directory, durable: false })
    await database.ping()
    await database.close()
  })

  it('starts as a copy of a snapshot', async () => {
    await origin.owner_exec('create table written (n int primary key); insert into written values (1), (2)')
    const copy = await openDatabase({ data_dir: 'memory://', snapshot: await origin.snapshot() })
    expect((await copy.owner((db) => count.execute(db))).rows).toEqual([{ n: 2 }])
    await copy.close()
  })

  it('an owner leaves nothing behind for the next transaction', async () => {
    await expect(origin.owner_exec('begin; select 1/0')).rejects.toMatchObject({ code: '22012' })
    await origin.owner_exec(`begin; set datestyle = 'SQL'; select pg_advisory_lock(1)`)
    const { rows } = await origin.tenant(1, (db) => sql`
      select current_user as name, current_setting('datestyle') as dates, (select count(*)::int from pg_locks where locktype = 'advisory') as locks`.execute(db))
    expect(rows).toEqual([{ name: 'campus_app', dates: 'ISO, YMD', locks: 0 }])
  })

  it('says that it is down after the close', async () => {
    const database = await openDatabase({ data_dir: 'memory://', snapshot: empty })
    await Promise.all([database.close(), database.close()])
    const error = await database.ping().catch((thrown: unknown) => thrown)
    expect(isDatabaseDown(error)).toBe(true)
  })
})

/** Kills the writer the hard way once it has acknowledged `rows` rows; answers how many it acknowledged in all. */
async function killAfter(child: ChildProcess, rows: number): Promise<number> {
  if (!child.stdout) throw new Error('the writer has no output')
  const exit = once(child, 'exit')
  let acknowledged = 0
  for await (const line of createInterface({ input: child.stdout })) {
    acknowledged = Number(line) + 1
    if (acknowledged === rows) child.kill('SIGKILL')
  }
  await exit
  return acknowledged
}
