import { commonErrors, fail } from '@kit/contract'
import type { IdentityCtx } from './db.ts'

/** Role groups of the caller's school, in their order. */
export async function listRoleGroups({ db, school_id }: IdentityCtx) {
  const list = await db.selectFrom('role_group').select(['role_group_id', 'code', 'name']).where('school_id', '=', school_id).orderBy('order').execute()
  return { list }
}

/**
 * Display copies of up to 100 people of the caller's school; unknown ids are left out.
 * @throws Refusal 404 when none of the ids is known here
 */
export async function listUserCards({ db, school_id }: IdentityCtx, user_ids: readonly string[]) {
  if (user_ids.length === 0) return { list: [] }
  const list = await db
    .selectFrom('school_user')
    .select(['user_id', 'user_no', 'user_name', 'user_photo', 'user_kind'])
    .where('school_id', '=', school_id)
    .where('user_id', 'in', [...user_ids])
    .orderBy('user_id')
    .execute()
  if (list.length === 0) throw fail(commonErrors.notFound)
  return { list }
}
