import { cardsEvents } from '@campus/cards/contract'
import { publish } from '@kit/server/event'
import type { Act } from './db.ts'
import type { Held } from './holding.queries.ts'
import type { Holder } from './people.ts'

/** Codes of CARD_OP. */
export const op_codes = { issue: 1, loss: 2, cancel_loss: 3, reissue: 4, revoke: 5, exchange: 6, issue_slave: 7, revoke_slave: 8, reissue_fast: 9, import: 10, auto_issue: 11, renew: 12, freeze: 13, unfreeze: 14, undo: 15, stock: 16, void: 17, found: 18 } as const

export type OpLine = { op: number; uid_hex: string; card_id: string; held?: Held | null; holder?: Holder | null; to_state?: number | null; reason?: string | null | undefined; undo_of_op_id?: string; after_version?: number }

/** Writes one line of the append-only journal of cards, with the names of now. @returns its id */
export async function writeOp(act: Act, line: OpLine): Promise<string> {
  const { db, school_id, now, by, via, batch_no } = act
  const { op, uid_hex, card_id, held = null, holder = null, to_state = null, reason, undo_of_op_id, after_version } = line
  const { op_id } = await db
    .insertInto('card_op')
    .values({
      school_id, at: now, op, card_id, uid_hex, via, to_state,
      user_id: held?.user_id ?? holder?.user_id ?? null,
      holding_id: held?.holding_id ?? null,
      from_state: held?.state ?? null,
      user_name: holder?.user_name ?? null,
      user_no: holder?.user_no ?? null,
      dept_name: holder?.dept_name ?? null,
      reason: reason ?? null,
      by_user_id: by?.user_id ?? null,
      by_name: by?.user_name ?? null,
      batch_no: batch_no ?? null,
      undo_of_op_id: undo_of_op_id ?? null,
      after_version: after_version ?? null,
    })
    .returning('op_id')
    .executeTakeFirstOrThrow()
  return op_id
}

type PlainEvent = 'issued' | 'unlost' | 'reissued' | 'revoked' | 'frozen' | 'unfrozen'

/** Publishes what became of somebody's card, in the act's transaction. */
export async function publishOp(act: Act, name: PlainEvent, op_id: string, user_id: string): Promise<void> {
  await publish({ ...act, me: act.by }, cardsEvents[name], { op_id, user_id })
}
