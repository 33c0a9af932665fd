import { declareScope } from '@campus/identity/server'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'

const source = 'people.delegate'

/**
 * Tells identity for which departments these people act, did and will, down to the second; a revoked one ended when it was revoked. Reads the
 * whole history, because a declaration replaces the earlier one: whoever writes delegations to a person locks him first.
 */
export async function declareDelegations(db: Db, school_id: number, to_user_ids: readonly string[]): Promise<void> {
  const people = [...new Set(to_user_ids)]
  if (people.length === 0) return
  const rows = await db
    .selectFrom('delegate_dept')
    .select(['to_user_id', 'dept_id', 'valid_from', 'valid_to', 'revoked_at'])
    .where('school_id', '=', school_id)
    .where(oneOf('to_user_id', people))
    .orderBy('valid_from')
    .execute()
  const by_user = Map.groupBy(rows, row => row.to_user_id)
  await declareScope(db, school_id, source, people.map(user_id => ({
    user_id,
    dimension: 'dept' as const,
    kind: 'delegated' as const,
    facts: (by_user.get(user_id) ?? []).flatMap(({ dept_id, valid_from, valid_to, revoked_at }) => {
      const end = revoked_at ?? valid_to
      return end > valid_from ? [{ id: dept_id, valid_from, valid_to: end }] : []
    }),
  })))
}
