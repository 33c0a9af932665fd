import { dataOf, startTestApp } from '@apps/server/testing'
import type { Answer, TestApp, TestUser } from '@apps/server/testing'
import { asOfApi, fieldApi, mergeApi, peopleErrors, personApi, studentApi, studentFileApi } from '@campus/people/contract'
import type { CustomField, PersonFile } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { PeopleDb } from '../db.ts'
import { buildSmallSchool } from '../people.builders.ts'
import type { SmallSchool } from '../people.builders.ts'
import { writeExt } from './field.queries.ts'
import { planReseal } from './reseal.ts'

type Line = Request<typeof fieldApi.save>['list'][number]

const codes = ['people.field.edit', 'people.student.view', 'people.student.edit', 'people.person.reveal', 'people.archive.view']
const hobby = { field_code: 'hobby', label: '兴趣爱好', type: 'multi', options: ['围棋', '足球', '合唱'], in_index: true } satisfies Line
const height = { field_code: 'height', label: '身高', type: 'number', group_name: '体质' } satisfies Line
const escort = { field_code: 'escort', label: '接送人手机', type: 'mobile', level: 3 } satisfies Line
let app: TestApp
let school: SmallSchool
let clerk: TestUser
let stranger: TestUser
let other: TestUser

beforeAll(async () => {
  app = await startTestApp()
  school = await makeSchool(1001)
  await makeSchool(1002)
  clerk = await app.as({ school_id: 1001, codes })
  stranger = await app.as({ school_id: 1001, codes: ['people.student.view'] })
  other = await app.as({ school_id: 1002, codes })
  await define([hobby, height, escort])
})

afterAll(() => app.close())

async function makeSchool(school_id: number): Promise<SmallSchool> {
  const { app: running, database } = app.running
  return database.tenant<PeopleDb, SmallSchool>(school_id, async db => {
    const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
    return buildSmallSchool(db, running.secrets, school_id, root.id)
  })
}

const save = (list: Line[], who = clerk) => app.call(fieldApi.save, { field_scene: 1, list }, { token: who.token })
const fieldsOf = async (who = clerk) => dataOf(fieldApi.list, await app.call(fieldApi.list, { field_scene: 1 }, { token: who.token })).list
const asLine = (field: CustomField): Line => {
  const { order_no: _, used: __, may_edit: ___, ...line } = field
  return line
}
const standing = async () => (await fieldsOf()).map(asLine)
const define = async (lines: Line[]) => dataOf(fieldApi.save, await save([...(await standing()), ...lines])).list
const file = async (id: string): Promise<PersonFile> => dataOf(personApi.detail, await app.call(personApi.detail, { id }, { token: clerk.token }))
const valuesOf = ({ custom }: PersonFile) => Object.fromEntries(custom.map(field => [field.field_code, field.value]))

async function fill(user_id: string, ext: Record<string, string | null>): Promise<Answer> {
  const { row_version } = await file(user_id)
  return app.call(studentFileApi.update, { user_id, row_version, ext }, { token: clerk.token })
}

function errorsOf({ body }: Answer): unknown {
  return typeof body.data === 'object' && body.data !== null ? Reflect.get(body.data, 'errors') : null
}

test('a value is read as its type says, stands in the file and in the journal, and goes with null', async () => {
  const [id = ''] = school.pupils
  expect((await fill(id, { hobby: '合唱，围棋', height: ' 141.5 ' })).status).toBe(200)
  expect(valuesOf(await file(id))).toEqual({ hobby: '围棋、合唱', height: '141.5', escort: null })
  expect((await fill(id, { height: null })).status).toBe(200)
  expect(valuesOf(await file(id))).toEqual({ hobby: '围棋、合唱', height: null, escort: null })
  const version = (await file(id)).row_version
  expect((await fill(id, { hobby: '围棋、合唱' })).status).toBe(200)
  expect((await file(id)).row_version).toBe(version)
  const rows = await app.running.database.tenant<PeopleDb, { changes: unknown }[]>(1001, db =>
    db.selectFrom('archive_log_v').select('changes').where('school_id', '=', 1001).where('person_id', '=', id).orderBy('happened_at').orderBy('log_id').execute())
  expect(rows.map(row => row.changes)).toEqual([
    [{ field: 'ext.hobby', label: '兴趣爱好', before: null, after: '围棋、合唱' }, { field: 'ext.height', label: '身高', before: null, after: '141.5' }],
    [{ field: 'ext.height', label: '身高', before: '141.5', after: null }],
  ])
})

test('the roll shows offered fields, finds by a chosen value and by nothing filled', async () => {
  const [id = '', second = '', third = ''] = school.pupils
  expect((await fill(second, { hobby: '足球', escort: '16900017771' })).status).toBe(200)
  const ask = async (ext?: string) => app.call(studentApi.list, { ext }, { token: clerk.token })
  const found = async (ext?: string) => dataOf(studentApi.list, await ask(ext)).list.map(row => [row.user_id, row.ext])
  expect(await found()).toEqual([[id, { hobby: '围棋、合唱' }], [second, { hobby: '足球' }], [third, {}]])
  expect(await found('hobby:围棋')).toEqual([[id, { hobby: '围棋、合唱' }]])
  expect(await found('hobby:围')).toEqual([])
  expect(await found('hobby:')).toEqual([[third, {}]])
  expect((await ask('escort:16900017771')).status).toBe(422)
  expect((await ask('height:141.5')).body.msg).toBe(peopleErrors.fieldGone.msg)
  expect((await fill(second, { hobby: null, escort: null })).status).toBe(200)
})

test('wrong values stand beside their fields, and nothing of the edit is written', async () => {
  const [, id = ''] = school.pupils
  const answer = await fill(id, { hobby: '围棋、滑板', height: '高', escort: '12345', shoes: '35' })
  expect(answer.status).toBe(422)
  expect(errorsOf(answer)).toEqual([
    { field: 'ext.shoes', msg: '字段不存在或已停用' },
    { field: 'ext.hobby', msg: '没有选项：滑板' },
    { field: 'ext.height', msg: '请填写数字，最多四位小数' },
    { field: 'ext.escort', msg: expect.any(String) },
  ])
  expect(valuesOf(await file(id))).toEqual({ hobby: null, height: null, escort: null })
})

test('a sensitive value is masked in file and journal, and shown for a reason', async () => {
  const [, id = ''] = school.pupils
  expect((await fill(id, { escort: '16900017777' })).status).toBe(200)
  expect(valuesOf(await file(id)).escort).toBe('169****7777')
  const journal = await app.running.database.tenant<PeopleDb, unknown[]>(1001, db => db.selectFrom('archive_log_v').selectAll().where('school_id', '=', 1001).execute())
  expect(JSON.stringify(journal)).not.toContain('16900017777')
  const answer = await app.call(personApi.reveal, { user_id: id, fields: ['ext.escort'], reason: '核对接送人' }, { token: clerk.token })
  expect(dataOf(personApi.reveal, answer).values).toEqual({ 'ext.escort': '16900017777' })
})

test('a sensitive value lies sealed in the database; it opens where the field is sensitive no more, and closes again', async () => {
  const [, id = ''] = school.pupils
  const kept = async () => app.running.database.tenant<PeopleDb, unknown>(1001, async db => (await db.selectFrom('student').select('ext').where('school_id', '=', 1001).where('user_id', '=', id).executeTakeFirstOrThrow()).ext)
  const turn = async (level: number) => dataOf(fieldApi.save, await save((await standing()).map(line => (line.field_code === 'escort' ? { ...line, level } : line))))
  expect((await fill(id, { escort: '16900017777' })).status).toBe(200)
  expect(await kept()).toEqual({ escort: expect.stringMatching(/^sealed:[\w+/=]{40,}$/) })
  await turn(1)
  expect([await kept(), valuesOf(await file(id)).escort]).toEqual([{ escort: '16900017777' }, '16900017777'])
  await turn(3)
  expect([JSON.stringify(await kept()).includes('16900017777'), valuesOf(await file(id)).escort]).toEqual([false, '169****7777'])
  const version = (await file(id)).row_version
  expect((await fill(id, { escort: '16900017777' })).status).toBe(200)
  expect((await file(id)).row_version).toBe(version)
})

test('the file as of a day before says what stood there', async () => {
  const [, , id = ''] = school.pupils
  await fill(id, { height: '150' })
  const on = new Date(app.running.app.clock.now().getTime() - 86_400_000).toISOString().slice(0, 10)
  const { fields } = dataOf(asOfApi.asOf, await app.call(asOfApi.asOf, { id, on }, { token: clerk.token }))
  expect(fields.find(field => field.field === 'ext.height')).toEqual({ field: 'ext.height', label: '身高', value: '', changed: true })
})

test('code and type of a field in use stay; a field goes by being archived, never by absence', async () => {
  const lines = await standing()
  const [first] = lines
  expect(first?.field_code).toBe('hobby')
  const change = (more: Partial<Line>) => save(lines.map(line => (line === first ? { ...line, ...more } : line)))
  expect((await change({ field_code: 'hobbies' })).body.msg).toBe(peopleErrors.fieldCodeFixed.msg)
  expect((await change({ type: 'text', options: null })).body.msg).toContain('不能更改类型')
  expect((await change({ label: '身高' })).body.msg).toBe(peopleErrors.fieldLabelTaken.msg)
  expect((await change({ label: '民族' })).body.msg).toBe(peopleErrors.fieldLabelTaken.msg)
  expect((await save(lines.slice(1))).status).toBe(409)
  expect((await change({ archived: true })).status).toBe(200)
  const [id = ''] = school.pupils
  expect(valuesOf(await file(id))).not.toHaveProperty('hobby')
  expect((await save(lines)).body.msg).toBe(peopleErrors.fieldListStale.msg)
  const back = (await standing()).map(line => ({ ...line, archived: false }))
  expect((await save(back)).status).toBe(200)
  expect(valuesOf(await file(id)).hobby).toBe('围棋、合唱')
})

test('a required field is demanded of a new pupil and cannot be emptied', async () => {
  await define([{ field_code: 'allergy', label: '过敏史', type: 'text', required: true, max_len: 5 }])
  const parents = [{ user_name: '林父', mobile: '16900018888', relation: '51' }]
  const draft = { dept_id: school.class_2, user_name: '林小雨', sex: '2', student_no: 'EXT1', parents }
  const refused = await app.call(studentFileApi.create, draft, { token: clerk.token })
  expect(errorsOf(refused)).toEqual([{ field: 'ext.allergy', msg: '必填项不能为空' }])
  const { user_id } = dataOf(studentFileApi.create, await app.call(studentFileApi.create, { ...draft, ext: { allergy: '花生' } }, { token: clerk.token }))
  expect(valuesOf(await file(user_id)).allergy).toBe('花生')
  expect(errorsOf(await fill(user_id, { allergy: null }))).toEqual([{ field: 'ext.allergy', msg: '必填项不能为空' }])
  expect(errorsOf(await fill(user_id, { allergy: '花生和牛奶等' }))).toEqual([{ field: 'ext.allergy', msg: '超过5个字' }])
})

test('fields are set by whoever may, for a scene that has them, and never of another school', async () => {
  expect((await save([], stranger)).status).toBe(403)
  expect((await fieldsOf(stranger)).length).toBeGreaterThan(0)
  expect(await fieldsOf(other)).toEqual([])
  const foreign = await save(await standing(), other)
  expect(foreign.status).toBe(404)
  expect((await app.call(fieldApi.list, { field_scene: 3 }, { token: clerk.token })).body.msg).toBe(peopleErrors.fieldScene.msg)
})

test('sixty live fields are the most', async () => {
  const before = await standing()
  const many = (count: number) => Array.from({ length: count }, (_, at) => ({ field_code: `f_${at}`, label: `项目${at}`, type: 'text' as const }))
  expect((await save([...before, ...many(61 - before.length)])).body.msg).toBe(peopleErrors.fieldTooMany.msg)
  expect((await save([...before, ...many(60 - before.length)])).status).toBe(200)
})

test('what lay open before there were seals is sealed at the next start; two files with one sealed value do not differ in it', async () => {
  const [first = '', second = ''] = school.pupils
  const inSchool = <R>(fn: (db: Parameters<typeof writeExt>[0]) => Promise<R>): Promise<R> => app.running.database.tenant<PeopleDb, R>(1001, fn)
  const kept = (user_id: string) => inSchool(async db => (await db.selectFrom('student').select('ext').where('school_id', '=', 1001).where('user_id', '=', user_id).executeTakeFirstOrThrow()).ext)
  for (const user_id of [first, second]) await inSchool(db => writeExt(db, { school_id: 1001, user_id, facet: 'student' }, { hobby: null, height: null, escort: '16900018888' }))
  await planReseal(app.running)
  await expect.poll(() => kept(second), { timeout: 15_000 }).toEqual({ escort: expect.stringMatching(/^sealed:/) })
  expect(await kept(first)).not.toEqual(await kept(second))
  const merger = await app.as({ school_id: 1001, codes: [...codes, 'people.merge.run'] })
  const { fields } = dataOf(mergeApi.preview, await app.call(mergeApi.preview, { keep: first, drop: second }, { token: merger.token }))
  expect(fields.find(field => field.field === 'student_ext')).toMatchObject({ verdict: 'same' })
})
