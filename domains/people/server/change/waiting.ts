import type { ChangeReceipt } from '@campus/people/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { PeopleDb } from '../db.ts'
import { lockPlanOfCommand } from '../upgrade/plan.queries.ts'
import { lockCommand, settleCommand } from './command.queries.ts'
import { changeEffectPort, longest_detail } from './effect-port.ts'
import type { EffectStep } from './effect-port.ts'

type Desk = { db: QueryExecutorProvider; school_id: number; now: Date }
/** A line that waits; `kind` is that of the step it was carried out with. */
type Line = { command_id: string; kind: string; domain: string; effect_code: string }

/**
 * What a line of a receipt was waiting for has come, or a part of it. `left` is asked once the command is locked: a sentence about what is still missing,
 * null when nothing is, which closes the line. A line that was closed by hand or undone meanwhile stays as it is.
 */
export async function settleWaiting({ db: handle, school_id, now }: Desk, { command_id, kind, domain, effect_code }: Line, left: () => Promise<string | null>): Promise<void> {
  const db = asTables<PeopleDb>(handle)
  await lockPlanOfCommand(db, school_id, command_id)
  const command = await lockCommand(db, school_id, command_id)
  if (command?.state !== 'applied') return
  const detail = await left()
  await db
    .updateTable('change_effect')
    .set(detail === null ? { state: 'done', detail: null, done_at: now } : { detail: detail.slice(0, longest_detail) })
    .where('school_id', '=', school_id)
    .where('command_id', '=', command_id)
    .where('domain', '=', domain)
    .where('effect_code', 'in', [effect_code, `${kind}.${effect_code}`])
    .where('state', '=', 'waiting')
    .execute()
  if (detail === null) await settleCommand(db, school_id, command_id)
}

type Shown = Pick<ChangeReceipt['effects'][number], 'domain' | 'effect_code' | 'state' | 'detail'>

/** What a line says; one that waits is asked what for, as it is now and not as it was when something last happened. */
export async function detailNow({ db, app, school_id, now }: Pick<EffectStep, 'db' | 'app' | 'school_id' | 'now'>, { command_id, kind }: Pick<Line, 'command_id' | 'kind'>, { domain, effect_code, state, detail }: Shown): Promise<string | null> {
  if (state !== 'waiting') return detail
  const [code = '', part = kind] = effect_code.split('.').toReversed()
  const waiting = changeEffectPort.all(app).find(effect => effect.domain === domain && effect.effect_code === code)?.waiting
  return waiting ? waiting({ db, school_id, now, command_id, kind: part }) : detail
}
