import { createHash } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { dataOf, startTestApp, test_schools } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { drawScene } from '@apps/terminal'
import { aiRecordApi } from '@campus/devices/contract'
import { keepMade } from '@campus/files/server'
import { jobApi } from '@campus/jobs/contract'
import { placeApi } from '@campus/places/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createDevices } from '../device.create.ts'
import { ai_codes } from '../testing/seeing.ts'
import { imageUse, pictureLook } from './picture.ts'
import { createAiRules, createWarnings, feedBoxes } from './warning.create.ts'

const school_id = test_schools.a
const [hour_ms, day_ms] = [3_600_000, 86_400_000]
let app: TestApp
let me: TestUser
let other: TestUser
let known: { place_id: string; camera_device_id: string; box_device_id: string; rule_id: string }
let made = 0

const tenant = <R>(work: Parameters<typeof app.running.database.tenant<unknown, R>>[1]) => app.running.database.tenant<unknown, R>(school_id, work)
const select = <R>(query: ReturnType<typeof sql<R>>) => tenant<R[]>(async db => (await query.execute(db)).rows)

beforeAll(async () => {
  app = await startTestApp()
  me = await app.as({ school_id, codes: ai_codes, places: 'all' })
  other = await app.as({ school_id, codes: ai_codes, places: 'all' })
  const place_id = dataOf(placeApi.tree, await app.call(placeApi.tree, {}, { token: me.token })).list[0]?.place_id ?? ''
  const from = new Date(app.clock.now().getTime() - 30 * day_ms)
  const stands = { parent: null, place_id, direction: 3 } as const
  known = await tenant(async db => {
    const ids = await createDevices(db, school_id, [{ key: 'box', device_sn: 'DBOX', device_name: '盒子', device_type: '15', model_code: 'JD-A6', ...stands }, { key: 'eye', device_sn: 'DEYE', device_name: '操场摄像机', device_type: '06', model_code: 'IPC-4M', ...stands }], from)
    const pair = { camera_device_id: ids.get('eye') ?? '', box_device_id: ids.get('box') ?? '' }
    await feedBoxes(db, school_id, [pair], from)
    const [rule_id = ''] = await createAiRules(db, school_id, [{ rule_name: '操场打架', warn_kind: '4', cameras: [{ camera_device_id: pair.camera_device_id }] }])
    return { place_id, rule_id, ...pair }
  })
})
afterAll(() => app.close())

/** A warning of its own, so long ago. */
async function aWarning(ago_ms = 60_000, with_picture = false): Promise<string> {
  made += 1
  const { app: own_app, database } = app.running
  const now = app.clock.now()
  const begin_at = new Date(now.getTime() - ago_ms)
  const image = { box: known.box_device_id, ref: `p${made}.png`, at: begin_at.toISOString(), score: 80, file_key: `${school_id}/0/20261101/warning-${made}.png` }
  const enter = await keepMade({ app: own_app, own: (id, fn) => database.tenant(id, fn), now }, school_id, '0', { file_key: image.file_key, purpose: 'warning', bytes: drawScene('4', made) })
  return tenant(async db => {
    if (with_picture) await enter({ app: own_app, db, school_id, now }, imageUse(image))
    const [id = ''] = await createWarnings(db, school_id, [{ ...known, warn_kind: '4', begin_at, end_at: begin_at, hits: 3, images: with_picture ? [image] : [], decided: null }])
    return id
  })
}

const decide = (what: 'ignore' | 'illegal' | 'undo', id: string, who = me, seen_state: '0' | '1' | '2' = what === 'undo' ? '1' : '0') => app.call(aiRecordApi[what], { ids: [id], seen_state }, { token: who.token })
const said = ({ status, body }: Answer) => [status, body.msg]

test('30-A23 of two who press 忽略 and 违规 in the same second one wins, the other is told who and when; there is one decision', async () => {
  const id = await aWarning()
  const answers = await Promise.all([decide('ignore', id), decide('illegal', id, other)])
  expect(answers.map(answer => answer.status).toSorted()).toEqual([200, 409])
  expect(answers.find(answer => answer.status === 409)?.body.msg).toMatch(/^该预警已被测试用户\d+于\d{4}-\d\d-\d\d \d\d:\d\d处理$/u)
  expect(await select(sql`select from_state, count(*)::int as n from ai_decision where school_id = ${school_id} and warning_id = ${id} group by 1`)).toEqual([{ from_state: 0, n: 1 }])
})

test('a decision is taken back within a day by whoever made it, or by who administers warnings', async () => {
  const id = await aWarning()
  await decide('ignore', id)
  expect(said(await decide('undo', id, other))).toEqual([403, '只能撤销本人处理的预警'])
  expect(said(await decide('undo', id))).toEqual([200, '操作成功'])
  expect(said(await decide('undo', id))).toEqual([409, '该预警已恢复为待处理，请刷新'])
  await decide('illegal', id, other)
  const admin = await app.as({ school_id, codes: [...ai_codes, 'devices.ai.admin'], places: 'all' })
  expect((await decide('undo', id, admin, '2')).status).toBe(200)
  const { list } = dataOf(aiRecordApi.decisions, await app.call(aiRecordApi.decisions, { warning_id: id }, { token: me.token }))
  expect(list.map(({ from_state, to_state }) => `${from_state}${to_state}`)).toEqual(['01', '10', '02', '20'])
  await decide('ignore', id)
  await select(sql`update ai_warning set decided_at = ${new Date(app.clock.now().getTime() - 25 * hour_ms)} where school_id = ${school_id} and warning_id = ${id}`)
  expect(said(await decide('undo', id))).toEqual([409, '处理已超过24小时，不能撤销'])
})

test('of many that are decided together none is, when one of them is not open', async () => {
  const [one, two] = [await aWarning(), await aWarning()]
  await decide('illegal', two, other)
  expect((await app.call(aiRecordApi.ignore, { ids: [one, two], seen_state: '0' }, { token: me.token })).status).toBe(409)
  expect(await select(sql`select state from ai_warning where school_id = ${school_id} and warning_id in (${one}, ${two}) order by warning_id`)).toEqual([{ state: 0 }, { state: 2 }])
})

test('30-A24 pictures leave for a reason alone, in an archive with a list and a watermark, and who took them is written down', async () => {
  const id = await aWarning(60_000, true)
  expect(said(await app.call(aiRecordApi.export_images, { ids: [id], reason: ' ' }, { token: me.token }))).toEqual([400, '请填写导出原因'])
  const { job_no, count } = dataOf(aiRecordApi.export_images, await app.call(aiRecordApi.export_images, { ids: [id], reason: '公安机关调取' }, { token: me.token }))
  expect(count).toBe(1)
  const state = async () => dataOf(jobApi.one, await app.call(jobApi.one, { job_no }, { token: me.token })).state
  while (['queued', 'running'].includes(await state())) await pause(20)
  expect(await state()).toBe('succeeded')
  const { bytes } = await app.call(jobApi.result, { job_no }, { token: me.token })
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  expect(await select(sql`select user_id::text as user_id, reason, images, sha256 from ai_image_export where school_id = ${school_id} and job_no = ${job_no}`)).toEqual([{ user_id: me.user_id, reason: '公安机关调取', images: 1, sha256 }])
  const text = Buffer.from(bytes).toString('utf8')
  expect([text.includes(`${id}_1.jpg`), text.includes('manifest.csv'), text.includes('公安机关调取'), text.includes('操场摄像机'), text.includes(me.user_no)]).toEqual([true, true, true, true, true])
})

test('pictures go after ninety days, those of what was found 违规 stay', async () => {
  const [old, illegal] = [await aWarning(91 * day_ms, true), await aWarning(91 * day_ms, true)]
  await decide('illegal', illegal)
  const now = app.clock.now()
  for (const ref of [old, illegal]) await tenant(db => pictureLook.run(db, { app: app.running.app, school_id, ref, now }))
  expect(await select(sql`select jsonb_array_length(images) as n from ai_warning where school_id = ${school_id} and warning_id in (${old}, ${illegal}) order by warning_id`)).toEqual([{ n: 0 }, { n: 1 }])
  expect(await select(sql`select count(*)::int as waits from work where school_id = ${school_id} and kind = 'devices.ai_pictures' and ref = ${illegal}`)).toEqual([{ waits: 1 }])
})
