import { staffApi, staffExportApi, staffFileApi } from '@campus/people/contract'
import { createDepts } from '@campus/people/server'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
let made = 0

/** What a new member of staff needs, in an office of its own. */
async function draft({ app, school_id, ids }: World) {
  made += 1
  const depts = await app.running.database.tenant(school_id, (db: PeopleHandle) =>
    createDepts(db, school_id, [{ key: 'office', parent: ids.dept ?? '', dept_name: `办公室${made}`, dept_type: 5, tree: 'staff' as const }], '2026-09-01'))
  const numbers = { teacher_no: `W${school_id}x${made}`, mobile: `1691200${String(made).padStart(4, '0')}` }
  return { user_name: '钱小川', sex: '1', kind: '11', join_month: '202609', ...numbers, depts: [{ dept_id: depts.get('office') ?? '' }] }
}

async function hired(world: World): Promise<string> {
  return dataOf(staffFileApi.create, await world.app.call(staffFileApi.create, await draft(world), { token: world.me.token })).user_id
}

export const staffCalls: ReadonlyMap<string, Builder> = new Map([
  ...buildersOf(staffApi, { list: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const } }), all: () => ({ input: {} }) }),
  ...buildersOf(staffFileApi, {
    create: async world => ({ input: await draft(world) }),
    detail: async world => ({ input: { user_id: await hired(world) } }),
    update: async world => ({ input: { user_id: await hired(world), row_version: 1, remark: '兼任工会' } }),
  }),
  ...buildersOf(staffExportApi, { export: world => ({ input: { dept_id: world.ids.dept, include_sub: '1' as const, reason: '核对名册' } }) }),
])
