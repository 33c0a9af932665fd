import { startTestApp, test_schools } from '@apps/server/testing'
import type { TestApp } from '@apps/server/testing'
import { app_kinds } from '@campus/identity/contract'
import type { NewSchool } from '@kit/server/http'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { app_groups } from './app-role/app-role.seed.ts'
import { giveAllDefaults } from './default-rights.ts'
import { school_admin_role } from './standing-code.ts'
import { own } from './testing/person.ts'

const { a: school_id, enterprise } = test_schools
const all_role = app_groups.teacher.role_code
const fresh = { module: 'park' }
let app: TestApp

beforeAll(async () => {
  app = await startTestApp()
})
afterAll(() => app.close())

const rows = <Row>(query: ReturnType<typeof sql<Row>>, school: NewSchool['school_id'] = school_id) => own(app.running.database, school, async db => (await query.execute(db)).rows)
const codesOf = async (role_code: string, school = school_id) =>
  (await rows(sql<{ code: string }>`select p.code from role_permission p join role r on r.school_id = p.school_id and r.role_id = p.role_id where p.school_id = ${school} and r.code = ${role_code} order by 1`, school)).map(row => row.code)
const modulesOf = async (role_code: string) =>
  (await rows(sql<{ code: string }>`select m.module_code as code from role_module m join role r on r.school_id = m.school_id and r.role_id = m.role_id where m.school_id = ${school_id} and r.code = ${role_code} order by m."order"`)).map(row => row.code)
const rolesFor = async (school: number) => (await rows(sql<{ code: string }>`select code from role where school_id = ${school} and is_app and is_system order by code`, school)).map(row => row.code)
const start = () => giveAllDefaults(app.running)

/** Makes the school what it would be if it had been made before there were app roles, lines of defaults and this permission. */
async function age(code: string): Promise<void> {
  const of_app = sql`school_id = ${school_id} and role_id in (select role_id from role where school_id = ${school_id} and is_app)`
  for (const table of ['role_permission_span', 'role_permission', 'role_module', 'role_bind', 'role_scope'] as const) await rows(sql`delete from ${sql.table(table)} where ${of_app}`)
  await rows(sql`delete from role where school_id = ${school_id} and is_app`)
  await rows(sql`delete from role_group where school_id = ${school_id} and is_app`)
  await rows(sql`delete from default_given where school_id = ${school_id}`)
  for (const table of ['role_permission_span', 'role_permission'] as const) await rows(sql`delete from ${sql.table(table)} where school_id = ${school_id} and code = ${code}`)
}

async function checksum(): Promise<unknown> {
  return rows(sql`select (select json_agg(p order by role_id, code) from role_permission p where school_id = ${school_id}) as codes,
    (select json_agg(m order by role_id, module_code) from role_module m where school_id = ${school_id}) as modules,
    (select json_agg(r order by role_id) from role r where school_id = ${school_id}) as roles, (select json_agg(g order by role_code) from default_given g where school_id = ${school_id}) as given`)
}

test('a school made before a release gets, once, the app roles of its kind and the new permissions of its administrator', async () => {
  const [before, roles] = [await codesOf(school_admin_role), await rolesFor(school_id)]
  const code = before.at(-1) ?? ''
  await age(code)
  expect([await codesOf(school_admin_role), await rolesFor(school_id)]).toEqual([before.slice(0, -1), []])
  await start()
  expect([await codesOf(school_admin_role), await rolesFor(school_id)]).toEqual([before, roles])
  expect(roles).toEqual(app_kinds.map(kind => app_groups[kind].role_code))
  const after = await checksum()
  await start()
  expect(await checksum()).toEqual(after)
})

test('an enterprise gets the role of its staff and no other', async () => {
  await rows(sql`delete from default_given where school_id = ${enterprise}`, enterprise)
  await start()
  expect(await rolesFor(enterprise)).toEqual([all_role])
})

test('what somebody took away is not given back: neither where it is written down, nor in a school of which nothing was', async () => {
  const code = (await codesOf(school_admin_role)).find(one => one.startsWith('people.')) ?? ''
  const takeAway = async () => {
    await rows(sql`delete from role_permission where school_id = ${school_id} and code = ${code}`)
    await rows(sql`update role_permission_span set valid_to = now() + interval '1 second' where school_id = ${school_id} and code = ${code} and valid_to is null`)
    await rows(sql`delete from role_module where school_id = ${school_id} and module_code = ${fresh.module}`)
  }
  await takeAway()
  await start()
  expect([(await codesOf(school_admin_role)).includes(code), (await modulesOf(all_role)).includes(fresh.module)]).toEqual([false, false])
  await rows(sql`delete from default_given where school_id = ${school_id}`)
  await start()
  expect([(await codesOf(school_admin_role)).includes(code), (await modulesOf(all_role)).includes(fresh.module)]).toEqual([false, false])
})

test('a module that is new in a release comes last in the roles for everybody', async () => {
  await rows(sql`delete from role_module where school_id = ${school_id} and module_code = 'repair'`)
  await rows(sql`update default_given set things = array_remove(things, 'module:repair') where school_id = ${school_id}`)
  await start()
  expect((await modulesOf(all_role)).at(-1)).toBe('repair')
})
