import { open } from 'node:fs/promises'
import { dataOf, sendForm, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { tokenApi } from '@campus/files/contract'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { claim, release } from './claim.ts'
import { asFiles } from './db.ts'
import { read } from './read.service.ts'
import { preOf } from './testing/pre.ts'
import { fileUnused } from './unused.ts'

const { a: school_id } = test_schools
const patience = { timeout: 20_000 }
const thing = { ref_kind: 'test.thing', ref_id: 'override' }
let app: TestApp
let person: TestUser
let blue: Buffer
let tagged: Buffer

beforeAll(async () => {
  app = await startTestApp()
  person = await app.as({ school_id, codes: ['files.file.upload'] })
  await app.running.database.tenant(school_id, db => sql`update school_config set oss_type = 3 where school_id = ${school_id}`.execute(db))
  const draw = (background: string) => sharp({ create: { width: 40, height: 30, channels: 3, background } })
  blue = await draw('#0958d9').jpeg().toBuffer()
  tagged = await draw('#ff0000').withExif({ IFD0: { Artist: 'somebody' } }).jpeg().toBuffer()
})
afterAll(() => app.close())

const inSchool = <T>(fn: (db: ReturnType<typeof asFiles>) => Promise<T>) => app.running.database.tenant(school_id, db => fn(asFiles(db)))
const place = (db: ReturnType<typeof asFiles>) => ({ app: app.running.app, db, school_id, now: app.clock.now() })
const rowOf = (file_key: string) => inSchool(db => db.selectFrom('file_object').select(['state', 'unused_since']).where('school_id', '=', school_id).where('file_key', '=', file_key).executeTakeFirst())
let serial = 0
const nameOf = () => `${school_id}70000${(serial += 1)}.jpg`

/** Puts other bytes under a name with a form that may replace. */
async function replace(file_key: string, body: Uint8Array) {
  const token = dataOf(tokenApi.minio, await app.call(tokenApi.minio, { is_override: '1' }, { token: person.token }))
  return sendForm(app, token, { name: file_key.slice(token.dir.length), body })
}

async function used(): Promise<string> {
  const file_key = await upload(app, person, { purpose: 'resource', name: nameOf(), body: blue })
  const enter = await claim(preOf(app, person), { file_key, purpose: 'resource' })
  await inSchool(db => enter(place(db), thing))
  return file_key
}

const bytesOf = async (file_key: string) => (await read(preOf(app, person), { school_id, file_key })).bytes

test('10-F7 a file in use is replaced by no upload, and one that was in use neither', async () => {
  const file_key = await used()
  const before = await bytesOf(file_key)
  expect((await replace(file_key, tagged)).status).toBe(409)
  await inSchool(db => release(place(db), thing))
  expect((await replace(file_key, tagged)).status).toBe(409)
  expect([(await rowOf(file_key))?.state, (await bytesOf(file_key)).equals(before)]).toEqual([3, true])
})

test('10-F7 what was not used yet is replaced, and goes through every check when it is', async () => {
  const file_key = await upload(app, person, { purpose: 'resource', name: nameOf(), body: blue })
  expect((await replace(file_key, Buffer.from('MZ'.padEnd(80, '\0')))).status).toBe(415)
  expect((await replace(file_key, tagged)).status).toBe(200)
  const enter = await claim(preOf(app, person), { file_key, purpose: 'resource' })
  await inSchool(db => enter(place(db), thing))
  const { exif } = await sharp(await bytesOf(file_key)).metadata()
  const { dominant } = await sharp(await bytesOf(file_key)).stats()
  expect([exif, dominant.r > 200]).toEqual([undefined, true])
})

test('10-F7 an upload that comes between the check and the use is not taken for what was checked', async () => {
  const file_key = await upload(app, person, { purpose: 'resource', name: nameOf(), body: blue })
  const enter = await claim(preOf(app, person), { file_key, purpose: 'resource' })
  expect((await replace(file_key, tagged)).status).toBe(200)
  await expect(inSchool(db => enter(place(db), thing))).rejects.toMatchObject({ failure: { status: 404 } })
  expect((await rowOf(file_key))?.state).toBe(2)
})

test('10-F7 an upload whose bytes are still on their way is in nobody’s use, and a file used meanwhile keeps its own', async () => {
  const file_key = await upload(app, person, { purpose: 'resource', name: nameOf(), body: blue })
  const { files } = app.running.app
  const { promise: reached, resolve: arrive } = Promise.withResolvers<void>()
  const { promise: opened, resolve: letGo } = Promise.withResolvers<void>()
  const { place: really } = files
  // The disk is slow for this one.
  files.place = async (...facts) => {
    files.place = really
    arrive()
    await opened
    return really(...facts)
  }
  const late = replace(file_key, tagged)
  await reached
  const claiming = claim(preOf(app, person), { file_key, purpose: 'resource' })
  await expect(claiming).rejects.toMatchObject({ failure: { status: 404 } })
  expect((await replace(file_key, blue)).status).toBe(409)
  letGo()
  expect((await late).status).toBe(200)
  expect((await rowOf(file_key))?.state).toBe(2)
})

test('a file taken into use in the moment of its sweep stays', async () => {
  const file_key = await upload(app, person, { purpose: 'resource', name: nameOf(), body: blue })
  const enter = await claim(preOf(app, person), { file_key, purpose: 'resource' })
  const left_at = (await rowOf(file_key))?.unused_since ?? new Date(0)
  const now = new Date(left_at.getTime() + 8 * 86_400_000)
  const { database } = app.running
  const sweep = () => database.tenant(school_id, db => fileUnused.run(db, { app: app.running.app, school_id, ref: `${file_key}@${left_at.getTime()}`, now }))
  const { promise: entered, resolve: hasEntered } = Promise.withResolvers<void>()
  const claiming = inSchool(async db => {
    await enter(place(db), thing)
    hasEntered()
    // The embedded engine has one session: there the sweep waits by itself.
    if (database.engine !== 'postgres') return
    const waiting = () => sql<{ n: number }>`select count(*)::int as n from pg_locks where not granted`.execute(db).then(({ rows }) => rows[0]?.n ?? 0)
    await expect.poll(waiting, patience).toBeGreaterThan(0)
  })
  await entered
  await Promise.all([claiming, sweep()])
  expect(await rowOf(file_key)).toEqual({ state: 3, unused_since: null })
})

test('an upload is on the disk, with its name, before it is acknowledged', async () => {
  const handle = await open(import.meta.filename, 'r')
  const prototype: { sync(): Promise<void> } = Object.getPrototypeOf(handle)
  await handle.close()
  const { sync: really } = prototype
  let synced = 0
  prototype.sync = async function sync() {
    await really.call(this)
    synced += 1
  }
  await upload(app, person, { purpose: 'resource', name: nameOf(), body: blue }).finally(() => (prototype.sync = really))
  // The bytes, the folder of the day, and those above it up to the store's own.
  expect(synced).toBeGreaterThanOrEqual(4)
})
