import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { engines, runAsAdmin } from './engines-under-test.ts'
import type { Subject } from './engines-under-test.ts'
import { isDatabaseDown, openDatabase } from './index.ts'

const server = engines.find(({ engine }) => engine === 'postgres')

describe.skipIf(!server)('a PostgreSQL server', () => {
  let subject: Subject
  let urls: { url: string; admin_url: string }
  beforeAll(async () => {
    if (!server) throw new Error('no server to test')
    subject = await server.open()
    if (!subject.urls) throw new Error('the server has no address')
    urls = subject.urls
  })
  afterAll(() => subject.dispose())

  const terminateAll = (): Promise<void> => runAsAdmin(urls.admin_url, [
    'select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()'])

  it('a session that dies in a transaction reports the database as down, and the next one works', async () => {
    const cut = subject.database.tenant(1, async (db) => {
      await sql`select 1`.execute(db)
      await terminateAll()
      return sql`select 2`.execute(db)
    })
    const error = await cut.catch((thrown: unknown) => thrown)
    expect(error).toMatchObject({ code: expect.stringMatching(/^(57P01|08006|ECONNRESET|EPIPE)$/) })
    expect(isDatabaseDown(error)).toBe(true)
    await subject.database.ping()
  })

  it('idle sessions that die harm nobody', async () => {
    await Promise.all(Array.from({ length: 5 }, () => subject.database.ping()))
    await terminateAll()
    await expect.poll(() => subject.database.ping().then(() => 'up', () => 'down'), { timeout: 10_000 }).toBe('up')
  })

  it('a server that nobody answers for is down', async () => {
    const error = await openDatabase({ url: 'postgres://campus_app:x@127.0.0.1:1/campus' }).catch((thrown: unknown) => thrown)
    expect(isDatabaseDown(error)).toBe(true)
  })

  it('a superuser is refused as app role', async () => {
    await expect(openDatabase({ url: urls.admin_url })).rejects.toThrow('is a superuser or bypasses row-level security')
  })

  it('a long statement is cancelled', async () => {
    const slow = subject.database.tenant(1, async (db) => {
      await sql`set local statement_timeout = 50`.execute(db)
      await sql`select pg_sleep(5)`.execute(db)
    })
    await expect(slow).rejects.toMatchObject({ code: '57014' })
  })

  it('owner work without an owner URL says what is missing', async () => {
    const database = await openDatabase({ url: urls.url })
    await expect(database.owner_exec('select 1')).rejects.toThrow('DATABASE_OWNER_URL is needed')
    await database.close()
  })

  it('the owner is refused as app role once it owns tables', async () => {
    await subject.database.owner_exec('create table owned (id int primary key)')
    const { rows } = await subject.database.owner((db) => sql<{ name: string }>`select current_user as name`.execute(db))
    await runAsAdmin(urls.admin_url, [`alter role ${rows[0]?.name} password 'known'`])
    const url = new URL(urls.url)
    url.username = rows[0]?.name ?? ''
    url.password = 'known'
    await expect(openDatabase({ url: url.href })).rejects.toThrow('owns tables')
  })

  it('sessions carry the name of the product', async () => {
    const { rows } = await subject.database.tenant(1, (db) => sql`select current_setting('application_name') as name`.execute(db))
    expect(rows).toEqual([{ name: 'smart-campus' }])
  })
})
