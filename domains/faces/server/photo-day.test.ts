import { randomUUID } from 'node:crypto'
import { JdevTerminal } from '@apps/terminal'
import { dataOf, startTestApp, test_schools, upload } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { deviceApi, syncApi } from '@campus/devices/contract'
import { declareCredentials, declareGrants, declareSubjects, revoke } from '@campus/devices/server'
import { faceApi, faceBatchApi, faceConsentApi, faceLinkApi, facePolicyApi } from '@campus/faces/contract'
import { createDepts, enrolStudents } from '@campus/people/server'
import { placeApi } from '@campus/places/contract'
import type { Call, Reply, Request as RequestOf } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { detectorPort } from './detector/detector.ts'
import { markedPicture, markerDetector } from './testing/marker.ts'
import type { Mark } from './testing/marker.ts'
import { registerFiles, runBatch } from '@campus/faces/contract'
import type { Chosen, Ways } from '@campus/faces/contract'

const { a: school_id } = test_schools
const [pictures, pupils_there, patience_ms, day_ms] = [500, 494, 400_000, 86_400_000] as const
let app: TestApp
let me: TestUser
let parent: TestUser
let pupils: string[]
const terminals: JdevTerminal[] = []
const as = () => ({ token: me.token })
const tenant = <R>(work: (db: Parameters<typeof createDepts>[0]) => Promise<R>) => app.running.database.tenant(school_id, work)
const numberOf = (at: number) => `S${String(at).padStart(4, '0')}`

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: 'all', places: 'all' })
  parent = await app.as({ school_id, codes: [] })
  pupils = await makePupils()
  const before = dataOf(facePolicyApi.read, await app.call(facePolicyApi.read, {}, as()))
  const { protocol_code: _c, protocol_version: _v, detector: _d, counts: _n, ...policy } = before
  const wish = {
    ...policy,
    enabled: true,
    protocol_title: '人脸信息处理授权书',
    protocol_text: '用于校园出入口通行。',
    assessed_on: '2026-09-01',
  }
  await app.call(facePolicyApi.write, wish, as())
  Object.assign(detectorPort.one(app.running.app), markerDetector)
}, patience_ms)
afterAll(async () => {
  await Promise.all(terminals.map(terminal => terminal.stop()))
  await app.close()
})

/** A school's worth of nine year old pupils; `parent`, known by a mobile number, decides for the first. */
async function makePupils(): Promise<string[]> {
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  return tenant(async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    const grade = { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: 3, ...cohort }
    const room = { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: 4, class_no: 1, ...cohort }
    const dept_id = (await createDepts(db, school_id, [grade, room], '2026-09-01')).get('class') ?? ''
    const of = (at: number) => ({
      user_name: `学生${at}`,
      student_no: numberOf(at),
      sex: '1',
      birthday: '2017-05-01',
      enrol_month: '202409',
      dept_id,
      from: '2026-09-01',
    })
    const enrolled = await enrolStudents(
      db,
      app.running.app.secrets,
      school_id,
      Array.from({ length: pupils_there }, (_, at) => of(at)),
    )
    await sql`insert into person (school_id, user_id, user_name, name_py, name_initials, sex, mobile)
      values (${school_id}, ${parent.user_id}, '家长', 'jiazhang', 'jz', '2', '13800004321')`.execute(
      db,
    )
    await sql`insert into parent (school_id, user_id) values (${school_id}, ${parent.user_id})`.execute(db)
    await sql`insert into guardian_link (school_id, student_user_id, parent_user_id, relation, valid_from)
      values (${school_id}, ${enrolled[0] ?? ''}, ${parent.user_id}, '1', '2026-09-01')`.execute(db)
    return enrolled
  })
}

/** The folder: 480 good pictures, four without a face, four that are blurred, six that are none, six of nobody here. */
async function folder(): Promise<Chosen[]> {
  const markOf = (at: number): Mark => (at < 480 ? 'face' : at < 484 ? 'nobody' : 'blurred')
  const files: Chosen[] = []
  for (let at = 0; at < pictures; at += 1) {
    const file_name = at < pupils_there ? `${numberOf(at)}.jpg` : `查无此人${at}.jpg`
    const body = at >= 488 && at < pupils_there ? Buffer.from(`no picture ${at}`) : await markedPicture(markOf(at), at)
    files.push({ item_seq: at + 1, file_name, file: new File([new Uint8Array(body)], file_name, { type: 'image/jpeg' }) })
  }
  return files
}

/** What the page does, with what it sends counted: how many travel at once, and how often each picture. */
function counted() {
  const seen = { now: 0, most: 0, sent: new Map<string, number>() }
  const travel = async <T>(work: () => Promise<T>): Promise<T> => {
    seen.now += 1
    seen.most = Math.max(seen.most, seen.now)
    return work().finally(() => (seen.now -= 1))
  }
  const ways: Ways = {
    call: <E extends Call>(endpoint: E, input: RequestOf<E>): Promise<Reply<E>> =>
      travel(async () => dataOf(endpoint, await app.call(endpoint, input, as()))),
    send: file =>
      travel(async () => {
        seen.sent.set(file.name, (seen.sent.get(file.name) ?? 0) + 1)
        return upload(app, me, { purpose: 'face', name: `${randomUUID()}.jpg`, body: Buffer.from(await file.arrayBuffer()) })
      }),
    faultOf: () => '图片上传失败，请检查图片是否正常',
  }
  return { seen, ways }
}

const progressOf = async (batch_id: string) => dataOf(faceBatchApi.progress, await app.call(faceBatchApi.progress, { batch_id }, as()))

test(
  '40-A20 a folder of 500 pictures: five at a time, a reload in the middle goes on, nothing is sent twice, and the lanes add up',
  async () => {
    const { seen, ways } = counted()
    const chosen = await folder()
    const files = new Map(chosen.map(one => [one.item_seq, one.file]))
    const { batch_id, items } = await registerFiles(ways, 1, false, chosen)
    const shown: number[] = []
    const look = async () => shown.push((await progressOf(batch_id)).batch.progress)
    const left = new AbortController()
    await runBatch({
      ways,
      batch_id,
      items,
      files,
      signal: left.signal,
      onStage: () => undefined,
      onStep: () => seen.sent.size >= 300 && left.abort(),
    })
    await look()
    const { waiting } = await progressOf(batch_id)
    expect(waiting.filter(item => item.step === 1).length).toBeGreaterThanOrEqual(290)
    // What was on its way when the page was left has not arrived, and is sent again.
    const arrived = new Set(waiting.filter(item => item.step === 1).map(item => item.file_name))
    const stages: string[] = []
    let looked = Promise.resolve(0)
    const onStage = (stage: string) => {
      stages.push(stage)
      looked = looked.then(look)
    }
    await runBatch({ ways, batch_id, items: waiting, files, signal: new AbortController().signal, onStage, onStep: () => undefined })
    await looked
    await app.call(faceBatchApi.close, { batch_id }, as())
    await look()
    const { batch } = await progressOf(batch_id)
    expect(stages).toEqual(['上传照片', '检测人脸', '正在导入'])
    expect(shown).toEqual(shown.toSorted((one, other) => one - other))
    expect([shown[0] ?? 100, shown.at(-1)].map(one => (one ?? 0) < 50)).toEqual([true, false])
    expect([batch.progress, batch.total, seen.most]).toEqual([100, pictures, 5])
    expect([...seen.sent].filter(([name, times]) => times > 1 && arrived.has(name))).toEqual([])
    expect(batch.lanes).toEqual({ done: 480, not_face: 4, poor: 4, upload: 6, no_person: 6 })
  },
  patience_ms,
)

/** Gates with a terminal each, which the first pupil may pass. */
async function gates(): Promise<string[]> {
  const port = await app.running.listenToDevices()
  const campus = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, as())).list[0]?.place_id ?? ''
  const { place } = dataOf(
    placeApi.create,
    await app.call(placeApi.create, { superior_id: campus, place_name: '南门', place_kind: 9 }, as()),
  )
  const ids: string[] = []
  for (const sn of ['P1', 'P2']) {
    const made = { device_sn: sn, device_name: `南门${sn}`, device_type: '01' as const, model_code: 'JD-F10', place_id: place.place_id }
    const { device, setup } = dataOf(deviceApi.create, await app.call(deviceApi.create, made, as()))
    const terminal = new JdevTerminal({ url: `mqtt://127.0.0.1:${port}`, http: app.url, sn, secret: setup?.secret ?? '' })
    terminals.push(terminal)
    ids.push(device.device_id)
    await terminal.start()
  }
  const to = new Date(Math.floor(app.clock.now().getTime() / day_ms) * day_ms + 90 * day_ms)
  const windows = [{ from: new Date(0).toISOString(), to: to.toISOString() }]
  await tenant(async db => {
    const by = { app: app.running.app, db, school_id, now: app.clock.now() }
    const [user_id = ''] = pupils
    await declareCredentials(by, [
      { user_id, cred_kind: 'card', code: '2A83155E', usable: true, source: 'cards', source_ref: 'card 1', version: 1 },
    ])
    await declareSubjects(by, [{ user_id, person_kind: 1, user_no: numberOf(0), user_name: '学生0', dept_name: null, live: true }])
    await declareGrants(by, [
      { user_id, place_id: place.place_id, direction: 3, windows, source: 'access', source_ref: 'g0', version: 1, expires_at: to },
    ])
  })
  return ids
}

/** Who would stand before a closed gate if faces were not read. */
const faceOnly = async () => dataOf(faceApi.list, await app.call(faceApi.list, { todo: 'face_only' }, as())).list.map(row => row.user_name)
const facesOn = () => terminals.map(({ store }) => [...store.held('credential').values()].filter(row => row.body?.kind === 'face').length)

test(
  '40-A24 40-A25 40-A31 asked by a link, agreed to on the phone, on every terminal; withdrawn there it is gone from each, proven by reading back',
  async () => {
    const [child = ''] = pupils
    const devices = await gates()
    await app.call(faceConsentApi.remind, { user_ids: [child] }, as())
    const { rows } = await tenant(db =>
      sql<{ link: string }>`select link from message where school_id = ${school_id} and link like '/m/face/%'`.execute(db),
    )
    const token = rows[0]?.link.replace('/m/face/', '') ?? ''
    expect(dataOf(faceLinkApi.look, await app.call(faceLinkApi.look, { token }))).toMatchObject({
      kind: 'closed',
      user_name: '学*0',
      is_child: true,
      by: 'mobile',
    })
    expect(facesOn()).toEqual([0, 0])
    const act = async (wish: object) =>
      dataOf(faceLinkApi.act, await app.call(faceLinkApi.act, { token, tail: '4321', act: 'check', ...wish }))
    expect(await act({})).toMatchObject({
      user_name: '学生0',
      state: 'asked',
      may_answer: true,
      photo: expect.stringMatching(/^data:image\/jpeg;base64,/),
    })
    expect(await act({ act: 'answer', answer: 1, protocol_version: 1 })).toMatchObject({
      state: 'given',
      receipt: expect.stringMatching(/^[0-9a-f]{12}$/),
    })
    await expect.poll(facesOn, { timeout: 30_000 }).toEqual([1, 1])
    expect(await faceOnly()).toEqual([])
    await tenant(db => revoke({ app: app.running.app, db, school_id, now: app.clock.now() }, 'cards', ['card 1']))
    await expect.poll(faceOnly, { timeout: 30_000 }).toEqual(['学生0'])
    expect(await act({ act: 'withdraw' })).toMatchObject({ state: 'refused', photo: null, has_face: false })
    await expect.poll(facesOn, { timeout: 30_000 }).toEqual([0, 0])
    const erasure = async () => dataOf(faceApi.erasures, await app.call(faceApi.erasures, {}, as())).list.find(one => one.user_id === child)
    await expect.poll(async () => (await erasure())?.acked, { timeout: 30_000 }).toBe(2)
    expect(await erasure()).toMatchObject({ total: 2, proven: 0, closed_at: null })
    for (const id of devices) await app.call(syncApi.resync, { id, mode: 'verify' }, as())
    const proven = () =>
      tenant(
        async db =>
          (await sql<{ n: number }>`select count(proven_gone_at)::int as n from device_held_v where school_id = ${school_id}`.execute(db))
            .rows[0]?.n,
      )
    await expect.poll(proven, { timeout: 30_000 }).toBe(2)
    app.clock.advance(11 * 60_000)
    await expect.poll(async () => (await erasure())?.closed_at, { timeout: 30_000 }).not.toBeNull()
    expect(await erasure()).toMatchObject({ total: 2, proven: 2 })
  },
  patience_ms,
)
