import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { sessionApi } from '@campus/identity/contract'
import { constraintOf } from '@kit/server/db'
import type { App } from '@kit/server/http'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ensureUsers } from './account.queries.ts'
import type { Desk } from './db.ts'
import { directory } from './directory.ts'
import { openGate } from './gate.ts'
import { openSchools, usableRoles } from './role-list.service.ts'
import { grantRole, setRoleScope } from './role.queries.ts'
import { declareScope } from './scope-fact.queries.ts'
import { at, makePerson, own } from './testing/person.ts'
import { dataOf } from './testing/wire.ts'

const { a, b } = test_schools
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const inSchool = <R>(school_id: number, fn: Parameters<typeof own<R>>[2]) => own(app.running.database, school_id, fn)
const brokenBy = (work: Promise<unknown>) => work.then(() => null, (error: unknown) => constraintOf(error)?.constraint ?? error)

describe('people', () => {
  test('a thousand at once get ascending ids of one sequence, in the order given', async () => {
    const people = Array.from({ length: 1200 }, (_, number) => ({ user_no: `bulk${number}`, user_name: `人${number}`, user_kind: 1 }))
    const ids = await inSchool(b, db => ensureUsers(db, b, people))
    expect(new Set(ids).size).toBe(1200)
    const rows = await inSchool(b, db => db.selectFrom('school_user').select(['user_id', 'user_no']).where('user_no', 'like', 'bulk%').execute())
    const numbers = new Map(rows.map(row => [row.user_id, row.user_no]))
    expect(ids.map(user_id => numbers.get(user_id))).toEqual(people.map(person => person.user_no))
  })

  test('one person of two schools keeps one id; a return clears the departure; a number is taken once', async () => {
    const [user_id = ''] = await inSchool(a, db => ensureUsers(db, a, [{ user_no: 'X1', user_name: '甲', user_kind: 2 }]))
    await inSchool(a, db => db.updateTable('school_user').set({ left_at: app.clock.now() }).where('user_id', '=', user_id).execute())
    expect(await inSchool(b, db => ensureUsers(db, b, [{ user_id, user_no: 'X1', user_name: '甲', user_kind: 2 }]))).toEqual([user_id])
    await inSchool(a, db => ensureUsers(db, a, [{ user_id, user_no: 'X2', user_name: '甲乙', user_kind: 2, user_photo: 'p' }]))
    const row = await inSchool(a, db => db.selectFrom('school_user_v').selectAll().where('user_id', '=', user_id).executeTakeFirst())
    expect(row).toEqual({ school_id: a, user_id, user_no: 'X2', user_name: '甲乙', user_photo: 'p', user_kind: 2, left_at: null })
    expect(await brokenBy(inSchool(a, db => ensureUsers(db, a, [{ user_no: 'X2', user_name: '丙', user_kind: 2 }])))).toBe('school_user_no_key')
  })

  test('cards name people of the caller\'s school alone', async () => {
    const me = await app.as({ school_id: a, codes: [] })
    const other = await app.as({ school_id: b, codes: [] })
    const answer = await app.call(sessionApi.cards, { user_ids: `${me.user_id},${other.user_id}` }, { token: me.token })
    expect(dataOf(sessionApi.cards, answer).list.map(card => card.user_id)).toEqual([me.user_id])
    const groups = await app.call(sessionApi.roleGroups, {}, { token: me.token })
    expect(dataOf(sessionApi.roleGroups, groups).list.map(group => group.code)).toEqual(['SYS001', 'SYS002', 'SYS003', 'SYS004', 'SYS005'])
  })
})

describe('memberships', () => {
  test('one person holds a role once at a time, under each department', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    const { role_id } = at(person.roles)
    const now = app.clock.now()
    const grant = (more: { user_dep?: string; valid_from?: Date }) => inSchool(a, db => grantRole(db, a, [{ role_id, user_id: person.user_id, valid_from: now, ...more }]))
    expect(await brokenBy(grant({}))).toBe('role_member_overlap')
    expect(await grant({ user_dep: '77' })).toHaveLength(1)
  })

  test('an identity carries its role\'s scope, its own departments and today\'s duties', async () => {
    const me = await app.as({ school_id: a, codes: [], scope: 'class_teacher' })
    const now = app.clock.now()
    const [past, next] = [new Date(now.getTime() - 86_400_000), new Date(now.getTime() + 86_400_000)]
    await inSchool(a, async db => {
      await setRoleScope(db, a, me.role_id, 'place', 'custom', ['9007199254740993'])
      const facts = [{ id: '11', valid_from: past }, { id: '12', valid_from: next }, { id: '13', valid_from: past, valid_to: now }]
      await declareScope(db, a, 'people', [{ user_id: me.user_id, dimension: 'dept', kind: 'class_teacher', facts }])
      await declareScope(db, a, 'teaching', [{ user_id: me.user_id, dimension: 'dept', kind: 'teaching', facts: [{ id: '14', valid_from: past }] }])
    })
    const { scopes } = await openGate(app.running).authenticate(me.token)
    expect(scopes.dept).toMatchObject({ kind: 'class_teacher', ids: [] })
    expect(scopes.dept.facts.toSorted((x, y) => x.id.localeCompare(y.id))).toEqual([{ kind: 'class_teacher', id: '11' }, { kind: 'teaching', id: '14' }])
    expect(scopes.place).toEqual({ kind: 'custom', ids: ['9007199254740993'], facts: [] })
  })

  test('a source replaces what it declared, and nothing of others', async () => {
    const { user_id } = await app.as({ school_id: a, codes: [] })
    const declare = (source: string, ids: string[]) => {
      const facts = ids.map(id => ({ id, valid_from: app.clock.now() }))
      return inSchool(a, db => declareScope(db, a, source, [{ user_id, dimension: 'dept', kind: 'teaching', facts }]))
    }
    await declare('people', ['1', '2'])
    await declare('teaching', ['1'])
    await declare('people', ['3'])
    const rows = await inSchool(a, db => db.selectFrom('scope_fact').select(['id', 'source']).where('user_id', '=', user_id).orderBy('id').execute())
    expect(rows).toEqual([{ id: '1', source: 'teaching' }, { id: '3', source: 'people' }])
  })

  test('departments of identities are named by whoever knows them', async () => {
    const person = await makePerson(app, { roles: [{ school_id: a }] })
    await inSchool(a, db => db.updateTable('role_member').set({ user_dep: '4242' }).where('user_id', '=', person.user_id).execute())
    const desk: Desk = { app: nodeThatKnowsDepartments(), own: (school_id, fn) => own(app.running.database, school_id, fn), now: app.clock.now() }
    const schools = await openSchools(desk, { ...person, super_slot: null }, [a])
    expect(usableRoles(schools, {})).toMatchObject([{ user_dep: '4242', user_dep_name: `${a}/4242` }])
  })
})

/** An app of its own, so that nobody else fills its port. */
function nodeThatKnowsDepartments(node: App = { ...app.running.app }): App {
  directory.fill(node, {
    ...directory.one(app.running.app),
    labels: async (_db, school_id, dept_ids) => new Map(dept_ids.map(dept_id => [dept_id, `${school_id}/${dept_id}`])),
  })
  return node
}
