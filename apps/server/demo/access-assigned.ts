import type { PlannedAccess } from '@campus/access/server'
import { revoke } from '@campus/devices/server'
import type { PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { spread } from './spread.ts'
import type { Work } from './school-work.ts'

const [class_type, third_grade, hour_ms, first_banned] = [4, '13', 3_600_000, 10] as const
type Gate = { place_id: string; place_name: string }
type OneOff = { effect: 1 | 2; direction: 1 | 2 | 3; hours: readonly [number, number]; max_times?: number; reason_code: string; reason: string; is_revoked?: boolean }

/** One-off rights and denials in each of their states: hours from now, negative ones before it. */
const of_pupils: readonly OneOff[] = [
  { effect: 1, direction: 2, hours: [-1, 2], max_times: 1, reason_code: '3', reason: '去医院复查' },
  { effect: 1, direction: 2, hours: [3, 6], reason_code: '2', reason: '参加区级合唱排练' },
  { effect: 2, direction: 2, hours: [-2, 30], reason_code: '5', reason: '违纪在校整改' },
  { effect: 1, direction: 3, hours: [-50, -44], reason_code: '9', reason: '家中有事' },
  { effect: 1, direction: 2, hours: [-26, 4], reason_code: '1', reason: '家长临时取消', is_revoked: true },
]
const of_staff: readonly OneOff[] = [
  { effect: 1, direction: 3, hours: [-3, 8], reason_code: '1', reason: '夜间设备检修' },
  { effect: 1, direction: 3, hours: [20, 34], reason_code: '2', reason: '周末值班' },
]
const banned = [{ hours: [-100, 400], reason: '停课处理期间不得进校' }, { hours: [-900, -500], reason: '传染病隔离' }] as const

/**
 * One class and one department of the staff go by rules in place of the rights that everybody else of the demo has: compiled a year ahead for all of them they would keep its first
 * start for minutes. With one-off rights and bans.
 */
export async function planAssigned(work: Work, gates: readonly Gate[]): Promise<Pick<PlannedAccess, 'depts' | 'users' | 'temporaries' | 'bans'>> {
  const { app, db, school_id, now } = work
  const people = asTables<PeopleViews>(db)
  const own = await people.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('dept_type', '=', class_type).where('grade', '=', third_grade).orderBy('node_path').limit(1).executeTakeFirstOrThrow()
  const guarding = await people.selectFrom('dept_now').select('id').where('school_id', '=', school_id).where('dept_name', '=', '安全保卫处').executeTakeFirstOrThrow()
  const pupils = await people.selectFrom('live_student').select('user_id').where('school_id', '=', school_id).where('dept_id', '=', own.id).orderBy('student_no').execute()
  const guards = await people.selectFrom('staff_membership').select('user_id').where('school_id', '=', school_id).where('dept_id', '=', guarding.id).where('valid_to', 'is', null).execute()
  const staff = await people.selectFrom('live_staff').select('user_id').where('school_id', '=', school_id).orderBy('teacher_no').execute()
  const ids = [...pupils, ...guards].map(one => one.user_id)
  await revoke({ app, db, school_id, now }, 'demo', ids.flatMap(user_id => gates.map(gate => `gate ${user_id} ${gate.place_name}`)))
  const place_ids = gates.map(gate => gate.place_id)
  const doors = { in_place_ids: place_ids, out_place_ids: place_ids }
  const created_by = staff[0]?.user_id ?? ''
  const when = ([begin, end]: readonly [number, number]) => ({ begin: new Date(now.getTime() + begin * hour_ms), end: new Date(now.getTime() + end * hour_ms) })
  const plan = (person_kind: 1 | 2, user_id: string, { hours, is_revoked = false, ...rest }: OneOff) => ({ ...rest, ...when(hours), person_kind, user_id, created_by, ...(is_revoked ? { revoked_at: new Date(now.getTime() - hour_ms) } : {}) })
  const each = (person_kind: 1 | 2, who: readonly { user_id: string }[], plans: readonly OneOff[]) => who.slice(0, plans.length).flatMap(({ user_id }, at) => plans.slice(at, at + 1).map(one => plan(person_kind, user_id, one)))
  return {
    users: [],
    depts: [{ rule: '小学走读', dept_id: own.id, ...doors }, { rule: '教职工全天', dept_id: guarding.id, ...doors }],
    temporaries: [...each(1, pupils, of_pupils), ...each(2, spread(staff, of_staff.length), of_staff)],
    bans: pupils.slice(first_banned, first_banned + banned.length).flatMap(({ user_id }, at) => banned.slice(at, at + 1).map(({ hours, reason }) => ({ ...when(hours), reason, user_id, created_by }))),
  }
}
