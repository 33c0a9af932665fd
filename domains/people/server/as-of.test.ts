import { dataOf, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { asOfApi, fieldApi, personApi, staffFileApi } from '@campus/people/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { SmallSchool } from './people.builders.ts'
import { changer, dayOf, openSchool } from './testing/changer.ts'

const school_id = 1001
const codes = ['people.archive.view', 'people.staff.view', 'people.staff.edit', 'people.student.view', 'people.change.run', 'people.person.reveal', 'people.field.edit']
const day_ms = 86_400_000
let app: TestApp
let school: SmallSchool
let clerk: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await openSchool(app, school_id)
  clerk = await app.as({ school_id, codes })
})
afterAll(() => app.close())

const asOf = (id: string, on: string, who = clerk) => app.call(asOfApi.asOf, { id, on }, { token: who.token })
const save = async (user_id: string, patch: object) => {
  const { row_version } = dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id }, { token: clerk.token }))
  expect((await app.call(staffFileApi.update, { user_id, row_version, ...patch }, { token: clerk.token })).status).toBe(200)
}

test('the file of a teacher as it was a past day, with the departments of that day; of somebody who left as it was before', async () => {
  const [chen = '', zhou = ''] = school.teachers
  await save(chen, { title: null, email: 'old@example.com' })
  const then = dayOf(app)
  app.clock.advance(2 * day_ms)
  clerk = await app.as({ school_id, codes })
  await save(chen, { email: 'new@example.com', mobile: '16910000009' })
  const file = dataOf(asOfApi.asOf, await asOf(chen, then))
  expect(file).toMatchObject({ person_kind: 2, user_name: '陈晓华', user_no: 'T1', dept_name: '教务处（主）', state: '11', guardians: [] })
  expect(file.fields.find(field => field.field === 'email')).toEqual({ field: 'email', label: '电子信箱', value: 'old@example.com', changed: true })
  expect(file.fields.find(field => field.field === 'mobile')).toMatchObject({ value: '169****0001', changed: true })
  expect(JSON.stringify(file)).not.toMatch(/1691000000[19]/)
  const left = { kind: 'STAFF_OUT' as const, subjects: [{ user_id: zhou }], leave_state: '05' as const, successors: [], effective_on: dayOf(app), reason: '调往他校' }
  await changer(app, clerk).give(left)
  const gone = dataOf(asOfApi.asOf, await asOf(zhou, then))
  expect(gone).toMatchObject({ user_name: '周明', state: '11', dept_name: '教务处（主）' })
  expect((await asOf(zhou, dayOf(app))).status).toBe(404)
})

test('20-A12 the file of a pupil who has left is still there as of a day he was here, for whoever kept his class alone', async () => {
  const [, , ming = ''] = school.pupils
  const then = dayOf(app, -1)
  await changer(app, clerk).give({ kind: 'OUT', subjects: [{ user_id: ming }], effective_on: dayOf(app), reason: '随家长迁居' })
  expect(dataOf(asOfApi.asOf, await asOf(ming, then))).toMatchObject({ person_kind: 1, user_name: '单小明', dept_name: '一年级2班', state: '01' })
  const head = (scope_ids: string[]) => app.as({ school_id, codes, scope: 'custom', scope_ids })
  expect((await asOf(ming, then, await head([school.class_2]))).status).toBe(200)
  expect((await asOf(ming, then, await head([school.class_1]))).status).toBe(404)
})

test('20-A28 protected values of staff are shown for a reason, inside the scope alone', async () => {
  const [chen = ''] = school.teachers
  expect((await app.call(fieldApi.save, { field_scene: 2, list: [{ field_code: 'bank_no', label: '工资卡号', type: 'text', level: 3 }] }, { token: clerk.token })).status).toBe(200)
  await save(chen, { ext: { bank_no: '6222000011112222' } })
  const reveal = (who: TestUser, reason: string) => app.call(personApi.reveal, { user_id: chen, fields: ['mobile', 'ext.bank_no'], reason }, { token: who.token })
  const file = dataOf(staffFileApi.detail, await app.call(staffFileApi.detail, { user_id: chen }, { token: clerk.token }))
  expect(JSON.stringify(file)).not.toContain('6222000011112222')
  expect((await reveal(clerk, ' ')).body.msg).toBe('请填写原因')
  expect(dataOf(personApi.reveal, await reveal(clerk, '核对工资'))).toEqual({ user_id: chen, values: { mobile: '16910000009', 'ext.bank_no': '6222000011112222' } })
  const other = await app.as({ school_id, codes, scope: 'custom', scope_ids: [school.class_1] })
  expect((await reveal(other, '看看')).status).toBe(404)
})
