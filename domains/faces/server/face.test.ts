import { randomUUID } from 'node:crypto'
import { JdevTerminal } from '@apps/terminal'
import { dataOf, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { declareGrants, declareSubjects } from '@campus/devices/server'
import { faceApi, faceBatchApi, faceConsentApi, facePolicyApi } from '@campus/faces/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { portrait } from './testing/portraits.ts'

const day_ms = 86_400_000
const terminals: JdevTerminal[] = []
const { a: school_id } = test_schools
let app: TestApp
let me: TestUser
let teacher: TestUser
let parent: TestUser
let pupils: string[]
let without_assessment: Answer

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  parent = await app.as({ school_id, codes: [] })
  pupils = await makePupils()
  const before = dataOf(facePolicyApi.read, await app.call(facePolicyApi.read, {}, as()))
  const { protocol_code: _c, protocol_version: _v, detector: _d, counts: _n, ...policy } = before
  const wish = { ...policy, enabled: true, protocol_title: '人脸信息处理授权书', protocol_text: '用于校园出入口通行。', assessed_on: '2026-09-01' }
  without_assessment = await app.call(facePolicyApi.write, { ...wish, assessed_on: null }, as())
  await app.call(facePolicyApi.write, wish, as())
})
afterAll(async () => {
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await app.close()
})

const as = (who: TestUser = me) => ({ token: who.token })
const tenant = <R>(work: (db: Parameters<typeof createDepts>[0]) => Promise<R>) => app.running.database.tenant(school_id, work)

/** Two classes of three pupils, nine years old; `parent` decides for the first two, a teacher sees the first class alone. */
async function makePupils(): Promise<string[]> {
  const { secrets } = app.running.app
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  const made = await tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const ids = await createDepts(db, school_id, [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort },
      { key: 'class 1', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort },
      { key: 'class 2', parent: 'grade', dept_name: '三年级2班', dept_type: 4, class_no: 2, ...cohort },
    ], '2026-09-01')
    const drafts = Array.from({ length: 6 }, (_, at) => ({ user_name: `学生${at}`, student_no: `S00${at}`, sex: '1', birthday: '2017-05-01', enrol_month: '202409', dept_id: ids.get(at < 3 ? 'class 1' : 'class 2') ?? '', from: '2026-09-01' }))
    const enrolled = await enrolStudents(db, secrets, school_id, drafts)
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex) values (${school_id}, ${parent.user_id}, '家长', 'jiazhang', 'jz', '2') on conflict do nothing`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${parent.user_id}) on conflict do nothing`.execute(db)
    for (const child of enrolled.slice(0, 2)) await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from) values (${school_id}, ${child}, ${parent.user_id}, '1', '2026-09-01')`.execute(db)
    return { class_1: ids.get('class 1') ?? '', enrolled }
  })
  teacher = await app.as({ school_id, codes: ['faces.face.view', 'faces.face.collect', 'files.file.upload'], scope: 'custom', scope_ids: [made.class_1] })
  return made.enrolled
}

const pupil = (at: number) => pupils[at] ?? ''
const refusal = ({ status, body }: Answer) => [status, body.error_id, body.msg]
async function send(body: Buffer, who: TestUser = me): Promise<string> {
  return upload(app, who, { purpose: 'face', name: `${randomUUID()}.jpg`, body })
}
async function set(at: number, body: Buffer, who: TestUser = me): Promise<Answer> {
  return app.call(faceApi.set, { user_id: pupil(at), face_pics: await send(body, who) }, as(who))
}
const rowOf = async (at: number) => dataOf(faceApi.list, await app.call(faceApi.list, { keyword: `S00${at}` }, as())).list[0]
const answer = (at: number, given: number, who = parent) => app.call(faceConsentApi.answer, { user_id: pupil(at), answer: given, protocol_version: 1 }, as(who))

/** A gate with a terminal, which the pupil may pass. */
async function gateFor(at: number): Promise<{ terminal: JdevTerminal; device_id: string }> {
  const port = await app.running.listenToDevices()
  const campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as())).list[0]?.place_id ?? ''
  const { place } = dataOf(placeApi.create, await app.call(placeApi.create, { superior_id: campus, place_name: `门${at}`, place_kind: 9 }, as()))
  const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, { device_sn: `J${at}`, device_name: `终端${at}`, device_type: '01', model_code: 'JD-F10', place_id: place.place_id }, as()))
  const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, http: app.url, sn: `J${at}`, secret: setup?.secret ?? '' })
  terminals.push(terminal)
  await terminal.start()
  const to = new Date(Math.floor(app.clock.now().getTime() / day_ms) * day_ms + 90 * day_ms)
  await tenant(async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    await declareSubjects(by, [{ user_id: pupil(at), person_kind: 1, user_no: `S00${at}`, user_name: `学生${at}`, dept_name: null, live: true }])
    await declareGrants(by, [{ user_id: pupil(at), place_id: place.place_id, direction: 3, windows: [{ from: new Date(0).toISOString(), to: to.toISOString() }], source: 'access', source_ref: `g${at}`, version: 1, expires_at: to }])
  })
  return { terminal, device_id: device.device_id }
}

const facesOn = (terminal: JdevTerminal) => [...terminal.store.held('credential').values()].filter(row => row.body?.kind === 'face').length

describe('one face', () => {
  test('40-R21 faces are not switched on without a protocol and an assessment', () => {
    expect(refusal(without_assessment)).toEqual([422, 'faces.notReady', '启用前请填写授权协议正文和影响评估日期'])
  })

  test('40-R27 what is no good portrait is refused with the reason, at the field, and leaves nothing', async () => {
    expect(refusal(await set(0, await portrait('nobody')))).toEqual([422, 'faces.noFace', '未检测到人脸，请换一张正面照片'])
    const blurred = await set(0, await portrait('man', { blur: 12 }))
    expect([blurred.status, blurred.body.data]).toMatchObject([422, { errors: [{ field: 'face_pics' }] }])
    expect(await rowOf(0)).toMatchObject({ state: '0', face_id: null, candidate: null })
  })

  test('40-A24 staff can only ask; a guardian answers for a nine year old, and without his word no terminal is fed', async () => {
    const { terminal } = await gateFor(0)
    expect(dataOf(faceApi.set, await set(0, await portrait('man')))).toMatchObject({ outcome: 'current', detect_state: 2, consent: 'none' })
    expect(await rowOf(0)).toMatchObject({ state: '4', devices_total: 0 })
    const status = { protocol_code: 'face', user_id: pupil(0), status: 1, school_id }
    expect((await app.call(faceConsentApi.setStatus, { ...status, school_id: school_id + 1 }, as())).status).toBe(403)
    expect((await app.call(faceConsentApi.setStatus, status, as())).status).toBe(200)
    expect(dataOf(faceConsentApi.map, await app.call(faceConsentApi.map, {}, as())).map[pupil(0)]).toBe(0)
    expect(facesOn(terminal)).toBe(0)
    expect(dataOf(faceConsentApi.mine, await app.call(faceConsentApi.mine, {}, as(parent))).list).toMatchObject([{ user_id: pupil(0), state: 'asked', may_answer: true }])
    expect((await answer(2, 1)).status).toBe(404)
    expect(dataOf(faceConsentApi.answer, await answer(0, 1)).receipt).toMatch(/^[0-9a-f]{12}$/)
    expect(refusal(await answer(0, 1))).toEqual([409, 'faces.answered', '该授权已处理'])
    await expect.poll(() => facesOn(terminal), { timeout: 15_000 }).toBe(1)
    await expect.poll(async () => (await rowOf(0))?.state).toBe('6')
  })

  test('40-A23 40-A33 the database itself refuses a face on terminals without a consent, a consent that goes before the face, and a change of the ledger', async () => {
    dataOf(faceApi.set, await set(1, await portrait('woman')))
    const face_id = (await rowOf(1))?.face_id ?? ''
    const insert = tenant(db => sql`insert into face_credential (school_id, user_id, face_id, consent_state, photo_sha256, since) values (${school_id}, ${pupil(1)}, ${face_id}, 1, ${'0'.repeat(64)}, now())`.execute(db))
    await expect(insert).rejects.toThrow(/face_credential_consent/)
    await expect(tenant(db => sql`update face_consent set state = 0 where school_id = ${school_id} and user_id = ${pupil(0)}`.execute(db))).rejects.toThrow(/face_credential/)
    await expect(tenant(db => sql`update face_consent_log set status = 1 where school_id = ${school_id}`.execute(db))).rejects.toThrow(/permission denied/)
  })

  test('40-A25 withdrawn: the picture is gone, the terminal forgets it, and reading it back proves that', async () => {
    const { terminal, device_id } = { terminal: terminals[0], device_id: (await tenant(db => sql<{ device_id: string }>`select device_id::text from device where school_id = ${school_id}`.execute(db))).rows[0]?.device_id ?? '' }
    const had = (await rowOf(0))?.thumb_url ?? ''
    expect((await fetch(new URL(had, app.url))).status).toBe(200)
    expect((await answer(0, 3)).status).toBe(200)
    expect((await fetch(new URL(had, app.url))).status).toBe(404)
    expect(await rowOf(0)).toMatchObject({ state: '0', consent: 'refused', face_id: null })
    await expect.poll(() => terminal && facesOn(terminal), { timeout: 15_000 }).toBe(0)
    const erasure = async () => dataOf(faceApi.erasures, await app.call(faceApi.erasures, {}, as())).list.find(one => one.user_id === pupil(0))
    await expect.poll(async () => (await erasure())?.acked, { timeout: 15_000 }).toBe(1)
    expect(await erasure()).toMatchObject({ cause: '1', total: 1, proven: 0, closed_at: null })
    await app.call(syncApi.resync, { id: device_id, mode: 'verify' }, as())
    const proven = () => tenant(async db => (await sql<{ n: number }>`select count(proven_gone_at)::int as n from device_held_v where school_id = ${school_id}`.execute(db)).rows[0]?.n)
    await expect.poll(proven, { timeout: 15_000 }).toBe(1)
    app.clock.advance(11 * 60_000)
    await expect.poll(async () => (await erasure())?.closed_at, { timeout: 15_000 }).not.toBeNull()
    expect((await tenant(db => sql`select 1 from face_template t join face f on f.school_id = ${school_id} and f.face_id = t.face_id where t.school_id = ${school_id} and f.ended_at is not null`.execute(db))).rows).toEqual([])
  })
})

describe('two people', () => {
  test('40-A26 the same bytes under two names are refused, another picture of the face waits, twins are let through and not asked again', async () => {
    const body = await portrait('other')
    const both = await Promise.all([set(2, body), set(3, body)])
    expect(both.map(one => one.status).toSorted()).toEqual([200, 409])
    const [first, second] = both[0]?.status === 200 ? [2, 3] : [3, 2]
    const saved = dataOf(faceApi.set, await set(second, await portrait('other', { shift: 3 })))
    expect(saved).toMatchObject({ outcome: 'candidate', alike: `学生${first}` })
    const waiting = await rowOf(second)
    expect(waiting).toMatchObject({ face_id: null, state: '1', alike: { user_name: `学生${first}` } })
    const decide = (decision: number) => app.call(faceApi.decide, { case_id: waiting?.alike?.case_id ?? '', decision, reason: '双胞胎' }, as())
    expect((await decide(3)).status).toBe(200)
    expect(refusal(await decide(2))).toEqual([409, 'faces.caseDone', '该事项已处理'])
    expect(dataOf(faceApi.set, await set(second, await portrait('other', { shift: 5 })))).toMatchObject({ outcome: 'current', alike: null })
    expect(await rowOf(first)).toMatchObject({ state: '4', candidate: null })
  })

  test('a class teacher collects for his class alone', async () => {
    expect((await set(4, await portrait('man', { shift: 2 }), teacher)).status).toBe(404)
    expect(dataOf(faceApi.list, await app.call(faceApi.list, {}, as(teacher))).list.map(row => row.user_no)).toEqual(['S000', 'S001', 'S002'])
  })
})

test('40-A20 a batch goes on after a reload, and its lanes add up', async () => {
  const names = ['S004.jpg', 'S005_学生5.jpg', '无此人.jpg', 'S003_学生4.jpg', 'S001.jpg', '学生0.jpg']
  const files = names.map((file_name, at) => ({ item_seq: at + 1, file_name, size: 1000 }))
  const { batch_id, items } = dataOf(faceBatchApi.open, await app.call(faceBatchApi.open, { files }, as()))
  expect(items.map(item => item.lane)).toEqual([null, null, 'no_person', 'no_person', 'skipped', null])
  const bodies = [await portrait('man', { shift: 4 }), await portrait('nobody')]
  const keys: string[] = []
  for (const [at, body] of bodies.entries()) {
    keys.push(await send(body))
    await app.call(faceBatchApi.uploaded, { batch_id, item_seq: at + 1, face_pics: keys[at] ?? '' }, as())
  }
  await app.call(faceBatchApi.uploaded, { batch_id, item_seq: 6, face_pics: null, msg: '网络异常，请检查网络' }, as())
  const reloaded = dataOf(faceBatchApi.progress, await app.call(faceBatchApi.progress, { batch_id }, as()))
  expect([reloaded.batch.progress, reloaded.waiting.map(item => item.step)]).toEqual([83, [1, 1]])
  for (const item_seq of [1, 2]) await app.call(faceBatchApi.detect, { batch_id, item_seq }, as())
  const faces = [1, 2].map(id => ({ id, face_pics: keys[id - 1] ?? '', user_id: pupil(id + 3) }))
  const { results } = dataOf(faceBatchApi.importFaces, await app.call(faceBatchApi.importFaces, { batch_id, faces }, as()))
  expect(results.map(one => [one.outcome, one.msg])).toEqual([['done', null], ['not_face', '未检测到人脸']])
  await app.call(faceBatchApi.close, { batch_id }, as())
  const { batch } = dataOf(faceBatchApi.progress, await app.call(faceBatchApi.progress, { batch_id }, as()))
  expect([batch.lanes, batch.total]).toEqual([{ done: 1, not_face: 1, no_person: 2, skipped: 1, upload: 1 }, 6])
})

test('40-A22 where the school forbids detection a picture waits for a person, and works after his word', async () => {
  await tenant(db => sql`update school_config set forbid_face_test = 1 where school_id = ${school_id}`.execute(db))
  dataOf(faceApi.set, await set(0, await portrait('nobody', { shift: 6 })))
  const waiting = (await rowOf(0))?.candidate
  expect(waiting).toMatchObject({ detect_state: 4 })
  expect((await app.call(faceApi.verify, { face_id: waiting?.face_id ?? '', passed: true }, as())).status).toBe(200)
  expect(await rowOf(0)).toMatchObject({ candidate: null, face_id: waiting?.face_id })
})
