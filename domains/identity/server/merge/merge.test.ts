import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { loginApi, sessionApi } from '@campus/identity/contract'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { eraseUser } from '../account.erase.ts'
import { passwordState } from '../account.password-state.ts'
import { ensureUsers } from '../account.queries.ts'
import type { IdentityHandle } from '../db.ts'
import { forgetSchool } from '../gate.ts'
import { defineRole, grantRole } from '../role.queries.ts'
import { enter, loggedIn, login, signedIn } from '../testing/console-client.ts'
import { makePerson, ofSchool, own } from '../testing/person.ts'
import type { TestPerson } from '../testing/person.ts'
import { dataOf } from '../testing/wire.ts'
import { mergeUsers, unmergeUsers } from './merge.ts'

const { a, b } = test_schools
const day_ms = 86_400_000
let app: TestApp
let serial = 0
beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const inSchool = <R>(fn: (db: IdentityHandle) => Promise<R>, school_id: number = a) => own(app.running.database, school_id, fn)
const desk = (db: IdentityHandle) => ({ app: app.running.app, db, school_id: a, now: app.clock.now() })
const merge = (kept: { user_id: string }, merged: { user_id: string }) => inSchool(db => mergeUsers(desk(db), { kept_user_id: kept.user_id, merged_user_id: merged.user_id }))
const unmerge = (merge_no: string) => inSchool(db => unmergeUsers(desk(db), merge_no))
const alive = async (token: string) => {
  forgetSchool(app.running.app, a)
  return (await app.call(sessionApi.mine, {}, { token })).status === 200
}
const days = (count: number) => new Date(app.clock.now().getTime() + count * day_ms)

/** A role that two people hold, from and to these days. */
async function shared(held: readonly [TestPerson, number, number | null][]): Promise<string> {
  const mark = `M${(serial += 1)}`
  return inSchool(async db => {
    const role_id = await defineRole(db, a, { code: `CUS_${mark}`, name: mark, group_code: 'SYS003' })
    await grantRole(db, a, held.map(([{ user_id }, from, to]) => ({ role_id, user_id, valid_from: days(from), valid_to: to === null ? null : days(to) })))
    return role_id
  })
}

/** Everything of identity that names one of these people, but for proofs, journals and counters. */
function stateOf(people: readonly TestPerson[]): Promise<unknown> {
  const ids = people.map(person => person.user_id)
  return inSchool(async db => {
    const { rows } = await sql`
      select (select jsonb_agg(to_jsonb(u) - array['updated_at'] order by u.user_id) from school_user u where u.school_id = ${a} and u.user_id = any(${ids}::bigint[])) as people,
        (select jsonb_agg(to_jsonb(m) - array['row_version', 'updated_at', 'created_at'] order by m.role_no) from role_member m where m.school_id = ${a} and m.user_id = any(${ids}::bigint[])) as roles,
        (select jsonb_agg(to_jsonb(c) - array['updated_at'] order by c.user_id) from account c where c.user_id = any(${ids}::bigint[])) as accounts,
        (select jsonb_agg(to_jsonb(s) order by s.user_id, s.school_id) from account_school s where s.user_id = any(${ids}::bigint[])) as schools,
        (select jsonb_agg(to_jsonb(x) order by x.provider) from external_bind x where x.school_id = ${a} and x.user_id = any(${ids}::bigint[])) as binds`.execute(db)
    return rows
  })
}

test('10-§7 a merge keeps one user_id with what both held, overlaps collapsed; both are signed out and the other one can come in no more', async () => {
  const [kept, merged] = [await makePerson(app, { roles: [{ school_id: a }] }), await makePerson(app, { roles: [{ school_id: a }] })]
  const role_id = await shared([[kept, -10, 5], [merged, -20, 30]])
  await inSchool(db => db.insertInto('external_bind').values({ school_id: a, provider: 'wecom', external_id: `corp/${merged.user_id}`, user_id: merged.user_id }).execute())
  const sessions = [await signedIn(app, kept), await signedIn(app, merged)]
  await merge(kept, merged)
  for (const { token } of sessions) expect(await alive(token)).toBe(false)
  expect((await login(app, merged)).body.code).toBe(422)
  const list = (await loggedIn(app, kept)).role_list.map(role => role.code)
  expect(list).toHaveLength(3)
  const rows = await inSchool(db => db.selectFrom('role_member').select(['user_id', 'valid_from', 'valid_to']).where('role_id', '=', role_id).orderBy('user_id').execute())
  expect(rows.map(row => [row.user_id, row.valid_to?.getTime()])).toEqual([[kept.user_id, expect.any(Number)], [merged.user_id, expect.any(Number)]])
  expect([rows[0]?.valid_to && rows[0].valid_to > days(29), rows[1]?.valid_to && rows[1].valid_to <= app.clock.now()]).toEqual([true, true])
  const bound = await inSchool(db => db.selectFrom('external_bind').select('user_id').where('external_id', '=', `corp/${merged.user_id}`).executeTakeFirst())
  expect(bound?.user_id).toBe(kept.user_id)
})

test('10-§7 a merge is taken back exactly within 30 days, once', async () => {
  const [kept, merged] = [await makePerson(app, { roles: [{ school_id: a }] }), await makePerson(app, { roles: [{ school_id: a }, { school_id: a, ended: true }] })]
  await shared([[kept, -10, 5], [merged, -20, 30]])
  await shared([[kept, 10, 20], [merged, -1, null]])
  await shared([[merged, 3, null]])
  await shared([[kept, -10, null], [merged, 3, 9]])
  await inSchool(db => db.insertInto('external_bind').values({ school_id: a, provider: 'oidc', external_id: `sso/${merged.user_id}`, user_id: merged.user_id }).execute())
  await signedIn(app, kept)
  const before = await stateOf([kept, merged])
  const { merge_no } = await merge(kept, merged)
  expect(await stateOf([kept, merged])).not.toEqual(before)
  await expect(merge(kept, merged)).rejects.toThrow('人员不存在')
  app.clock.advance(day_ms)
  const { token } = await signedIn(app, kept)
  await unmerge(merge_no)
  expect(await stateOf([kept, merged])).toEqual(before)
  expect(await alive(token)).toBe(false)
  expect((await loggedIn(app, merged)).role_list.length).toBeGreaterThan(1)
  await expect(unmerge(merge_no)).rejects.toThrow('这次合并已经撤销')
})

test('10-§7 after 30 days a merge stays, and a membership changed since stays as it was changed', async () => {
  const pair = async () => [await makePerson(app, { roles: [{ school_id: a }] }), await makePerson(app, { roles: [{ school_id: a }] })] as const
  const [kept, merged] = await pair()
  const [other, second] = await pair()
  const { merge_no: late } = await merge(other, second)
  app.clock.advance(29 * day_ms)
  const { merge_no } = await merge(kept, merged)
  const end = days(7)
  await inSchool(db => db.updateTable('role_member').set({ valid_to: end, row_version: 9 }).where('user_id', '=', kept.user_id).where('valid_to', 'is', null).execute())
  app.clock.advance(day_ms)
  await expect(unmerge(late)).rejects.toThrow('合并已超过30天，不能撤销')
  await unmerge(merge_no)
  const ends = await inSchool(db => db.selectFrom('role_member').select('valid_to').where('user_id', '=', kept.user_id).execute())
  expect(ends).toEqual([{ valid_to: end }, { valid_to: end }])
})

test('a login goes along where the kept person has none, and comes back; who works in another school keeps his', async () => {
  const [without = ''] = await inSchool(db => ensureUsers(db, a, [{ user_no: 'W1', user_name: '无账号', user_kind: 2 }]))
  const [merged, elsewhere] = [await makePerson(app, { roles: [{ school_id: a }] }), await makePerson(app, { roles: [{ school_id: a }, { school_id: b }] })]
  const { merge_no } = await merge({ user_id: without }, merged)
  expect((await loggedIn(app, merged)).user_id).toBe(without)
  await unmerge(merge_no)
  expect((await loggedIn(app, merged)).user_id).toBe(merged.user_id)
  await merge({ user_id: without }, elsewhere)
  expect((await loggedIn(app, elsewhere)).role_list.map(role => role.school_id)).toEqual([b])
})

/** Somebody holds a role on behalf of another, from and to these days. */
async function standsIn(role_id: string, holder: TestPerson, acted_for: TestPerson, from: number, to: number): Promise<string> {
  const row = { school_id: a, role_id, user_id: holder.user_id, user_dep: '1', acted_for: acted_for.user_id, source: 'manual', valid_from: days(from), valid_to: days(to) }
  const { role_no } = await inSchool(db => db.insertInto('role_member').values(row).returning('role_no').executeTakeFirstOrThrow())
  return role_no
}

test('whoever stood in for the merged one stands in for the kept one, what the merged one held for others stays on their behalf, nobody stands in for himself', async () => {
  const person = () => makePerson(app, { roles: [{ school_id: a }] })
  const [kept, merged, other, boss] = [await person(), await person(), await person(), await person()]
  const role_id = await shared([[kept, -10, null], [merged, -10, null], [boss, -10, null]])
  const [for_merged, for_boss, ahead] = [await standsIn(role_id, other, merged, -2, 20), await standsIn(role_id, merged, boss, -2, 20), await standsIn(role_id, kept, merged, 5, 9)]
  const for_kept = await standsIn(role_id, merged, kept, -2, 20)
  const before = await stateOf([kept, merged, other, boss])
  const { merge_no } = await merge(kept, merged)
  const held = async () => inSchool(db => db.selectFrom('role_member').select(['role_no', 'user_id', 'acted_for']).where('role_id', '=', role_id).where('acted_for', 'is not', null).where('valid_to', '>', app.clock.now()).orderBy('role_no').execute())
  const standing = await held()
  expect(standing.map(row => [row.user_id, row.acted_for])).toEqual([[other.user_id, kept.user_id], [kept.user_id, boss.user_id]])
  expect(standing[0]?.role_no).toBe(for_merged)
  expect(standing.map(row => row.role_no)).not.toEqual(expect.arrayContaining([for_boss, ahead, for_kept]))
  await unmerge(merge_no)
  expect(await stateOf([kept, merged, other, boss])).toEqual(before)
})

test('where a login changed hands, whoever came in with it in another school is signed out there too', async () => {
  const merged = await makePerson(app, { roles: [{ school_id: a }] })
  const [here = ''] = await inSchool(db => ensureUsers(db, a, [{ user_no: 'W7', user_name: '两校', user_kind: 2 }]))
  await inSchool(db => ensureUsers(db, b, [{ user_id: here, user_no: 'W7', user_name: '两校', user_kind: 2 }]), b)
  await inSchool(async db => {
    const role_id = await defineRole(db, b, { code: 'CUS_W7', name: '两校角色', group_code: 'SYS003' })
    await grantRole(db, b, [{ role_id, user_id: here, valid_from: days(-1) }])
  }, b)
  const { merge_no } = await merge({ user_id: here }, merged)
  const reply = await loggedIn(app, merged)
  const { token } = dataOf(loginApi.token, await enter(app, ofSchool(reply.role_list, b), reply.token))
  const there = async () => {
    forgetSchool(app.running.app, b)
    return (await app.call(sessionApi.mine, {}, { token })).status
  }
  expect(await there()).toBe(200)
  await unmerge(merge_no)
  await expect.poll(there, { timeout: 5000 }).toBe(401)
})

test('nobody of another school, and no super account, is merged', async () => {
  const [here, there, boss] = [await makePerson(app, { roles: [{ school_id: a }] }), await makePerson(app, { roles: [{ school_id: b }] }), await makePerson(app, { roles: [{ school_id: a }] })]
  await expect(merge(here, there)).rejects.toThrow('人员不存在')
  await inSchool(db => db.updateTable('account').set({ super_slot: 4 }).where('user_id', '=', boss.user_id).execute(), 0)
  await expect(merge(here, boss)).rejects.toThrow('超级管理员账号不能在此管理')
})

test('whether somebody still has the password he was given is told, and nothing else', async () => {
  const [mine, given] = [await makePerson(app, { roles: [{ school_id: a }] }), await makePerson(app, { roles: [{ school_id: a }], pwd_state: 2 })]
  const [without = ''] = await inSchool(db => ensureUsers(db, a, [{ user_no: 'W2', user_name: '无账号', user_kind: 2 }]))
  const stranger = await makePerson(app, { roles: [{ school_id: b }] })
  const told = await inSchool(db => passwordState(db, a, [mine.user_id, given.user_id, without, stranger.user_id]))
  expect([...told].toSorted()).toEqual([[mine.user_id, 'own'], [given.user_id, 'initial'], [without, 'none']].toSorted())
})

test('an erased person leaves nothing in identity but the id', async () => {
  const [gone, both] = [await makePerson(app, { roles: [{ school_id: a }] }), await makePerson(app, { roles: [{ school_id: a }, { school_id: b }] })]
  await signedIn(app, gone)
  expect(await inSchool(db => eraseUser(desk(db), [gone.user_id, both.user_id]))).toEqual([gone.user_id])
  const text = JSON.stringify(await stateOf([gone]))
  for (const fact of [gone.username, gone.user_no, '人员']) expect(text.replaceAll('已删除人员', ''), fact).not.toContain(`"${fact}`)
  expect((await login(app, gone)).body.code).toBe(422)
  expect((await loggedIn(app, both)).role_list.map(role => role.school_id)).toEqual([b])
  const sessions = await inSchool(db => db.selectFrom('session').select(['device_label', 'ip']).where('user_id', '=', gone.user_id).execute())
  expect(sessions).toEqual([{ device_label: '', ip: '' }])
})
