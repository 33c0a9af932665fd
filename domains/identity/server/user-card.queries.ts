import { commonErrors, fail } from '@kit/contract'
import { sql } from 'kysely'
import type { IdentityCtx } from './db.ts'

/** Role groups of the caller's school, in their order, each with the number of its roles. */
export async function listRoleGroups({ db, school_id }: IdentityCtx) {
  const list = await db
    .selectFrom('role_group as g')
    .select(['g.role_group_id', 'g.code', 'g.name', 'g.client_kind', 'g.is_system', 'g.order', 'g.row_version'])
    .select(sql<number>`(select count(*)::int from role r where r.school_id = ${school_id} and r.role_group_id = g.role_group_id and r.removed_at is null)`.as('role_count'))
    .where('g.school_id', '=', school_id)
    .where('g.is_app', '=', false)
    .orderBy('g.order')
    .orderBy('g.role_group_id')
    .execute()
  return { list }
}

const staff_kind = 2

/**
 * Display copies of up to 100 people of the caller's school; unknown ids are left out. A super account, which belongs to no school, is known to
 * itself wherever it works.
 * @throws Refusal 404 when none of the ids is known here
 */
export async function listUserCards({ db, school_id, me }: IdentityCtx, user_ids: readonly string[]) {
  if (user_ids.length === 0) return { list: [] }
  const list = await db
    .selectFrom('school_user')
    .select(['user_id', 'user_no', 'user_name', 'user_photo', 'user_kind'])
    .where('school_id', '=', school_id)
    .where('user_id', 'in', [...user_ids])
    .orderBy('user_id')
    .execute()
  const is_stranger = me.is_super && user_ids.includes(me.user_id) && !list.some(card => card.user_id === me.user_id)
  const { user_id, user_no, user_name } = me
  const own = is_stranger ? [{ user_id, user_no, user_name, user_photo: null, user_kind: staff_kind }] : []
  if (list.length + own.length === 0) throw fail(commonErrors.notFound)
  return { list: [...list, ...own] }
}
