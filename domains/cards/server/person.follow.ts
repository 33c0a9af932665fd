import type { Erase, MovedRow, Precheck, Rekey, RekeyPair } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { sql } from 'kysely'
import { z } from 'zod'
import { dropCredentials } from './block.ts'
import type { Act, CardsDb } from './db.ts'
import { depositsOf, holdingsOf } from './holding.queries.ts'

const tables = ['card_holding', 'card_op', 'card_block', 'card_use_after_block', 'card_conflict', 'card_deposit_entry', 'card', 'card_setting', 'social_card'] as const
const title = '校园卡'
const by_system = 5
const fen_in_yuan = 100
const [first_slave, last_slave] = [1, 4] as const
const kept = {
  card: '卡片属于学校，不记姓名', card_setting: '学校设置', social_card: '随卡片保存，卡号加密',
  card_op: '卡操作流水不改写', card_block: '挂失阻断记录不改写', card_use_after_block: '挂失后使用记录不改写', card_deposit_entry: '押金流水不改写', card_conflict: '冲突处理记录不改写',
} as const

const actOf = ({ app, db, school_id, now }: RekeyPair): Act => ({ app, db: asTables<CardsDb>(db), school_id, now, by: null, via: by_system })

/** Cards, when two files turn out to be one person: they go to the kept one, a second main card becomes a slave card (chapter 40 rule 14). */
export const cardsRekey: Rekey = {
  domain: 'cards',
  title,
  tables: ['card_holding', 'card_op', 'card_block', 'card_use_after_block', 'card_conflict', 'card_deposit_entry', 'card', 'card_setting'],
  stays: { card: kept.card, card_setting: kept.card_setting, card_op: kept.card_op, card_block: kept.card_block, card_use_after_block: kept.card_use_after_block, card_deposit_entry: kept.card_deposit_entry, card_conflict: kept.card_conflict },
  async preview({ db, school_id, drop_user_id }) {
    const { length: count } = await holdingsOf(asTables<CardsDb>(db), school_id, [drop_user_id])
    return { moves: count > 0 ? [{ title, count }] : [], conflicts: [] }
  },
  async apply(step) {
    const act = actOf(step)
    const { keep_user_id, drop_user_id } = step
    const taken = new Set((await holdingsOf(act.db, act.school_id, [keep_user_id])).map(one => one.slot))
    const moved: MovedRow[] = []
    for (const held of await holdingsOf(act.db, act.school_id, [drop_user_id])) {
      const free = [held.slot, ...Array.from({ length: last_slave }, (_, at) => at + first_slave)].find(slot => !taken.has(slot))
      if (free === undefined) continue
      taken.add(free)
      await act.db.updateTable('card_holding').set({ user_id: keep_user_id, slot: free, row_version: sql<number>`row_version + 1` }).where('school_id', '=', act.school_id).where('holding_id', '=', held.holding_id).execute()
      moved.push({ table_name: 'card_holding', row_key: held.holding_id, column_name: 'user_id', old_user_id: drop_user_id, before: { slot: held.slot } })
    }
    return moved
  },
  async undo({ db, school_id, drop_user_id }, rows) {
    for (const { row_key, before } of rows) {
      const { slot } = z.object({ slot: z.number().int() }).parse(before)
      await asTables<CardsDb>(db).updateTable('card_holding').set({ user_id: drop_user_id, slot }).where('school_id', '=', school_id).where('holding_id', '=', row_key).where('ended_at', 'is', null).execute()
    }
    return []
  },
  mark: () => Promise.resolve(null),
}

/** Who is erased has no card: holdings that are open end, readers forget them; the ledger keeps the bare number. */
export const cardsErase: Erase = {
  domain: 'cards',
  title,
  stage: 'rows',
  tables: [...tables],
  stays: kept,
  async erase({ app, db, school_id, now, user_id }) {
    const act: Act = { app, db: asTables<CardsDb>(db), school_id, now, by: null, via: by_system }
    const held = await holdingsOf(act.db, school_id, [user_id])
    await dropCredentials(act, held.map(one => one.holding_id))
    for (const { holding_id } of held) await act.db.updateTable('card_holding').set({ state: 4, ended_at: now, close_reason: '人员注销' }).where('school_id', '=', school_id).where('holding_id', '=', holding_id).execute()
    const { numUpdatedRows } = await act.db.updateTable('card_op').set({ user_name: null, user_no: null, dept_name: null }).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirstOrThrow()
    const count = held.length + Number(numUpdatedRows)
    return count === 0 ? [] : [{ store: 'db:cards', title, action: 'anonymised', acked: true, evidence: `${count} 行` }]
  },
}

/** 未退卡1张，押金15元: what a deletion has to settle first (chapter 40 §7). */
export const cardsPrecheck: Precheck = {
  code: 'cards.open',
  title: '未退校园卡',
  level: 'warn',
  async find({ db, school_id }, user_ids) {
    const held = Map.groupBy(await holdingsOf(asTables<CardsDb>(db), school_id, user_ids), one => one.user_id)
    const deposits = await depositsOf(asTables<CardsDb>(db), school_id, user_ids)
    return [...held].map(([user_id, cards]) => {
      const deposit = deposits.get(user_id) ?? 0
      return { user_id, action: `未退卡${cards.length}张${deposit > 0 ? `，押金${deposit / fen_in_yuan}元` : ''}`, link: '/CardManagement' }
    })
  },
}
