import { dataOf, domains, startTestApp } from '@apps/server/testing'
import type { TestApp, TestUser } from '@apps/server/testing'
import { changeApi, deptEditApi, peopleEvents, personApi, studentFileApi, tagApi } from '@campus/people/contract'
import type { Request } from '@kit/contract'
import { consume } from '@kit/server/event'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { line } from './import/import.builders.ts'
import type { SmallSchool } from './people.builders.ts'
import { changer, dayOf, openSchool, pupilsIn } from './testing/changer.ts'
import type { Draft } from './testing/changer.ts'
import { importer } from './testing/importer.ts'

const school_id = 1001
const codes = ['people.change.run', 'people.change.view', 'people.change.undo', 'people.student.view', 'people.student.edit', 'people.student.import', 'people.dept.view', 'people.dept.edit', 'people.tag.edit']
const day_ms = 86_400_000

let app: TestApp
let school: SmallSchool
let registrar: TestUser
let own: ReturnType<typeof changer>
let made = 0
let heard = '0'

beforeAll(async () => {
  const consumers = Object.values(peopleEvents).map(({ name, payload }) => consume(`probe.${name.replaceAll('.', '_')}`, name, payload, async () => undefined))
  app = await startTestApp({ domains: [...domains, { name: 'probe', migrations: import.meta.dirname, routes: [], consumers }] })
  school = await openSchool(app, school_id)
  await signIn()
})
afterAll(() => app.close())

async function signIn(): Promise<void> {
  registrar = await app.as({ school_id, codes })
  own = changer(app, registrar)
}

async function pupil(): Promise<string> {
  made += 1
  const [id = ''] = await pupilsIn(app, school_id, school.class_1, [`TD${made}`])
  return id
}

/** What this domain has told since the last time this was asked, in order. */
async function told(): Promise<[string, unknown][]> {
  const { rows } = await app.running.database.tenant(school_id, db => sql<{ event_no: string; name: string; payload: unknown }>`
    select event_no, name, payload from outbox where school_id = ${school_id} and event_no > ${heard} and name like 'people.%' order by event_no`.execute(db))
  heard = rows.at(-1)?.event_no ?? heard
  return rows.map(row => [row.name, row.payload])
}

/** Everybody whom events of this kind name. */
function idsOf(facts: readonly [string, unknown][], { name, payload }: typeof peopleEvents.personCreated): string[] {
  return facts.filter(fact => fact[0] === name).flatMap(fact => payload.parse(fact[1]).user_ids)
}

const edit = async (user_id: string, patch: Partial<Request<typeof studentFileApi.update>>) => {
  const { row_version } = dataOf(personApi.detail, await app.call(personApi.detail, { id: user_id }, { token: registrar.token }))
  const answer = await app.call(studentFileApi.update, { user_id, row_version, ...patch }, { token: registrar.token })
  expect(answer.body.msg).toBe('操作成功')
}
const move = (user_id: string, on: string): Draft => ({ kind: 'CLASS', subjects: [{ user_id, from_dept_id: school.class_1, to_dept_id: school.class_2 }], effective_on: on })

test('a new pupil and an edited file tell what others copy, and no values', async () => {
  await told()
  const draft = { dept_id: school.class_2, user_name: '林小雨', sex: '2', student_no: 'TOLD1', parents: [{ user_name: '林父', mobile: '16900019999', relation: '51' }] }
  const { user_id } = dataOf(studentFileApi.create, await app.call(studentFileApi.create, draft, { token: registrar.token }))
  const facts = await told()
  expect(facts.map(([name]) => name).toSorted()).toEqual(['people.change_applied', 'people.guardian_changed', 'people.person_created'])
  const created = idsOf(facts, peopleEvents.personCreated)
  expect([created.includes(user_id), created.length]).toEqual([true, 2])
  await edit(user_id, { user_name: '林小语', birthday: '2018-05-12' })
  expect(await told()).toEqual([
    ['people.person_renamed', { people: [{ user_id, fields: ['user_name'] }] }],
    ['people.birth_date_changed', { user_ids: [user_id] }],
  ])
  await edit(user_id, { remark: '对花生过敏' })
  expect(await told()).toEqual([])
})

test('a move tells from where to where; taking it back tells the way back', async () => {
  const user_id = await pupil()
  await told()
  const { command_id } = await own.give(move(user_id, dayOf(app)))
  const command = { command_id, kind: 'CLASS' }
  expect(await told()).toEqual([
    ['people.person_moved', { people: [{ user_id, from: school.class_1, to: school.class_2 }], on: dayOf(app) }],
    ['people.change_applied', command],
  ])
  await own.undo(command_id)
  expect(await told()).toEqual([
    ['people.person_moved', { people: [{ user_id, from: school.class_2, to: school.class_1 }], on: dayOf(app) }],
    ['people.change_undone', command],
  ])
})

test('an import tells its new people in bulk; taking it back tells that nothing is left of them', async () => {
  await told()
  const by = importer(app, registrar)
  const lines = ['81', '82', '83'].map(n => line({ student_no: `TOLD${n}`, school_roll_no: '', id_type: '护照', id_no: `E77${n}`, p1_name: `家长${n}`, p1_mobile: `169000881${n}`, p2_name: '', p2_relation: '', p2_mobile: '', p2_guardian: '' }))
  const { batch_no } = await by.dryRun('student', lines)
  expect((await by.rows(batch_no)).map(row => row.errors)).toEqual([[], [], []])
  expect(await by.apply(batch_no)).toMatchObject({ rows_applied: 3 })
  const created = idsOf(await told(), peopleEvents.personCreated)
  expect(created).toHaveLength(6)
  expect((await by.undo(batch_no)).batch).toMatchObject({ state: 'undone' })
  const purged = idsOf(await told(), peopleEvents.personPurged)
  expect(purged.toSorted()).toEqual(created.toSorted())
})

test('a departure for a day to come tells nothing before its day, and then once; so does a name a class gets by its date', async () => {
  const user_id = await pupil()
  await told()
  const on = dayOf(app, 2)
  const { command_id } = await own.give({ kind: 'OUT', subjects: [{ user_id }], effective_on: on, reason: '迁居' })
  const { row_version } = dataOf(deptEditApi.detail, await app.call(deptEditApi.detail, { school_id, id: school.class_2 }, { token: registrar.token }))
  const renamed = await app.call(deptEditApi.update, { school_id, id: school.class_2, row_version, dept_name: '一年级启明班', effective_on: on }, { token: registrar.token })
  expect(renamed.body.msg).toBe('操作成功')
  expect(await told()).toEqual([])
  app.clock.advance(2 * day_ms)
  await signIn()
  await expect.poll(async () => dataOf(changeApi.detail, await own.detail(command_id)).state, { timeout: 20_000, interval: 100 }).toBe('settled')
  expect(await told()).toEqual([
    ['people.dept_changed', { dept_ids: [school.class_2] }],
    ['people.person_departed', { user_ids: [user_id], on, kind: 'OUT' }],
    ['people.change_applied', { command_id, kind: 'OUT' }],
  ])
  await own.undo(command_id)
  expect((await told()).map(([name]) => name)).toEqual(['people.person_restored', 'people.change_undone'])
})

test('departments, duties and tags tell whom they concern', async () => {
  const user_id = await pupil()
  await told()
  const { row_version } = dataOf(deptEditApi.detail, await app.call(deptEditApi.detail, { school_id, id: school.class_1 }, { token: registrar.token }))
  await app.call(deptEditApi.update, { school_id, id: school.class_1, row_version, capacity: 45 }, { token: registrar.token })
  expect(await told()).toEqual([['people.dept_changed', { dept_ids: [school.class_1] }]])
  const { id: tag_id } = dataOf(tagApi.add, await app.call(tagApi.add, { tag_name: '特长生', color: 'blue', is_sensitive: false, person_kinds: [1] }, { token: registrar.token }))
  await app.call(tagApi.bind, { id: tag_id, user_ids: [user_id] }, { token: registrar.token })
  expect(await told()).toEqual([['people.tag_changed', { tag_id, user_ids: [user_id] }]])
})
