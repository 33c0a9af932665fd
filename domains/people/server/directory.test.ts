import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { declareScope, directory } from '@campus/identity/server'
import type { Scope } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db, PeopleDb } from './db.ts'
import { buildSmallSchool } from './people.builders.ts'
import type { SmallSchool } from './people.builders.ts'

const { a: school_id, b } = test_schools
let app: TestApp
let small: SmallSchool
let root: string

beforeAll(async () => {
  app = await startTestApp()
  await inSchool(async db => {
    root = (await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()).id
    small = await buildSmallSchool(db, app.running.app.secrets, school_id, root)
    await declareScope(db, school_id, 'test', [])
  })
})
afterAll(() => app.close())

const inSchool = <R>(work: (db: Db) => Promise<R>) => app.running.database.tenant<PeopleDb, R>(school_id, work)
const port = () => directory.one(app.running.app)

/** Names of the people of a query, in order. */
const named = (users: ReturnType<ReturnType<typeof port>['search']>) =>
  inSchool(async db => {
    const { rows } = await sql<{ user_name: string }>`select user_name from person where school_id = ${school_id} and user_id in (${users}) order by user_name collate "C"`.execute(db)
    return rows.map(row => row.user_name)
  })
const asker = (db: Db, kind: Scope['kind'], ids: string[] = [], user_id = small.teachers[0] ?? '') => {
  const scope = { kind, ids, facts: [{ kind: 'class_teacher' as const, id: small.class_1 }] }
  return { db, school_id, me: { user_id, user_dep: '1', scopes: { dept: scope, place: scope } }, now: app.clock.now() }
}
const covered = (kind: Scope['kind'], ids: string[] = []) => inSchool(db => port().covers(asker(db, kind, ids)))
const people = async (kind: Scope['kind'], ids: string[] = []) => {
  const { users } = await covered(kind, ids)
  return users === 'all' ? users : named(users)
}

test('people are found by name, pinyin, its initials and the end of their mobile, never by the whole number or identity', async () => {
  expect(await named(port().search(school_id, '子涵'))).toEqual(['王子涵'])
  expect(await named(port().search(school_id, 'chenxiaohua'))).toEqual(['陈晓华'])
  expect(await named(port().search(school_id, 'wzx'))).toEqual(['王子轩'])
  expect(await named(port().search(school_id, '0002'))).toEqual(['周明', '李秀芳'])
  expect(await named(port().search(school_id, '16910000001'))).toEqual([])
  expect(await named(port().search(school_id, '370200202005120019'))).toEqual([])
  expect(await named(port().search(b, '子涵'))).toEqual([])
})

test('a scope covers pupils by class, staff by department, parents by child, and oneself', async () => {
  expect(await people('all')).toBe('all')
  expect(await people('none')).toEqual(['陈晓华'])
  expect(await people('own')).toEqual(['周明', '陈晓华'])
  expect(await people('class_teacher')).toEqual(['李秀芳', '王子涵', '王子轩', '王志强', '陈晓华'])
  expect(await people('custom', [small.class_2])).toEqual(['单大山', '单小明', '陈晓华'])
  const { depts } = await covered('custom', [small.grade])
  expect(depts === 'all' ? depts : [...depts].toSorted()).toEqual([small.grade, small.class_1, small.class_2].toSorted())
})

test('members of a department are those of everything below it', async () => {
  const members = (dept_id: string) => inSchool(db => port().members(asker(db, 'all'), dept_id))
  const below = await members(small.grade)
  expect(below && (await named(below))).toEqual(['单小明', '王子涵', '王子轩'])
  expect(await members('987654')).toBeNull()
})

test('departments name their people and what lies below them', async () => {
  const [pupil = '', teacher = ''] = [small.pupils[0], small.teachers[0]]
  const labels = await inSchool(db => port().deptsOf(db, school_id, [pupil, teacher, '987654']))
  expect([...labels.keys()].toSorted()).toEqual([pupil, teacher].toSorted())
  expect(labels.get(teacher)).toContain('教务处')
  expect((await inSchool(db => port().children(db, school_id, [small.grade, '987654']))).toSorted()).toEqual([small.grade, small.class_1, small.class_2].toSorted())
})

test('10-P5 what anybody could guess of a person is mobile, birth date and the name of the school as it is typed', async () => {
  const facts = (user_id = '0') => inSchool(db => port().passwordFacts(db, school_id, user_id))
  const of_school = { school_pinyin: 'ceshiyixiao', school_initials: 'csyx' }
  expect(await facts(small.pupils[0])).toEqual({ birthday: '2020-05-12', ...of_school })
  expect(await facts(small.teachers[0])).toEqual({ phone: '16910000001', ...of_school })
  expect(await facts('987654')).toEqual(of_school)
})
