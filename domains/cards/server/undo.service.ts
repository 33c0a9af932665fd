import { cardsErrors, undo_minutes } from '@campus/cards/contract'
import type { cardApi } from '@campus/cards/contract'
import { schoolDay } from '@campus/school/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import { endHolding, moveMedium } from './close.ts'
import { actOf } from './db.ts'
import type { Act, CardsCtx, Db } from './db.ts'
import { lockHoldings } from './holding.queries.ts'
import type { Held } from './holding.queries.ts'
import { bookDeposit } from './issue.ts'
import { op_codes, writeOp } from './journal.ts'
import { findCard } from './loss.ts'
import { requireHolder } from './people.ts'

const minute_ms = 60_000
const in_stock = 0
const handed_in = 4
const [by_hand, card_mode] = [2, 2] as const
const issues: readonly number[] = [op_codes.issue, op_codes.issue_slave, op_codes.auto_issue, op_codes.import]

type Done = { op_id: string; at: Date; op: number; user_id: string | null; card_id: string | null; by_user_id: string | null; after_version: number | null }

/**
 * Takes back an act of the last five minutes: an issue ends as returned to stock, a loss as found; nothing is deleted (chapter 40 §2.1).
 * @throws Refusal 404 for somebody else's act, undoLate, undoBlocked once the card was used or changed
 */
export async function undoAct(ctx: CardsCtx, { op_id }: Input<typeof cardApi.undo>): Promise<Reply<typeof cardApi.undo>> {
  const { db, school_id, now, me } = ctx
  const done = await readOp(db, school_id, op_id, new Date(now.getTime() - 24 * 60 * minute_ms))
  if (!done || done.user_id === null || done.card_id === null || done.by_user_id !== me.user_id) throw fail(commonErrors.notFound)
  if (now.getTime() - done.at.getTime() > undo_minutes * minute_ms) throw fail(cardsErrors.undoLate)
  const holder = await requireHolder(ctx, done.user_id)
  const [held] = await lockHoldings(db, school_id, [done.card_id])
  if (!held || held.user_id !== done.user_id || held.row_version !== done.after_version) throw fail(cardsErrors.undoBlocked)
  const act = actOf(ctx, by_hand)
  if (done.op === op_codes.loss) return { op_id: await findCard(act, held, holder, schoolDay(now), '撤销挂失') }
  if (!issues.includes(done.op)) throw fail(cardsErrors.badState)
  await undoIssue(act, held, done)
  const undone = await writeOp(act, { op: op_codes.undo, uid_hex: held.uid_hex, card_id: held.card_id, held, holder, to_state: handed_in, undo_of_op_id: op_id })
  ctx.note({ target_kind: 'cards.card', target_id: held.card_id, target_name: `${holder.user_name} ${held.card_no}` })
  return { op_id: undone }
}

/** An issue that nothing followed: the card is in stock again, its deposit reversed. @throws Refusal undoBlocked after a pass */
export async function undoIssue(act: Act, held: Held, done: Pick<Done, 'at'>): Promise<void> {
  if (await wasUsed(act, held.user_id, done.at)) throw fail(cardsErrors.undoBlocked)
  await endHolding(act, held, handed_in, '撤销')
  await moveMedium(act, held.card_id, in_stock)
  const entries = await act.db.selectFrom('card_deposit_entry').select(['entry_id', 'amount', 'pay_way']).where('school_id', '=', act.school_id).where('holding_id', '=', held.holding_id).where('kind', '=', 1).execute()
  for (const { entry_id, amount, pay_way } of entries) await bookDeposit(act, held, { kind: 4, amount: -amount, pay_way, reverses_entry_id: entry_id })
}

async function readOp(db: Db, school_id: number, op_id: string, since: Date): Promise<Done | undefined> {
  return db
    .selectFrom('card_op')
    .select(['op_id', 'at', 'op', 'user_id', 'card_id', 'by_user_id', 'after_version'])
    .where('school_id', '=', school_id)
    .where('at', '>=', since)
    .where('op_id', '=', op_id)
    .executeTakeFirst()
}

/** Whether somebody passed a door by card since a moment. */
async function wasUsed({ db, school_id }: Act, user_id: string, since: Date): Promise<boolean> {
  const { rows } = await sql`
    select 1 as used from pass_event_v e
    where e.school_id = ${school_id} and e.event_date >= ${schoolDay(since)}::date and e.user_id = ${user_id} and e.verify_mode = ${card_mode} and e.received_at >= ${since}::timestamptz
    limit 1`.execute(db)
  return rows.length > 0
}
