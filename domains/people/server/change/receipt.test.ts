import { dataOf, sheetLines, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { changeApi } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn } from '../testing/changer.ts'
import type { Draft } from '../testing/changer.ts'

const codes = ['people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view']

let app: TestApp
let school: SmallSchool
let own: ReturnType<typeof changer>
let registrar: TestUser
let first: TestUser
let second: TestUser
/** one pupil of each class by one command, and one more command for later */
let mixed: ChangeReceipt
let planned: ChangeReceipt
let ids: string[]

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  registrar = await app.as({ school_id: 1001, codes })
  first = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_1] })
  second = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.class_2] })
  own = changer(app, registrar)
  const [a = ''] = await pupilsIn(app, 1001, school.class_1, ['R1'])
  const [b = ''] = await pupilsIn(app, 1001, school.class_2, ['R2'])
  const [c = ''] = await pupilsIn(app, 1001, school.class_1, ['R3'])
  ids = [a, b, c]
  mixed = await own.give({ kind: 'OUT', subjects: [{ user_id: a }, { user_id: b }], effective_on: dayOf(app), reason: '迁居' })
  planned = await own.give({ kind: 'CLASS', subjects: [{ user_id: c, from_dept_id: school.class_1, to_dept_id: school.class_2 }], effective_on: dayOf(app, 5) })
})
afterAll(() => app.close())

async function page(query: Request<typeof changeApi.page>, who = registrar) {
  return dataOf(changeApi.page, await app.call(changeApi.page, query, { token: who.token }))
}
const found = async (query: Request<typeof changeApi.page>, who = registrar) => (await page(query, who)).list.map(row => row.command_id)

describe('the record of changes', () => {
  test('shows the latest first, with names, counts and who gave the command', async () => {
    const { list, total } = await page({})
    expect([total, list.map(row => row.command_id)]).toEqual([2, [planned.command_id, mixed.command_id]])
    expect(list[1]).toMatchObject({ kind: 'OUT', subject_count: 2, subject_names: ['学生R1', '学生R2'], created_by: expect.stringMatching(/^测试用户/), counts: { done: 3, waiting: 0, failed: 0, skipped: 4 } })
  })

  test('is filtered by kind, state, person, day and keyword', async () => {
    const [a = ''] = ids
    expect(await found({ kind: 'OUT' })).toEqual([mixed.command_id])
    expect(await found({ state: 'scheduled' })).toEqual([planned.command_id])
    expect(await found({ user_id: a })).toEqual([mixed.command_id])
    expect(await found({ from: dayOf(app, 1) })).toEqual([planned.command_id])
    expect(await found({ to: dayOf(app) })).toEqual([mixed.command_id])
    expect(await found({ keyword: '学生R3' })).toEqual([planned.command_id])
    expect(await found({ keyword: 'R2' })).toEqual([mixed.command_id])
    expect(await found({ keyword: 'R2', kind: 'CLASS' })).toEqual([])
    expect((await app.call(changeApi.page, { user_id: '999999999' }, { token: registrar.token })).status).toBe(404)
  })

  test('shows a class teacher what concerns the own class, and names nobody else', async () => {
    expect(await found({}, first)).toEqual([planned.command_id, mixed.command_id])
    expect((await page({}, first)).list[1]).toMatchObject({ subject_count: 2, subject_names: ['学生R1'] })
    expect((await page({}, second)).list[0]).toMatchObject({ command_id: planned.command_id, subject_names: ['学生R3'] })
    const receipt = dataOf(changeApi.detail, await changer(app, second).detail(mixed.command_id))
    expect(receipt.subjects.map(subject => subject.user_name)).toEqual(['学生R2'])
    expect(JSON.stringify(receipt)).not.toContain('R1')
    expect(await found({ keyword: 'R1' }, second)).toEqual([])
  })

  test('20 §6 is exported as it is listed: whom the reader may see, with the filter in its head', async () => {
    const exporter = (scope: object) => app.as({ school_id: 1001, codes: ['people.change.view', 'people.change.export'], ...scope })
    const lines = async (query: Request<typeof changeApi.export>, scope: object = {}) => sheetLines(await app.call(changeApi.export, query, { token: (await exporter(scope)).token }))
    const [title = [], , filter = [], head = [], ...rows] = await lines({ kind: 'OUT' })
    expect([title[0], filter[0]]).toEqual(['测试一校　变更记录　共1条', '条件：类型 转出'])
    expect(head.slice(0, 6)).toEqual(['类型', '状态', '生效日期', '人数', '人员', '原因'])
    expect(rows.map(row => row.slice(0, 6))).toEqual([['转出', '已完成', dayOf(app), '2', '学生R1、学生R2', '迁居']])
    const narrow = await lines({}, { scope: 'custom', scope_ids: [school.class_2] })
    expect(JSON.stringify(narrow)).not.toContain('R1')
    expect((await app.call(changeApi.export, { user_id: '999999999' }, { token: (await exporter({})).token })).status).toBe(404)
    expect((await app.call(changeApi.export, {}, { token: registrar.token })).status).toBe(403)
  })

  test('20-A35 a command outside the scope does not exist; one that reaches beyond it is not taken back', async () => {
    const stranger = await app.as({ school_id: 1001, codes, scope: 'custom', scope_ids: [school.office] })
    const foreign = await app.as({ school_id: 1002, codes })
    for (const who of [stranger, foreign]) {
      for (const answer of [await changer(app, who).detail(mixed.command_id), await changer(app, who).undo(mixed.command_id), await changer(app, who).cancel(planned.command_id)]) expect(answer.status).toBe(404)
      expect(await found({}, who)).toEqual([])
    }
    expect((await changer(app, first).undo(mixed.command_id)).status).toBe(403)
    expect((await own.detail(mixed.command_id)).status).toBe(200)
  })

  test('prints the names of people who were deleted as 已注销人员', async () => {
    const [a = ''] = ids
    const mark = (status: string) => app.running.database.tenant<PeopleDb, unknown>(1001, db => db.updateTable('person').set({ status }).where('school_id', '=', 1001).where('user_id', '=', a).execute())
    await mark('purged')
    expect((await page({ kind: 'OUT' })).list[0]?.subject_names).toEqual(['已注销人员', '学生R2'])
    await mark('live')
  })
})

test('the operation log names the command, its people and the reason', async () => {
  const [user_id = ''] = await pupilsIn(app, 1001, school.class_1, ['R9'])
  const draft: Draft = { kind: 'ABROAD', subjects: [{ user_id }], effective_on: dayOf(app), reason: '随父母出国' }
  const { command_id } = await own.give(draft)
  await own.undo(command_id, '未成行')
  const { rows } = await app.running.database.tenant<unknown, { rows: unknown[] }>(1001, db => sql`
    select call, target_name, reason, after->>'event' as event from operation_log where school_id = 1001 and target_kind = 'people.change' and target_id = ${command_id} order by happened_at, log_id`.execute(db))
  expect(rows).toEqual([
    { call: 'people.change.apply', target_name: '出国：学生R9', reason: '随父母出国', event: 'people.change.run:ABROAD' },
    { call: 'people.change.undo', target_name: '出国：学生R9', reason: '未成行', event: 'people.change.undo:ABROAD' },
  ])
})
