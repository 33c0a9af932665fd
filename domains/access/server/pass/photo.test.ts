import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { Vf105Terminal } from '@apps/terminal'
import { passApi, studentTurnoverApi } from '@campus/access/contract'
import { deviceApi } from '@campus/devices/contract'
import { declareCredentials } from '@campus/devices/server'
import { facesEvents } from '@campus/faces/contract'
import { drawJpeg } from '@kit/server/image'
import { publish } from '@kit/server/event'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { buildClassAndGates } from '../builders.ts'

const { a: school_id } = test_schools
const [face, card, settle_ms, day] = ['300', '200', 20_000, '2026-11-20'] as const
let app: TestApp
let me: TestUser
let terminal: Vf105Terminal
let pupils: string[] = []

const as = () => ({ token: me.token })
const tenant = <R>(work: (db: QueryExecutorProvider) => Promise<R>): Promise<R> => app.running.database.tenant<unknown, R>(school_id, work)

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo(`${day}T07:30:00+08:00`)
  const port = await app.running.listenToDevices()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  const made = await app.running.database.tenant(school_id, (db: Parameters<typeof buildClassAndGates>[0]) =>
    buildClassAndGates(db, app.running.app, school_id, { size: 2, prefix: 'ZP' }),
  )
  ;({ pupils } = made)
  const kind = { device_type: '01' as const, model_code: 'VF105', direction: 1 as const }
  const draft = { device_sn: 'PHOTOS', device_name: '南门进', place_id: made.gate, ...kind }
  const { setup, device } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, as()))
  await tenant(db =>
    sql`insert into device_adoption (school_id, device_id, step, begun_at, done_at) values (${school_id}, ${device.device_id},
      'done', ${app.clock.now()}, ${app.clock.now()})`.execute(db),
  )
  const known = { cred_kind: 'card', usable: true, source: 'cards', version: 1 } as const
  const cards = pupils.map(user_id => ({ ...known, user_id, code: `CARD${user_id}`, source_ref: `card ${user_id}` }))
  await tenant(db => declareCredentials({ app: app.running.app, db, school_id, now: app.clock.now() }, cards))
  terminal = new Vf105Terminal({ url: `mqtt://127.0.0.1:${port}`, sn: 'PHOTOS', secret: setup?.secret ?? '' })
  terminal.device.faults.clock_offset_ms = app.clock.now().getTime() - Date.now()
  await terminal.start()
})
afterAll(async () => {
  await terminal?.stop()
  await app.close()
})

/** Somebody has passed, and the terminal sends what its camera saw (chapter 31 §5.4: a face carries its picture). */
function pass(userId: string, type: typeof face | typeof card, code: string): void {
  const timeStamp = Math.floor(app.clock.now().getTime() / 1000)
  terminal.store.record({ userId, name: '', type, code, keyId: '', permissionId: '', result: 0, error: 'ALLOW', timeStamp, extra: {} })
  terminal.device.present(card, 'NOBODY')
}

const passes = async () => dataOf(studentTurnoverApi.page, await app.call(studentTurnoverApi.page, { from: day, to: day }, as())).list
const days = async () => dataOf(studentTurnoverApi.day, await app.call(studentTurnoverApi.day, { from: day, to: day }, as())).list
const look = async (user_id: string) => {
  const own = (await passes()).find(row => row.user_id === user_id)
  if (!own) return null
  const { event_date, device_id, device_seq } = own
  return dataOf(passApi.photo, await app.call(passApi.photo, { event_date, device_id, device_seq }, as())).captured_url
}
const statusOf = async (url: string | null) => (await fetch(`${app.url}${url ?? ''}`)).status

test('35-A34 pictures of faces at doors are seen by signed addresses, go with the consent, and the passes and days stay', async () => {
  const [first = '', second = ''] = pupils
  const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="200" height="260"><rect width="200" height="260" fill="#486"/></svg>'
  const picture = await drawJpeg(svg)
  pass(first, face, picture.bytes.toString('base64'))
  pass(second, face, picture.bytes.toString('base64'))
  await expect.poll(async () => (await passes()).filter(row => row.result === 1).length, { timeout: settle_ms }).toBe(2)
  const [mine, other] = [await look(first), await look(second)]
  expect([await statusOf(mine), await statusOf(other)]).toEqual([200, 200])
  const before = [await passes(), await days()]
  const { app: running } = app.running
  await tenant(db => publish({ app: running, db, school_id, now: app.clock.now() }, facesEvents.consentWithdrawn, { user_id: first }))
  await expect.poll(() => look(first), { timeout: settle_ms }).toBeNull()
  expect([await statusOf(mine), await statusOf(other)]).toEqual([404, 200])
  expect([await passes(), await days()]).toEqual(before)
  // What is left goes by its time (R31: ninety days).
  app.clock.setTo('2027-02-19T01:00:00+08:00')
  const left = sql<{ n: number }>`select count(*)::int as n from access_pass_photo where school_id = ${school_id} and deleted_at is null`
  await expect.poll(() => tenant(async db => (await left.execute(db)).rows[0]?.n), { timeout: settle_ms }).toBe(0)
})
