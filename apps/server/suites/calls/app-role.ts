import { appRoleApi, appRoleGroupApi, sessionApi } from '@campus/identity/contract'
import { ensureUsers } from '@campus/identity/server'
import { deptApi } from '@campus/people/contract'
import type { Call, Reply, Request } from '@kit/contract'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

let serial = 0
const next = () => (serial += 1)
const client_kind = 'teacher' as const

async function done<E extends Call>(world: World, call: E, input: Request<E>): Promise<Reply<E>> {
  return dataOf(call, await world.app.call(call, input, { token: world.me.token }))
}

async function groups(world: World) {
  return (await done(world, appRoleGroupApi.list, { client_kind })).list
}

/** An app role that shows nothing and reaches nobody. */
async function makeRole(world: World) {
  const role_group_id = (await makeGroup(world)).role_group_id
  return done(world, appRoleApi.create, { name: `演练移动角色${next()}`, role_group_id })
}

async function makeGroup(world: World) {
  return done(world, appRoleGroupApi.create, { client_kind, name: `演练移动组${next()}` })
}

async function makeUser(world: World): Promise<string> {
  const { school_id } = world
  const person = { user_no: `A${school_id}_${next()}`, user_name: '演练用户', user_kind: 2 }
  const [user_id = ''] = await world.app.running.database.tenant<unknown, string[]>(school_id, db => ensureUsers(db, school_id, [person]))
  return user_id
}

/** Group of the school's own staff, whose holders an app role may be bound to. */
async function staffGroup(world: World): Promise<string> {
  const { list } = await done(world, sessionApi.roleGroups, {})
  return list.find(group => group.code === 'SYS003')?.role_group_id ?? ''
}

async function rootDept(world: World): Promise<string> {
  return (await done(world, deptApi.tree, { tree: 'staff' })).list[0]?.id ?? ''
}

const role = buildersOf(appRoleApi, {
  list: () => ({ input: { client_kind } }),
  one: async world => ({ input: { id: (await makeRole(world)).role_id } }),
  create: async world => ({ input: { name: `新移动角色${next()}`, role_group_id: (await makeGroup(world)).role_group_id } }),
  update: async world => {
    const { role_id, row_version } = await makeRole(world)
    return { input: { id: role_id, row_version, enabled: false } }
  },
  remove: async world => ({ input: { id: (await makeRole(world)).role_id } }),
  bindUser: async world => ({ input: { role_id: (await makeRole(world)).role_id, user_ids: [await makeUser(world)] } }),
  unbindUser: async world => {
    const input = { role_id: (await makeRole(world)).role_id, user_ids: [await makeUser(world)] }
    await done(world, appRoleApi.bindUser, input)
    return { input }
  },
  bindModule: async world => ({ input: { role_id: (await makeRole(world)).role_id, modules: [{ module_code: 'hall' as const }] } }),
  unbindModule: async world => {
    const { role_id } = await makeRole(world)
    await done(world, appRoleApi.bindModule, { role_id, modules: [{ module_code: 'hall' }] })
    return { input: { role_id, module_codes: ['hall' as const] } }
  },
  bindRoleGroup: async world => ({ input: { role_id: (await makeRole(world)).role_id, role_group_ids: [await staffGroup(world)] } }),
  unbindRoleGroup: async world => {
    const input = { role_id: (await makeRole(world)).role_id, role_group_ids: [await staffGroup(world)] }
    await done(world, appRoleApi.bindRoleGroup, input)
    return { input }
  },
  bindDept: async world => ({ input: { role_id: (await makeRole(world)).role_id, dept_ids: [await rootDept(world)] } }),
  unbindDept: async world => {
    const input = { role_id: (await makeRole(world)).role_id, dept_ids: [await rootDept(world)] }
    await done(world, appRoleApi.bindDept, input)
    return { input }
  },
  bindAll: async world => ({ input: { role_id: (await makeRole(world)).role_id, is_for_all: true } }),
  reach: async world => ({ input: { role_id: (await makeRole(world)).role_id, is_for_all: true } }),
  matrix: async world => ({ input: { id: (await makeRole(world)).role_id } }),
  saveMatrix: async world => ({ input: { role_id: (await makeRole(world)).role_id, version: 1, grant: ['people.student.view'] } }),
})

const group = buildersOf(appRoleGroupApi, {
  list: () => ({ input: { client_kind } }),
  create: () => ({ input: { client_kind, name: `新移动组${next()}`, modules: ['hall' as const] } }),
  update: async world => {
    const { role_group_id, row_version } = await makeGroup(world)
    return { input: { id: role_group_id, row_version, name: `改名移动组${next()}` } }
  },
  remove: async world => ({ input: { id: (await makeGroup(world)).role_group_id } }),
  sort: async world => ({ input: { client_kind, role_group_ids: (await groups(world)).map(row => row.role_group_id) } }),
})

/** Builders of the roles of app clients. */
export const appRoleCalls: ReadonlyMap<string, Builder> = new Map([...role, ...group])
