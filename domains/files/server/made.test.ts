import { createHash, randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { drawJpeg } from '@kit/server/image'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { asFiles } from './db.ts'
import { keepAllMade } from './made.ts'
import type { MadeFor } from './made.ts'
import { read } from './read.service.ts'

const { a: school_id } = test_schools
const user_id = '0'
let app: TestApp
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const desk = () => ({ app: app.running.app, own: app.running.database.tenant.bind(app.running.database), now: app.clock.now() })
const inSchool = <T>(fn: (db: ReturnType<typeof asFiles>) => Promise<T>) => app.running.database.tenant(school_id, db => fn(asFiles(db)))
const pathOf = (file_key: string) => app.running.app.files.pathOf(file_key)
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex')

/** A drawing of that colour, for a purpose. */
async function drawn(purpose: MadeFor['purpose'], colour: string, file_key = `${school_id}/${user_id}/20261124/${randomUUID()}.jpg`): Promise<MadeFor> {
  const { bytes, width, height } = await drawJpeg(`<svg xmlns="http://www.w3.org/2000/svg" width="40" height="30"><rect width="40" height="30" fill="${colour}"/></svg>`)
  return { file_key, purpose, bytes, width, height, ref: { ref_kind: 'test.made', ref_id: file_key } }
}

async function keep(made: readonly MadeFor[]): Promise<void> {
  const enter = await keepAllMade(desk(), school_id, user_id, made)
  await inSchool(db => enter({ app: app.running.app, db, school_id, now: app.clock.now() }))
}

const rowsOf = (made: readonly MadeFor[]) => inSchool(async db => {
  const keys = made.map(one => one.file_key)
  const objects = await db.selectFrom('file_object').selectAll().where('school_id', '=', school_id).where('file_key', 'in', keys).execute()
  const refs = await db.selectFrom('file_ref').selectAll().where('school_id', '=', school_id).where('file_key', 'in', keys).execute()
  return keys.map(key => ({ object: objects.find(row => row.file_key === key), refs: refs.filter(row => row.file_key === key).map(({ ref_kind, ref_id }) => ({ ref_kind, ref_id })) }))
})

test('many files are there at once: ready, in use, the private ones encrypted with the key of their school', async () => {
  const made = [await drawn('resource', '#0958d9'), await drawn('warning', '#f5222d'), await drawn('avatar', '#52c41a'), await drawn('resource', '#722ed1')]
  await keep(made)
  const rows = await rowsOf(made)
  expect(rows.map(({ object, refs }) => [object?.state, object?.kind, object?.mime, object?.width, object?.height, object?.sha256?.toString('hex'), refs])).toEqual(made.map(one => [3, '1', 'image/jpeg', 40, 30, sha256(one.bytes), [one.ref]]))
  for (const one of made) expect(sha256((await read(desk(), { school_id, file_key: one.file_key })).bytes)).toBe(sha256(one.bytes))
  const lying = made.map(one => readFileSync(pathOf(one.file_key)).equals(one.bytes))
  expect(lying).toEqual(made.map(one => one.purpose !== 'warning'))
})

test('a file made once more takes the place of the earlier one; of somebody else none does', async () => {
  const first = await drawn('resource', '#13c2c2')
  await keep([first])
  const again = await drawn('resource', '#eb2f96', first.file_key)
  await keep([again])
  expect((await rowsOf([again])).map(({ object, refs }) => [object?.sha256?.toString('hex'), refs])).toEqual([[sha256(again.bytes), [again.ref]]])
  const enter = await keepAllMade(desk(), school_id, '77', [await drawn('resource', '#000000', first.file_key)])
  await inSchool(db => enter({ app: app.running.app, db, school_id, now: app.clock.now() }))
  expect((await rowsOf([again])).map(({ object }) => [object?.uploaded_by, object?.sha256?.toString('hex')])).toEqual([[user_id, sha256(again.bytes)]])
})

test('nothing is kept when one of them is not what its name says', async () => {
  const good = await drawn('resource', '#fa8c16')
  const wrong = { ...(await drawn('resource', '#fadb14')), bytes: Buffer.from('no picture at all') }
  await expect(keepAllMade(desk(), school_id, user_id, [good, wrong])).rejects.toThrow(`${wrong.file_key} is not what its name says`)
  expect(existsSync(pathOf(good.file_key))).toBe(false)
  expect((await rowsOf([good])).map(({ object }) => object)).toEqual([undefined])
})
