import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { send } from '@campus/messages/server'
import { peopleTemplates, studentApi } from '@campus/people/contract'
import { savePref } from '@campus/school/server'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import type { SmallSchool } from '../people.builders.ts'
import { changer, dayOf, openSchool } from '../testing/changer.ts'
import { delete_codes, deleter, windowNow } from '../testing/deleter.ts'
import { importer } from '../testing/importer.ts'

const school_id = 1001
const codes = [...delete_codes, 'people.change.run', 'people.student.view', 'people.student.import']
const name = '欧阳甲乙'
let app: TestApp
let school: SmallSchool
let admin: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  admin = await app.as({ school_id, codes })
})
afterAll(() => app.close())

const inSchool = <R>(fn: Parameters<typeof app.running.database.tenant<PeopleDb, R>>[1]) => app.running.database.tenant<PeopleDb, R>(school_id, fn)

test('20-A24 a deleted person leaves no line of an import, no message and no setting behind; what others got stays', async () => {
  const sheets = importer(app, admin)
  const { batch_no: import_no } = await sheets.dryRun('student', [{ student_no: '20260201', user_name: name, remark: `${name}的备注` }])
  expect(await sheets.apply(import_no)).toMatchObject({ state: 'applied', rows_applied: 1 })
  const [pupil] = dataOf(studentApi.list, await app.call(studentApi.list, { keyword: name }, { token: admin.token })).list
  const user_id = pupil?.user_id ?? ''
  const [teacher = ''] = school.teachers
  await inSchool(async db => {
    const desk = { app: app.running.app, db, school_id, now: app.clock.now() }
    const note = { template: peopleTemplates.suspensionEnding, level: 1 as const }
    await send(desk, { ...note, source_ref: 'erase/1', to: [{ user_id: teacher, subject_user_id: user_id }], values: { names: name, day: '2026-12-01' } })
    await send(desk, { ...note, source_ref: 'erase/2', to: [{ user_id, subject_user_id: user_id }, { user_id: teacher }], values: { names: '两位同学', day: '2026-12-01' } })
    await savePref(db, { school_id, user_id, pref_key: 'quick_navs' }, ['/Dashboard'], app.clock.now())
  })
  await changer(app, admin).give({ kind: 'OUT', subjects: [{ user_id }], effective_on: dayOf(app), reason: '迁居', to_where: '外省' })
  const own = deleter(app, admin)
  await own.configure({ hold_days: 0, window: windowNow(app) })
  const batch_no = await own.listed([user_id])
  await expect.poll(() => own.states(batch_no), { timeout: 15_000 }).toEqual(['deleted'])
  const proof = await own.proofOf(batch_no, user_id)
  expect(proof.stores.map(store => [store.store, store.state])).toEqual(expect.arrayContaining([['db:messages', 'acked'], ['db:school', 'acked'], ['db:jobs', 'acked']]))
  for (const table of ['import_row', 'message', 'message_person', 'user_pref']) {
    const { rows } = await inSchool(db => sql<{ n: number }>`select count(*)::int as n from ${sql.table(table)} t where school_id = ${school_id} and to_jsonb(t)::text like ${`%${name}%`}`.execute(db))
    expect([table, rows[0]?.n]).toEqual([table, 0])
  }
  const { rows } = await inSchool(db => sql<{ title: string; subject_user_id: string | null }>`
    select m.title, p.subject_user_id::text as subject_user_id from message m join message_person p using (school_id, message_id) where m.school_id = ${school_id} and p.user_id = ${teacher} order by m.message_id`.execute(db))
  expect(rows).toEqual([{ title: '消息内容已随人员注销清除', subject_user_id: null }, { title: '学生休学即将到期', subject_user_id: null }])
})
