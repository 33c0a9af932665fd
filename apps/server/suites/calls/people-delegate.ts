import { delegateApi } from '@campus/people/contract'
import { createDepts, hireStaff } from '@campus/people/server'
import { dataOf } from '../../testing/index.ts'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
const day_ms = 86_400_000
let made = 0

/** Two members of staff and a department of theirs, one to act for the other for ten days. */
async function draft({ app, school_id, ids }: World) {
  made += 1
  const { secrets } = app.running.app
  return app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [{ key: 'office', parent: ids.dept ?? '', dept_name: `委托处${made}`, dept_type: 5, tree: 'staff' as const }], '2026-09-01')
    const dept_id = depts.get('office') ?? ''
    const staff = (n: number) => ({ user_name: '孙小舟', sex: '1', kind: '11', join_month: '202609', from: '2026-09-01', teacher_no: `D${school_id}x${made}x${n}`, mobile: `169130${n}${String(made).padStart(4, '0')}`, depts: [{ dept_id }] })
    const [from_user_id = '', to_user_id = ''] = await hireStaff(db, secrets, school_id, [staff(1), staff(2)])
    return { dept_id, from_user_id, to_user_id, valid_to: dayAt(app.clock.now(), 10) }
  })
}

function dayAt(now: Date, days: number): string {
  return new Date(now.getTime() + days * day_ms).toISOString().slice(0, 10)
}

async function delegated(world: World): Promise<{ id: string; row_version: number }> {
  return dataOf(delegateApi.add, await world.app.call(delegateApi.add, await draft(world), { token: world.me.token }))
}

export const delegateCalls: ReadonlyMap<string, Builder> = new Map(
  buildersOf(delegateApi, {
    list: () => ({ input: {} }),
    mine: () => ({ input: {} }),
    add: async world => ({ input: await draft(world) }),
    update: async world => ({ input: { ...(await delegated(world)), valid_to: dayAt(world.app.clock.now(), 3) } }),
  }),
)
