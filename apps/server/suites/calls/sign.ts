import { signApi } from '@campus/people/contract'
import { createContracts, createDepts, hireStaff } from '@campus/people/server'
import { sql } from 'kysely'
import { buildersOf } from '../world.ts'
import type { Builder, World } from '../world.ts'

type PeopleHandle = Parameters<typeof createDepts>[0]
let made = 0

/** A contract of somebody of the staff, and where he works. */
async function signed({ app, school_id, ids }: World): Promise<{ sign_id: string; dept_id: string }> {
  made += 1
  return app.running.database.tenant(school_id, async (db: PeopleHandle) => {
    const depts = await createDepts(db, school_id, [{ key: 'office', parent: ids.dept ?? '', dept_name: `签约处${made}`, dept_type: 5, tree: 'staff' as const }], '2026-09-01')
    const dept_id = depts.get('office') ?? ''
    const [user_id = ''] = await hireStaff(db, app.running.app.secrets, school_id, [
      { user_name: '吴小约', sex: '2', kind: '11', join_month: '202609', from: '2026-09-01', teacher_no: `SG${school_id}x${made}`, depts: [{ dept_id }] },
    ])
    const contract_no = `C${school_id}${made}`
    await createContracts(db, school_id, [{ user_id, person_kind: 2, signer_user_id: user_id, product: 'quick_pay', channel: '1', contract_no, state: 'signed', signed_at: app.clock.now() }])
    const { rows } = await sql<{ id: string }>`select id from sign_contract where school_id = ${school_id} and contract_no = ${contract_no}`.execute(db)
    return { sign_id: rows[0]?.id ?? '', dept_id }
  })
}

const inDept = async (world: World) => ({ input: { dept_id: (await signed(world)).dept_id } })

export const signCalls: ReadonlyMap<string, Builder> = new Map(
  buildersOf(signApi, {
    students: inDept,
    teachers: inDept,
    studentStat: () => ({ input: {} }),
    teacherStat: async world => {
      await signed(world)
      return { input: {} }
    },
    exportStudents: inDept,
    exportTeachers: inDept,
    terminate: async world => ({ input: { sign_ids: [(await signed(world)).sign_id], reason: '本人申请' } }),
    remind: async world => ({ input: { who: 'staff' as const, dept_id: (await signed(world)).dept_id } }),
  }),
)
