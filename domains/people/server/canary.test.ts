import { startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { archiveFeedApi, asOfApi, parentApi, personApi, personHistoryApi, personPageApi, studentApi } from '@campus/people/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from './db.ts'
import { linkGuardians } from './guardian.create.ts'
import type { SmallSchool } from './people.builders.ts'
import { dayOf, openSchool } from './testing/changer.ts'
import { enrolStudents } from './student.create.ts'

/** Everything that may be read but the reveal and the full export. */
const codes = ['people.student.view', 'people.parent.view', 'people.staff.view', 'people.archive.view', 'people.change.view', 'people.quit.view', 'people.student.edit']
const from = '2026-09-01'
const id_no = '370200201805120013'
const mobile = '16912345671'

let app: TestApp
let school: SmallSchool
let reader: TestUser
let pupil = ''
let parent = ''

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, 1001)
  reader = await app.as({ school_id: 1001, codes })
  const { secrets } = app.running.app
  await app.running.database.tenant<PeopleDb, void>(1001, async db => {
    const [child = ''] = await enrolStudents(db, secrets, 1001, [{ user_name: '金小雀', sex: '1', student_no: 'CANARY1', enrol_month: '202609', dept_id: school.class_1, from, id_type: '1', id_no }])
    const [guardian] = await linkGuardians(db, secrets, 1001, [{ student_user_id: child, user_name: '金大雀', mobile, relation: '51', is_first: true, is_guardian: true, from }])
    pupil = child
    parent = guardian ?? ''
  })
})
afterAll(() => app.close())

const unmasked = [id_no, mobile]
/** The text holds the person, and none of what is masked. */
function expectMasked(name: string, text: string): void {
  expect({ name, leaks: unmasked.filter(value => text.includes(value)) }).toEqual({ name, leaks: [] })
}

test('20-A28 what is protected leaves no list, no file, no history and no log unmasked for a role without the code', async () => {
  const { token } = reader
  const asked: [string, Promise<Answer>][] = [
    ['list', app.call(studentApi.list, { keyword: 'CANARY1' }, { token })],
    ['search by number', app.call(studentApi.list, { keyword: id_no }, { token })],
    ['parents', app.call(parentApi.list, { keyword: mobile }, { token })],
    ['file', app.call(personApi.detail, { id: pupil }, { token })],
    ['head', app.call(personPageApi.head, { id: pupil }, { token })],
    ['head of the parent', app.call(personPageApi.head, { id: parent }, { token })],
    ['timeline', app.call(personPageApi.timeline, { id: pupil }, { token })],
    ['history', app.call(personHistoryApi.history, { id: pupil, field: 'id_no' }, { token })],
    ['changes', app.call(archiveFeedApi.student, { user_id: pupil }, { token })],
    ['as of a day', app.call(asOfApi.asOf, { id: pupil, on: dayOf(app) }, { token })],
  ]
  for (const [name, answering] of asked) {
    const answer = await answering
    expect({ name, status: answer.status }).toEqual({ name, status: 200 })
    expectMasked(name, JSON.stringify(answer.body.data))
  }
  const found = await app.call(studentApi.list, { keyword: id_no }, { token })
  expect(JSON.stringify(found.body.data)).toContain('金小雀')
})

test('20-A28 a reveal is refused without the code, and no log holds what was revealed to another', async () => {
  expect((await app.call(personApi.reveal, { user_id: pupil, fields: ['id_no'], reason: '核对' }, { token: reader.token })).status).toBe(403)
  const trusted = await app.as({ school_id: 1001, codes: [...codes, 'people.person.reveal'] })
  const shown = await app.call(personApi.reveal, { user_id: pupil, fields: ['id_no'], reason: '核对' }, { token: trusted.token })
  expect(JSON.stringify(shown.body.data)).toContain(id_no)
  for (const table of ['operation_log', 'archive_log', 'work']) {
    const text = await app.running.database.tenant<unknown, string>(1001, async db => (await sql<{ text: string | null }>`select string_agg(to_jsonb(t)::text, ' ') as text from ${sql.table(table)} t`.execute(db)).rows[0]?.text ?? '')
    expectMasked(table, text)
  }
})
