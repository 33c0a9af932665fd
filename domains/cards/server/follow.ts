import { cardsEvents } from '@campus/cards/contract'
import { devicesEvents } from '@campus/devices/contract'
import { peopleEvents } from '@campus/people/contract'
import { schoolDay } from '@campus/school/server'
import { asTables } from '@kit/server/db'
import { consume, publish } from '@kit/server/event'
import type { TimerKind } from '@kit/server/event'
import type { App, EventDesk } from '@kit/server/http'
import { sql } from 'kysely'
import type { QueryExecutorProvider } from 'kysely'
import { dropCredentials, settleBlocks, source } from './block.ts'
import { freezeCard, revokeCard } from './close.ts'
import type { Act, CardsDb } from './db.ts'
import { lockHoldingsOf } from './holding.queries.ts'
import type { Held } from './holding.queries.ts'
import { op_codes } from './journal.ts'
import type { Holder } from './people.ts'
import { expire_kind, planWatch, watch_kind } from './plan.ts'

const [normal, lost, frozen, expired] = [1, 2, 5, 6] as const
const by_system = 5
const card_mode = 2
const day_ms = 86_400_000
/** Days for which uses of a lost card are looked for (chapter 40 rule 10). */
const watched_days = 30
const next_look_ms = 600_000

type System = { app: App; db: QueryExecutorProvider; school_id: number; now: Date }

const systemAct = ({ app, db, school_id, now }: System): Act => ({ app, db: asTables<CardsDb>(db), school_id, now, by: null, via: by_system })

/** What people's comings and goings mean for cards (chapter 40 §7), and what devices confirm. */
export const cardsConsumers = [
  consume('cards.person_departed', peopleEvents.personDeparted.name, peopleEvents.personDeparted.payload.pick({ user_ids: true }), (step, { user_ids }) => closeAll(step, user_ids)),
  consume('cards.person_suspended', peopleEvents.personSuspended.name, peopleEvents.personSuspended.payload.pick({ user_ids: true }), (step, { user_ids }) => turnAll(step, user_ids, true)),
  consume('cards.person_restored', peopleEvents.personRestored.name, peopleEvents.personRestored.payload.pick({ user_ids: true }), (step, { user_ids }) => turnAll(step, user_ids, false)),
  consume('cards.row_acked', devicesEvents.rowAcked.name, devicesEvents.rowAcked.payload, (step, row) => settleRow(step, row)),
]

/** Who left has no card any more: every reader forgets it at once; the medium is lost until it is handed in. */
async function closeAll(step: EventDesk, user_ids: readonly string[]): Promise<void> {
  const act = systemAct(step)
  for (const held of await lockHoldingsOf(act.db, act.school_id, user_ids)) await revokeCard(act, held, await nameOf(act, held), { returned: false, reason: '离校' })
}

/** Cards rest while their holder does, and only those that rested for it come back. */
async function turnAll(step: EventDesk, user_ids: readonly string[], is_frozen: boolean): Promise<void> {
  const act = systemAct(step)
  for (const held of await lockHoldingsOf(act.db, act.school_id, user_ids)) {
    if (held.state !== (is_frozen ? normal : frozen)) continue
    if (!is_frozen && !(await wasFrozenBySystem(act, held.holding_id))) continue
    await freezeCard(act, held, await nameOf(act, held), is_frozen, is_frozen ? '休学' : '复学')
  }
}

async function wasFrozenBySystem({ db, school_id }: Act, holding_id: string): Promise<boolean> {
  const last = await db.selectFrom('card_op').select('via').where('school_id', '=', school_id).where('holding_id', '=', holding_id).where('op', '=', op_codes.freeze).orderBy('at', 'desc').limit(1).executeTakeFirst()
  return last?.via === by_system
}

/** The name for the journal of somebody who may have left already. */
async function nameOf({ db, school_id }: Act, { user_id, person_kind }: Held): Promise<Holder> {
  const label = await db.selectFrom('person_label').select(['display_name', 'last_dept_name']).where('school_id', '=', school_id).where('user_id', '=', user_id).executeTakeFirst()
  return { user_id, person_kind, user_name: label?.display_name ?? '', user_no: '', dept_id: null, dept_name: label?.last_dept_name ?? null }
}

async function settleRow(step: EventDesk, row: { source: string; source_ref: string }): Promise<void> {
  if (row.source !== source) return
  const act = systemAct(step)
  const holding_id = row.source_ref.replace('card ', '')
  const found = await act.db.selectFrom('card_holding').select('user_id').where('school_id', '=', act.school_id).where('holding_id', '=', holding_id).executeTakeFirst()
  if (found) await settleBlocks(act, [found.user_id])
}

/** Ends cards on the day after their last one, which takes them off the devices; the online check refuses them from midnight on (chapter 40 rule 12). */
export const expireTimer: TimerKind = {
  kind: expire_kind,
  async run(db, due) {
    const act = systemAct({ ...due, db })
    const today = schoolDay(due.now)
    const over = await act.db.selectFrom('card_holding').select('user_id').where('school_id', '=', act.school_id).where('ended_at', 'is', null).where('state', 'in', [normal, frozen]).where('valid_to', '<', today).execute()
    for (const held of await lockHoldingsOf(act.db, act.school_id, over.map(one => one.user_id))) {
      if ((held.state !== normal && held.state !== frozen) || held.valid_to === null || held.valid_to >= today) continue
      await act.db.updateTable('card_holding').set({ state: expired, row_version: held.row_version + 1 }).where('school_id', '=', act.school_id).where('holding_id', '=', held.holding_id).execute()
      await dropCredentials(act, [held.holding_id])
      await publish(act, cardsEvents.expired, { holding_id: held.holding_id, user_id: held.user_id })
    }
  },
}

/** Looks for uses of a lost card: passes come late from terminals that were offline (chapter 40 rule 9). */
export const watchTimer: TimerKind = {
  kind: watch_kind,
  async run(db, due) {
    const act = systemAct({ ...due, db })
    const loss = await act.db.selectFrom('card_op').select(['user_id', 'uid_hex', 'at', 'holding_id']).where('school_id', '=', act.school_id).where('op_id', '=', due.ref).executeTakeFirst()
    if (!loss || loss.user_id === null) return
    const until = await lossEnd(act, loss.holding_id, due.ref)
    await settleBlocks(act, [loss.user_id])
    await noteUses(act, { user_id: loss.user_id, uid_hex: loss.uid_hex, from: loss.at, until })
    if (due.now.getTime() - loss.at.getTime() < watched_days * day_ms && until === null) await planWatch(act, due.ref, next_look_ms)
  },
}

/** When a loss ended, by being found; null: it has not. */
async function lossEnd({ db, school_id }: Act, holding_id: string | null, op_id: string): Promise<Date | null> {
  if (holding_id === null) return null
  const held = await db.selectFrom('card_holding').select(['state', 'loss_op_id']).where('school_id', '=', school_id).where('holding_id', '=', holding_id).executeTakeFirst()
  if (!held || held.loss_op_id === op_id || held.state === lost) return null
  const found = await db.selectFrom('card_op').select('at').where('school_id', '=', school_id).where('holding_id', '=', holding_id).where('op', '=', op_codes.cancel_loss).orderBy('at', 'desc').limit(1).executeTakeFirst()
  return found?.at ?? null
}

async function noteUses(act: Act, { user_id, uid_hex, from, until }: { user_id: string; uid_hex: string; from: Date; until: Date | null }): Promise<void> {
  const { db, school_id, now } = act
  const { rows } = await sql<{ device_id: string; device_seq: string }>`
    insert into card_use_after_block (school_id, device_id, device_seq, at, received_at, uid_hex, user_id, kind, allowed)
    select ${school_id}::int, e.device_id, e.device_seq, e.event_time, e.received_at, ${uid_hex}, ${user_id}::bigint, 1, e.pass_state = 1
    from pass_event_v e
    where e.school_id = ${school_id} and e.event_date >= ${schoolDay(from)}::date and e.event_date <= ${schoolDay(new Date(now.getTime() + day_ms))}::date
      and e.user_id = ${user_id} and e.verify_mode = ${card_mode} and e.event_time >= ${from}::timestamptz and e.event_time < ${until ?? now}::timestamptz
    on conflict (school_id, device_id, device_seq) do nothing returning device_id::text as device_id, device_seq`.execute(db)
  for (const row of rows) await publish(act, cardsEvents.usedAfterBlock, { user_id, ...row })
}
