import { explainApi, memberApi, roleApi, roleGroupApi, sessionApi } from '@campus/identity/contract'
import { ensureUsers } from '@campus/identity/server'
import type { Call, Reply, Request } from '@kit/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let serial = 0
const next = () => (serial += 1)

async function done<E extends Call>(world: World, call: E, input: Request<E>): Promise<Reply<E>> {
  return dataOf(call, await world.app.call(call, input, { token: world.me.token }))
}

/** The group of the school's own staff. */
async function groupId(world: World): Promise<string> {
  const { list } = await done(world, sessionApi.roleGroups, {})
  return list.find(group => group.code === 'SYS003')?.role_group_id ?? ''
}

async function makeRole(world: World) {
  return done(world, roleApi.add, { name: `演练角色${next()}`, role_group_id: await groupId(world) })
}

async function makeGroup(world: World) {
  return done(world, roleGroupApi.add, { name: `演练组${next()}` })
}

async function makeUser(world: World): Promise<string> {
  const { school_id } = world
  const person = { user_no: `M${school_id}_${next()}`, user_name: '演练成员', user_kind: 2 }
  const [user_id = ''] = await world.app.running.database.tenant<unknown, string[]>(school_id, db => ensureUsers(db, school_id, [person]))
  return user_id
}

/** A person who holds a role of his own. */
async function makeMember(world: World) {
  const { role_id } = await makeRole(world)
  const user_id = await makeUser(world)
  const { list } = await done(world, memberApi.add, { role_id, users: [{ user_id }] })
  return { role_id, user_id, role_no: list[0]?.role_no ?? '' }
}

const role = buildersOf(roleApi, {
  list: async world => ({ input: { role_group_id: await groupId(world) } }),
  add: async world => ({ input: { name: `新角色${next()}`, role_group_id: await groupId(world) } }),
  edit: async world => ({ input: { ...(await makeRole(world)), dept_is_exact: 1 as const } }),
  remove: async world => ({ input: { role_id: (await makeRole(world)).role_id } }),
  copy: async world => ({ input: { role_id: (await makeRole(world)).role_id, name: `副本${next()}` } }),
  matrix: async world => ({ input: { role_id: (await makeRole(world)).role_id } }),
  saveMatrix: async world => ({ input: { role_id: (await makeRole(world)).role_id, version: 1, grant: ['people.student.edit'], scopes: { dept: { kind: 'own' as const } } } }),
  exportMatrix: () => ({ input: {} }),
  diff: async world => ({ input: { a: world.me.role_id, b: (await makeRole(world)).role_id } }),
  preview: async world => ({ input: { role_id: (await makeRole(world)).role_id, grant: ['people.student.view'] } }),
})

const group = buildersOf(roleGroupApi, {
  add: () => ({ input: { name: `新组${next()}` } }),
  edit: async world => ({ input: { ...(await makeGroup(world)), name: `改名组${next()}` } }),
  remove: async world => ({ input: { role_group_id: (await makeGroup(world)).role_group_id } }),
  sort: async world => {
    const { list } = await done(world, sessionApi.roleGroups, {})
    return { input: { role_group_ids: list.map(row => row.role_group_id) } }
  },
})

const member = buildersOf(memberApi, {
  list: async world => ({ input: { role_id: (await makeMember(world)).role_id } }),
  holders: async world => ({ input: { role_id: (await makeMember(world)).role_id, on: '2026-11-20' } }),
  export: async world => ({ input: { role_id: (await makeMember(world)).role_id } }),
  add: async world => ({ input: { role_id: (await makeRole(world)).role_id, users: [{ user_id: await makeUser(world) }] } }),
  substitute: async world => ({ input: { role_no: (await makeMember(world)).role_no, user_id: await makeUser(world), valid_to: '2099-12-31' } }),
  update: async world => ({ input: { role_no: (await makeMember(world)).role_no, row_version: 1, valid_to: '2099-12-31' } }),
  remove: async world => ({ input: { role_nos: [(await makeMember(world)).role_no] } }),
})

const explain = buildersOf(explainApi, {
  past: async world => ({ input: { on: '2026-11-20', code: 'people.student.view', user_id: (await makeMember(world)).user_id } }),
  explain: async world => ({ input: { user_id: (await makeMember(world)).user_id, code: 'people.student.view' } }),
})

/** Builders of the administration of roles. */
export const roleCalls: ReadonlyMap<string, Builder> = new Map([...role, ...group, ...member, ...explain])
