import { randomUUID } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { dataOf, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { faceApi, faceBatchApi, faceConsentApi, faceLinkApi, facePolicyApi } from '@campus/faces/contract'
import { pictureKey } from '@campus/files/server'
import { createDepts, enrolStudents } from '@campus/people/server'
import { sql } from 'kysely'
import sharp from 'sharp'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { noteLook } from './alarm.ts'
import type { Act, Db } from './db.ts'
import { detectorPort } from './detector/detector.ts'
import { ownAgeTimer } from './own-age.ts'
import { portrait } from './testing/portraits.ts'
import { openVector } from './vectors.ts'

const { a: school_id, b: other_school } = test_schools
let app: TestApp
let me: TestUser
let parent: TestUser
let pupils: string[]
const as = (who: TestUser = me) => ({ token: who.token })
const tenant = <R>(work: (db: Parameters<typeof createDepts>[0]) => Promise<R>) => app.running.database.tenant(school_id, work)
const pupil = (at: number) => pupils[at] ?? ''
const send = (body: Buffer, who: TestUser = me, name = `${randomUUID()}.jpg`) => upload(app, who, { purpose: 'face', name, body })
const refusal = ({ status, body }: Answer) => [status, body.error_id]
const rowOf = async (at: number) => dataOf(faceApi.list, await app.call(faceApi.list, { keyword: `S00${at}` }, as())).list[0]
async function set(at: number, face_pics: string): Promise<Answer> {
  return app.call(faceApi.set, { user_id: pupil(at), face_pics }, as())
}

beforeAll(async () => {
  app = await startTestApp()
  app.clock.setTo('2026-09-08T09:00:00+08:00')
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  parent = await app.as({ school_id, codes: [] })
  pupils = await makePupils()
  const before = dataOf(facePolicyApi.read, await app.call(facePolicyApi.read, {}, as()))
  const { protocol_code: _c, protocol_version: _v, detector: _d, counts: _n, ...policy } = before
  const wish = { ...policy, enabled: true, protocol_title: '人脸信息处理授权书', protocol_text: '用于校园出入口通行。', assessed_on: '2026-09-01' }
  await app.call(facePolicyApi.write, wish, as())
})
afterAll(() => app.close())

/** Four pupils, thirteen years old, of whom `parent` decides for the first two. */
async function makePupils(): Promise<string[]> {
  const cohort = { tree: 'student' as const, grade: '22', enrol_year: 2025, stage: '2' }
  return tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const grade = { key: 'grade', parent: root.id, dept_name: '八年级', dept_type: 3, ...cohort }
    const room = { key: 'class', parent: 'grade', dept_name: '八年级1班', dept_type: 4, class_no: 1, ...cohort }
    const ids = await createDepts(db, school_id, [grade, room], '2026-09-01')
    const drafts = Array.from({ length: 4 }, (_, at) => ({
      user_name: `学生${at}`,
      student_no: `S00${at}`,
      sex: '1',
      birthday: '2012-11-20',
      enrol_month: '202509',
      dept_id: ids.get('class') ?? '',
      from: '2026-09-01',
    }))
    const enrolled = await enrolStudents(db, app.running.app.secrets, school_id, drafts)
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex)
      values (${school_id}, ${parent.user_id}, '家长', 'jiazhang', 'jz', '2')`.execute(db)
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${parent.user_id})`.execute(db)
    for (const child of enrolled.slice(0, 2)) {
      await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from)
        values (${school_id}, ${child}, ${parent.user_id}, '1', '2026-09-01')`.execute(db)
    }
    return enrolled
  })
}

test('40-A19 a tall picture of twelve megapixels is kept with a long side of 1280; what is no picture is refused', async () => {
  const tall = await sharp(await portrait('man')).resize(3000, 4000, { fit: 'cover' }).jpeg().toBuffer()
  dataOf(faceApi.set, await set(3, await send(tall)))
  const { rows } = await tenant(db => sql<{ width: number; height: number }>`select width, height from face where school_id = ${school_id}`.execute(db))
  expect(rows).toEqual([{ width: 960, height: 1280 }])
  const renamed = await app.call(faceApi.set, { user_id: pupil(2), face_pics: 'x.jpg' }, as())
  expect(refusal(renamed)).toEqual([422, 'faces.badPicture'])
})

test('40-A28 a key of another person, of another school or of nothing is refused by itself; the others come in', async () => {
  const stranger = await app.as({ school_id, codes: 'all' })
  const foreigner = await app.as({ school_id: other_school, codes: 'all' })
  const body = await portrait('woman')
  const files = [1, 2, 3, 4].map(item_seq => ({ item_seq, file_name: `S00${item_seq - 1}.jpg`, size: 1000 }))
  const { batch_id } = dataOf(faceBatchApi.open, await app.call(faceBatchApi.open, { files }, as()))
  const keys = [await send(body), await send(body, stranger), await send(body, foreigner), `${school_id}/${me.user_id}/20260908/none.jpg`]
  const faces = keys.slice(0, 3).map((face_pics, at) => ({ id: at + 1, face_pics, user_id: pupil(at) }))
  const nothing = { id: 4, face_pics: keys[3] ?? '', user_id: pupil(2) }
  const answer = await app.call(faceBatchApi.importFaces, { batch_id, faces: [...faces, nothing] }, as())
  expect(dataOf(faceBatchApi.importFaces, answer).results.map(one => one.outcome)).toEqual(['done', 'upload', 'upload', 'upload'])
})

test('40-A21 without the detector nothing goes to a terminal; when it is back the picture is looked at by itself', async () => {
  const detector = detectorPort.one(app.running.app)
  const { measure } = detector
  detector.measure = () => Promise.resolve(null)
  await app.call(faceConsentApi.remind, { user_ids: [pupil(1)] }, as())
  dataOf(faceConsentApi.answer, await app.call(faceConsentApi.answer, { user_id: pupil(1), answer: 1, protocol_version: 1 }, as(parent)))
  expect(dataOf(faceApi.set, await set(1, await send(await portrait('other'))))).toMatchObject({ outcome: 'candidate', detect_state: 4 })
  const fed = () => tenant(async db => {
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from face_credential where school_id = ${school_id}`.execute(db)
    return rows[0]?.n
  })
  expect(await fed()).toBe(0)
  detector.measure = measure
  app.clock.advance(61_000)
  await expect.poll(fed, { timeout: 30_000 }).toBe(1)
  expect(await rowOf(1)).toMatchObject({ candidate: null, consent: 'given' })
})

test('on the fourteenth birthday the consent goes on, and the pupil is asked himself', async () => {
  const now = new Date('2026-11-20T08:00:00+08:00')
  const due = () => tenant(db => sql<{ at: Date }>`select due_at as at from work where kind = ${ownAgeTimer.kind} and ref = ${pupil(1)}`.execute(db))
  await app.running.database.tenant<unknown, unknown>(school_id, db => ownAgeTimer.run(db, { app: app.running.app, school_id, ref: pupil(1), now }))
  expect(await rowOf(1)).toMatchObject({ consent: 'given' })
  const { log } = dataOf(faceApi.detail, await app.call(faceApi.detail, { user_id: pupil(1) }, as()))
  expect(log.map(line => [line.status, line.confirm_scene])).toContainEqual([4, 9])
  expect((await due().catch(() => ({ rows: [] }))).rows.every(row => row.at.getTime() === now.getTime())).toBe(true)
})

/** The link that somebody was sent last, in his message. */
async function linkOf(user_id: string): Promise<string> {
  const { rows } = await tenant(db => sql<{ link: string }>`
    select m.link from message m join message_person p on p.school_id = m.school_id and p.message_id = m.message_id
    where m.school_id = ${school_id} and p.user_id = ${user_id} and m.link like '/m/face/%'
    order by m.at desc, m.message_id desc limit 1`.execute(db))
  return rows[0]?.link.replace('/m/face/', '') ?? ''
}

test('40-A24 a link: wrong proofs stop it, a newer one ends it, a second answer and an old one are refused; one may answer for himself', async () => {
  const teacher = await app.as({ school_id, codes: [] })
  await tenant(async db => {
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex, mobile)
      values (${school_id}, ${teacher.user_id}, '王老师', 'wang', 'w', '1', '13900008888')`.execute(db)
    await sql`insert into staff (school_id, user_id, teacher_no, kind, join_month)
      values (${school_id}, ${teacher.user_id}, 'T900', '11', '202609')`.execute(db)
    await sql`insert into staff_span (school_id, user_id, state, valid_from, open_kind)
      values (${school_id}, ${teacher.user_id}, '11', '2026-09-01', 'IN')`.execute(db)
  })
  const ask = () => app.call(faceConsentApi.remind, { user_ids: [teacher.user_id] }, as())
  const act = (token: string, tail: string, more: object = {}) => app.call(faceLinkApi.act, { token, act: 'check', tail, ...more })
  await ask()
  const first = await linkOf(teacher.user_id)
  const wrong: unknown[] = []
  for (let time = 1; time <= 6; time += 1) wrong.push((await act(first, '0000')).body.msg)
  expect(wrong).toEqual([4, 3, 2, 1, 0].map(left => `身份校验失败，还可尝试${left}次`).concat('身份校验失败次数过多，请联系学校重新发送链接'))
  expect((await act(first, '8888')).status).toBe(429)
  app.clock.advance(1000)
  await ask()
  const token = await linkOf(teacher.user_id)
  expect(refusal(await act(first, '8888'))).toEqual([410, 'faces.linkOver'])
  const agree = () => act(token, '8888', { act: 'answer', answer: 1, protocol_version: 1 })
  expect(dataOf(faceLinkApi.act, await agree())).toMatchObject({ state: 'given', is_child: false, has_signed: true })
  expect(refusal(await agree())).toEqual([409, 'faces.answered'])
  expect((await app.call(faceLinkApi.look, { token })).status).toBe(200)
  await tenant(db => sql`update face_consent_link set expires_at = ${app.clock.now()} where school_id = ${school_id}`.execute(db))
  expect(refusal(await app.call(faceLinkApi.look, { token }))).toEqual([410, 'faces.linkOver'])
})

test('40-A34 the fifty-first original within an hour is an alarm, once; the address of a picture ends after five minutes', async () => {
  const row = await rowOf(3)
  const face_id = row?.face_id ?? ''
  expect((await app.call(faceApi.photo, { face_id, reason: '核对照片' }, as())).status).toBe(200)
  const raised = await app.running.database.tenant(school_id, async (db: Db) => {
    const act: Act = { app: app.running.app, db, school_id, now: app.clock.now(), by: null }
    const looks: boolean[] = []
    for (let look = 2; look <= 53; look += 1) looks.push(await noteLook(act, me.user_id, face_id))
    return looks.flatMap((is_alarm, at) => (is_alarm ? [at + 2] : []))
  })
  expect(raised).toEqual([51])
  const thumb = new URL((await rowOf(3))?.thumb_url ?? '', app.url)
  expect((await fetch(thumb)).status).toBe(200)
  app.clock.advance(6 * 60_000)
  expect((await fetch(thumb)).status).toBe(404)
})

test('40-A27 pictures and vectors lie encrypted under the key of the school, and without it none opens', async () => {
  const { rows } = await tenant(db => sql<{ face_id: string; file_key: string; vector_enc: Buffer | null }>`
    select f.face_id::text as face_id, f.file_key, t.vector_enc from face f
    left join face_template t on t.school_id = ${school_id} and t.face_id = f.face_id
    where f.school_id = ${school_id} and f.ended_at is null and f.file_key is not null`.execute(db))
  expect(rows.length).toBeGreaterThan(1)
  for (const { file_key } of rows) expect(readFileSync(app.running.app.files.pathOf(file_key)).subarray(0, 2).toString('hex')).not.toBe('ffd8')
  const vectors = rows.flatMap(({ face_id, vector_enc }) => (vector_enc === null ? [] : [{ face_id, sealed: Buffer.from(vector_enc) }]))
  expect(vectors.length).toBeGreaterThan(0)
  const keyNow = () => app.running.database.tenant(school_id, db => pictureKey({ app: app.running.app, db, school_id, now: app.clock.now() }))
  const key = await keyNow()
  for (const { face_id, sealed } of vectors) {
    expect(openVector(key, school_id, face_id, sealed).length).toBeGreaterThan(0)
    expect(() => openVector(app.running.app.secrets.data_key, school_id, face_id, sealed)).toThrow('unable to authenticate data')
    expect(sealed.toString('latin1')).not.toMatch(/\d\.\d{4},/)
  }
  const shown = () => Promise.all(rows.map(async ({ face_id }) => (await app.call(faceApi.photo, { face_id, reason: '核对照片' }, as())).status))
  expect(new Set(await shown())).toEqual(new Set([200]))
  await tenant(db => sql`delete from file_envelope where school_id = ${school_id}`.execute(db))
  expect(new Set(await shown())).toEqual(new Set([404]))
  const next = await keyNow()
  for (const { face_id, sealed } of vectors) expect(() => openVector(next, school_id, face_id, sealed)).toThrow('unable to authenticate data')
})
