import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { cardApi, cardLogApi } from '@campus/cards/contract'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { declareGrants, declareSubjects } from '@campus/devices/server'
import { createDepts, enrolStudents } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startTestApp, test_schools } from '../testing/index.ts'
import type { TestApp } from '../testing/index.ts'
import { dataOf, send } from './client.ts'
import { freePort } from './nginx.ts'
import { endServer, startServer } from './server-process.ts'
import type { ServerProcess } from './server-process.ts'
import { startFleet } from './terminal-process.ts'
import type { Fleet, FleetProcess } from './terminal-process.ts'

const school_id = test_schools.a
const day_ms = 86_400_000
const patience_ms = 300_000
const [cards, gates] = [2, 3]
const uidOf = (at: number) => (0x6a_00_00_00 + at).toString(16).toUpperCase()

let folder: string
let settings: Record<string, string>
let token: string
const devices: string[] = []
const terminals: Fleet['terminals'] = []
let server: ServerProcess | undefined
let fleet: FleetProcess | undefined

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'campus-card-loss-'))
  settings = { CAMPUS_DATA_DIR: folder, CAMPUS_DURABLE: '1', CAMPUS_MQTT_PORT: String(await freePort()) }
  await prepare()
  server = await startServer(settings)
  fleet = startFleet({ url: `mqtt://127.0.0.1:${settings.CAMPUS_MQTT_PORT}`, prefix: 'jdev', folder, pulse: 0, terminals })
}, patience_ms)
afterAll(async () => {
  await fleet?.kill()
  await endServer(server)
  await rm(folder, { recursive: true, force: true })
})

/** Pupils with cards, and gates that all of them may pass. */
async function prepare(): Promise<void> {
  const app = await startTestApp({ settings })
  try {
    ;({ token } = await app.as({ school_id, codes: 'all', places: 'all' }))
    const user_ids = await enrol(app)
    for (const [at, user_id] of user_ids.entries()) {
      dataOf(cardApi.issue, await app.call(cardApi.issue, { user_id, card_no: uidOf(at) }, { token }))
    }
    const campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token })).list[0]?.place_id ?? ''
    for (let at = 0; at < gates; at += 1) await addGate(app, user_ids, campus, `KILL-CARD-${at}`)
  } finally {
    await app.close()
  }
}

function enrol(app: TestApp): Promise<string[]> {
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  return app.running.database.tenant(school_id, async (db: Parameters<typeof createDepts>[0]) => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const grade = { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort }
    const room = { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort }
    const ids = await createDepts(db, school_id, [grade, room], '2026-09-01')
    const pupil = { enrol_month: '202409', dept_id: ids.get('class') ?? '', from: '2026-09-01' }
    const drafts = Array.from({ length: cards }, (_, at) => ({ user_name: `学生${at}`, student_no: `S00${at}`, ...pupil }))
    return enrolStudents(db, app.running.app.secrets, school_id, drafts)
  })
}

async function addGate(app: TestApp, user_ids: readonly string[], superior_id: string, sn: string): Promise<void> {
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id, place_name: sn, place_kind: 9 }, { token }))
  const draft = { device_sn: sn, device_name: sn, device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, draft, { token }))
  devices.push(device.device_id)
  terminals.push({ sn, secret: setup?.secret ?? '' })
  const expires_at = new Date(Math.floor(app.clock.now().getTime() / day_ms) * day_ms + 90 * day_ms)
  const windows = [{ from: new Date(0).toISOString(), to: expires_at.toISOString() }]
  const grant = { place_id: place.place_id, direction: 3 as const, windows, source: 'access', version: 1, expires_at }
  await app.running.database.tenant(school_id, async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    const subject = { person_kind: 1, dept_name: null, live: true }
    await declareSubjects(by, user_ids.map((user_id, at) => ({ user_id, user_no: `S00${at}`, user_name: `学生${at}`, ...subject })))
    await declareGrants(by, user_ids.map(user_id => ({ ...grant, user_id, source_ref: `${sn} ${user_id}` })))
  })
}

/** How many cards a device is known to hold. */
async function heldBy(id: string): Promise<number> {
  const query = { id, kind: 'credential', state: 'applied' } as const
  return dataOf(syncApi.state_rows, await send(server?.url ?? '', syncApi.state_rows, query, { token })).total
}
const cardOf = async (at: number) =>
  dataOf(cardApi.list, await send(server?.url ?? '', cardApi.list, { keyword: `S00${at}` }, { token })).list[0]?.cards[0]

test('40-A7 a server killed between a loss and its sending: after the restart every reader forgets the card, without any act of a user', async () => {
  const ops: string[] = []
  for (const id of devices) await expect.poll(() => heldBy(id), { timeout: patience_ms }).toBe(cards)
  for (let at = 0; at < cards; at += 1) {
    // Frozen terminals answer nothing: whatever the server has sent by the time it is killed is lost with its broker.
    fleet?.freeze()
    const lost = await send(server?.url ?? '', cardApi.loss, { card_ids: [(await cardOf(at))?.card_id ?? ''], lost_reason: 1 }, { token })
    expect((await cardOf(at))?.block).toMatchObject({ total: gates, done: 0 })
    await endServer(server)
    fleet?.thaw()
    ops.push(dataOf(cardApi.loss, lost).results[0]?.op_id ?? '')
    server = await startServer(settings)
    await expect.poll(async () => (await cardOf(at))?.block, { timeout: patience_ms }).toMatchObject({ total: gates, done: gates })
  }
  for (const op_id of ops) {
    const { list } = dataOf(cardLogApi.blocks, await send(server?.url ?? '', cardLogApi.blocks, { op_id }, { token }))
    expect(list.map(one => one.state)).toEqual(Array.from({ length: gates }, () => 'blocked'))
  }
}, patience_ms)
