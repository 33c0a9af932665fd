import { asTables } from '@kit/server/db'
import type { Publisher } from '@kit/server/event'
import { sql } from 'kysely'
import { leave_kinds } from '@campus/people/contract'
import type { ChangeEffect, EffectPlan } from '../change/effect-port.ts'
import { oneOf } from '../dated.ts'
import type { PeopleDb } from '../db.ts'
import { tellChannel, tellWhitelist } from './channel.ts'

/** Lines that nobody has pushed are gone at once; the channel has to drop the others. @returns how many are gone, and how many wait for it */
export async function endLines(desk: Publisher, ids: readonly string[], reason: string): Promise<{ removed: number; removing: number }> {
  const { school_id } = desk
  const db = asTables<PeopleDb>(desk.db)
  const own = db.updateTable('alipay_whitelist').where('school_id', '=', school_id).where(oneOf('id', ids))
  const next = { reason, channel_msg: null, row_version: sql<number>`row_version + 1` }
  const gone = await own.set({ ...next, state: 'removed' }).where('state', 'in', ['pending', 'approved']).executeTakeFirst()
  const asked = await own.set({ ...next, state: 'removing', asked_at: null }).where('state', 'in', ['pushing', 'active']).executeTakeFirst()
  await tellChannel(desk)
  await tellWhitelist(desk, ids)
  return { removed: Number(gone.numUpdatedRows), removing: Number(asked.numUpdatedRows) }
}

/** Whoever leaves is taken off the whitelist (chapter 20 rule 31); a return does not put him on it again. */
export const whitelistEffect: ChangeEffect = {
  domain: 'people',
  effect_code: 'whitelist',
  title: '支付宝白名单',
  kinds: [...leave_kinds, 'GRAD', 'STAFF_OUT'],
  dated: false,
  undoable: false,
  preview: async plan => ({ count: (await openLines(plan)).length }),
  async apply(step) {
    const ids = await openLines(step)
    if (ids.length === 0) return { count: 0 }
    const { removing } = await endLines(step, ids, '离校')
    return { count: ids.length, detail: removing > 0 ? `${removing}条等待支付渠道确认移除` : '已移出名单' }
  },
  undo: async () => undefined,
}

async function openLines({ db, school_id, subjects }: Pick<EffectPlan, 'db' | 'school_id' | 'subjects'>): Promise<string[]> {
  const rows = await asTables<PeopleDb>(db)
    .selectFrom('alipay_whitelist')
    .select('id')
    .where('school_id', '=', school_id)
    .where(oneOf('user_id', subjects.map(subject => subject.user_id)))
    .where('state', 'not in', ['failed', 'removing', 'removed'])
    .orderBy('id')
    .execute()
  return rows.map(row => row.id)
}
