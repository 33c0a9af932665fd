import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { importApi } from '@campus/jobs/contract'
import { preferenceApi } from '@campus/school/contract'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { send } from './client.ts'
import type { Answer } from './client.ts'
import { look } from './kept-rows.ts'
import { prepareSchool, school_id } from './prepared-school.ts'
import type { Prepared } from './prepared-school.ts'
import { openServer } from './opened-server.ts'
import type { OpenedServer } from './opened-server.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'
import { mountSmallDisk } from './small-disk.ts'
import type { SmallDisk } from './small-disk.ts'

const patience_ms = 240_000
const disk_mb = 400
const full = '存储空间不足，请联系管理员'

let disk: SmallDisk
let school: Prepared
let server: ServerProcess | undefined
let opened: OpenedServer | undefined
/** page → value that the server said it kept */
const kept = new Map<string, number>()

beforeAll(async () => {
  disk = await mountSmallDisk(disk_mb)
  school = await prepareSchool({ CAMPUS_DATA_DIR: join(disk.path, 'data'), CAMPUS_DURABLE: '1' })
}, patience_ms)
afterEach(async () => {
  await opened?.close()
  opened = undefined
  disk.free()
})
afterAll(async () => {
  await disk?.remove()
})

/** Letters only, as page names are. */
function pageOf(number: number): string {
  return [...String(number)].map(digit => 'abcdefghij'.charAt(Number(digit))).join('')
}

const url = () => opened?.url ?? server?.url ?? ''

async function save(number: number): Promise<Answer> {
  const page = `filters:/${pageOf(number)}`
  const answer = await send(url(), preferenceApi.save, { pref_key: page, value: { number, text: 'x'.repeat(3000) } }, { token: school.token })
  if (answer.status === 200) kept.set(page, number)
  return answer
}

const upload = (mb: number) => send(url(), importApi.upload, { code: 'student' }, { token: school.token, file: { name: 'a.xlsx', body: new Uint8Array(mb * 1024 * 1024) } })

/** Every acknowledged row, read from the files of the stopped server. */
async function expectAllKept(): Promise<void> {
  const found = await look(school.settings, database =>
    database.tenant<unknown, { rows: { pref_key: string; number: number }[] }>(school_id, db =>
      sql<{ pref_key: string; number: number }>`select pref_key, (value ->> 'number')::int as number from user_pref where school_id = ${school_id} and pref_key like 'filters:/%'`.execute(db),
    ),
  )
  const rows = new Map(found.rows.map(row => [row.pref_key, row.number]))
  for (const [page, number] of kept) expect(rows.get(page), page).toBe(number)
}

test('below the reserve writes are refused in words, reading and logging in go on, and freed space is enough', async () => {
  opened = await openServer({ ...school.settings, CAMPUS_MIN_FREE_MB: '64' })
  for (let number = 0; number < 20; number += 1) expect((await save(number)).status).toBe(200)
  await disk.fill(60)
  await expect.poll(async () => (await save(100)).status, { timeout: 20_000 }).toBe(507)
  for (const answer of [await save(101), await upload(1)]) {
    expect([answer.status, answer.body.code, answer.body.msg]).toEqual([507, 507, full])
  }
  // Before the form is even looked at.
  expect((await fetch(`${opened.url}/material/upload/${'x'.repeat(43)}`, { method: 'POST' })).status).toBe(507)
  expect((await send(opened.url, preferenceApi.read, { pref_key: 'quick_navs' }, { token: school.token })).status).toBe(200)
  expect((await fetch(`${opened.url}/web/captcha`)).status).toBe(200)
  disk.free()
  await expect.poll(async () => (await save(102)).status, { timeout: 20_000 }).toBe(200)
  await opened.close()
  await expectAllKept()
}, patience_ms)

describe('without a reserve', () => {
  beforeAll(async () => {
    server = await startServer({ ...school.settings, CAMPUS_MIN_FREE_MB: '0' })
  }, patience_ms)
  afterAll(() => endServer(server))

  test('an upload that meets the end of the disk is refused in words and leaves nothing behind', async () => {
    await disk.fill(8)
    const answer = await upload(15)
    expect([answer.status, answer.body.msg]).toEqual([507, full])
    expect(await readdir(join(school.settings.CAMPUS_DATA_DIR ?? '', 'upload'))).toEqual([])
    disk.free()
    expect((await save(200)).status).toBe(200)
  }, patience_ms)

  test('writing to the last byte: refusals, then a restart with every acknowledged row', async () => {
    await disk.fill(0)
    const statuses: number[] = []
    for (let number = 1000; number < 8000 && statuses.filter(status => status !== 200).length < 20; number += 1) statuses.push((await save(number)).status)
    process.stdout.write(`disk full: ${statuses.filter(status => status === 200).length} writes acknowledged, then ${[...new Set(statuses.filter(status => status !== 200))].join(', ')}\n`)
    expect(statuses.filter(status => ![200, 503, 507].includes(status))).toEqual([])
    expect(statuses.filter(status => status !== 200).length).toBe(20)
    server?.signal('SIGTERM')
    await server?.ended
    disk.free()
    await expectAllKept()
    opened = await openServer(school.settings)
    expect((await save(9000)).status).toBe(200)
  }, patience_ms)
})
