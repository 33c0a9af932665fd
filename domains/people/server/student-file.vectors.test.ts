import { startTestApp, vectorRows } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { checkIdNo, field_rules, isRegistryProp, registry, studentFileApi } from '@campus/people/contract'
import type { RegistryProp } from '@campus/people/contract'
import { normalise } from '@kit/contract'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { divisions } from './import/divisions.ts'
import { readField } from './import/field.ts'
import { schoolDay } from './day.ts'
import type { PeopleDb } from './db.ts'
import { student_columns } from './import/student.columns.ts'
import { buildSmallSchool } from './people.builders.ts'

type Vector = readonly [text: string, message: string]

let app: TestApp
let registrar: TestUser
let pupil: string

beforeAll(async () => {
  app = await startTestApp()
  registrar = await app.as({ school_id: 1001, codes: ['people.student.edit'] })
  pupil = await app.running.database.tenant<PeopleDb, string>(1001, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', 1001).executeTakeFirstOrThrow()
    const [first = ''] = (await buildSmallSchool(db, app.running.app.secrets, 1001, root.id)).pupils
    return first
  })
})

afterAll(() => app.close())

function rule(name: string, mode = ''): Vector[] {
  return vectorRows('validation').filter(row => row.rule === name && (mode === '' || row.mode === mode)).map(row => [row.input ?? '', row.message ?? ''])
}

/** Every vector of a field that a pupil's file has. Texts that only folding or trimming makes good are left to the checks themselves. */
const vectors: Partial<Record<RegistryProp, Vector[]>> = {
  user_name: rule('field.no_comma'),
  student_no: rule('field.student_no'),
  tel: [...rule('field.mobile'), ...vectorRows('mobile').map(row => [row.mobile ?? '', row.message ?? ''] as const)],
  email: [...rule('field.email'), ...vectorRows('email').map(row => [row.email ?? '', row.message ?? ''] as const)],
  id_no: [
    ...rule('field.id_card', '15_or_18'),
    ...vectorRows('id-card').map(row => [row.id_no ?? '', row.message_15_or_18 || (row.date_ok === '0' ? '身份证号格式不正确' : '')] as const),
  ],
}
const cases = Object.entries(vectors).flatMap(([prop, list]) => {
  if (!isRegistryProp(prop)) throw new Error(`no field ${prop}`)
  return list.filter(([text]) => text !== '' && normalise(registry[prop], text) === text).map(([text, message]) => [prop, text, message] as const)
})

/** What the call says of one value: the sentence beside its field, '' when it goes on to the version, which is wrong. */
async function calledVerdict(prop: string, text: string): Promise<string> {
  const document = prop === 'id_no' ? { id_type: '1' } : {}
  const answer = await app.call(studentFileApi.update, { user_id: pupil, row_version: -1, ...document, [prop]: text }, { token: registrar.token })
  if (answer.body.error_id === 'people.staleRow') return ''
  const errors: unknown = typeof answer.body.data === 'object' && answer.body.data !== null ? Reflect.get(answer.body.data, 'errors') : null
  const found = Array.isArray(errors) ? errors.find((item: { field: string }) => item.field === prop) : undefined
  return found?.msg ?? `refused with ${answer.status} ${answer.body.msg}`
}

function importedVerdict(prop: string, text: string): string {
  const column = student_columns.find(one => one.prop === prop)
  if (!column) return 'no such column'
  return readField(column, text, { today: schoolDay(app.clock.now()), codes: new Map(), divisions: divisions() }, '1').error ?? ''
}

/** The rules a form of the console has. */
function formVerdict(prop: string, text: string): string {
  if (!isRegistryProp(prop)) return 'no such field'
  const wrong = field_rules[prop].safeParse(text).error?.issues[0]?.message
  return wrong ?? (prop === 'id_no' ? (checkIdNo(text, '1', schoolDay(app.clock.now())) ?? '') : '')
}

test('20-A18 there are vectors for every kind of field', () => {
  expect(cases.length).toBeGreaterThan(120)
})

describe('20-A18 a vector has its verdict and sentence in form, call and import', () => {
  test.each(cases)('%s %s', async (prop, text, message) => {
    expect([formVerdict(prop, text), await calledVerdict(prop, text), importedVerdict(prop, text)]).toEqual([message, message, message])
  })
})

test('fields of the file are the columns of the sheet: name, kind, dictionary and length', () => {
  const columns = student_columns.filter(({ home }) => home === 'person' || home === 'student')
  const told = columns.map(column => ({ prop: column.prop, label: column.label, kind: column.kind, home: column.home, dict: 'dict' in column ? column.dict : undefined }))
  const fields = Object.entries(registry).map(([prop, { label, kind, home, dict }]) => ({ prop, label, kind, home, dict }))
  const by_prop = (a: { prop: string }, b: { prop: string }) => (a.prop < b.prop ? -1 : 1)
  expect(fields.toSorted(by_prop)).toEqual(told.toSorted(by_prop))
})
