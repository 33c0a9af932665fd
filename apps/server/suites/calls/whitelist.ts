import { whitelistApi } from '@campus/people/contract'
import { createDepts, hireStaff } from '@campus/people/server'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
let made = 0

/** Somebody of the staff who is on no list yet. */
async function teacher({ app, school_id, ids }: World): Promise<string> {
  made += 1
  return app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [{ key: 'office', parent: ids.dept ?? '', dept_name: `白名单处${made}`, dept_type: 5, tree: 'staff' as const }], '2026-09-01')
    const [user_id = ''] = await hireStaff(db, app.running.app.secrets, school_id, [
      { user_name: '周小勺', sex: '2', kind: '11', join_month: '202609', from: '2026-09-01', teacher_no: `AW${school_id}x${made}`, depts: [{ dept_id: depts.get('office') ?? '' }] },
    ])
    return user_id
  })
}

const draft = async (world: World) => ({ user_id: await teacher(world), alipay_logon: '16900000009', purpose: 'face_pay' as const })

/** A line that somebody else has entered. */
async function entered(world: World): Promise<string> {
  const other = await world.app.as({ school_id: world.school_id, codes: ['people.whitelist.edit'] })
  return dataOf(whitelistApi.add, await world.app.call(whitelistApi.add, await draft(world), { token: other.token })).id
}

export const whitelistCalls: ReadonlyMap<string, Builder> = new Map(
  buildersOf(whitelistApi, {
    page: async world => {
      await entered(world)
      return { input: {} }
    },
    payers: async world => ({ input: { user_id: await teacher(world) } }),
    add: async world => ({ input: await draft(world) }),
    approve: async world => ({ input: { ids: [await entered(world)] } }),
    remove: async world => ({ input: { ids: [await entered(world)], reason: '登记有误' } }),
  }),
)
