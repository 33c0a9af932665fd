import type { Badge, BadgeDesk } from '@kit/server/http'
import { sql } from 'kysely'

const edit_code = 'identity.member.edit'
const warned_days = 7

/** Memberships that end within a week: to be prolonged or left to end. Told to whoever may do so in the whole school. */
export async function endingMembers({ db, school_id, me, now }: BadgeDesk): Promise<Badge[]> {
  if (!me.codes.has(edit_code) || me.scopes.dept.kind !== 'all') return []
  const { rows } = await sql<{ n: number }>`
    select count(*)::int as n from role_member m join role r on r.school_id = m.school_id and r.role_id = m.role_id join school_user u on u.school_id = m.school_id and u.user_id = m.user_id
    where m.school_id = ${school_id} and r.school_id = ${school_id} and r.enabled and not r.is_app and u.left_at is null
      and m.valid_from <= ${now} and m.valid_to > ${now} and m.valid_to <= ${now}::timestamptz + make_interval(days => ${warned_days})`.execute(db)
  const count = rows[0]?.n ?? 0
  return count === 0 ? [] : [{ path: '/RoleMemberSet', count, text: `${count}个角色成员7天内到期` }]
}
