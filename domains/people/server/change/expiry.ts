import { leave_kinds } from '@campus/people/contract'
import type { ChangeReceipt } from '@campus/people/contract'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import { oneOf } from '../dated.ts'
import type { Db } from '../db.ts'
import type { CommandLine } from './change.queries.ts'
import { changeEffectPort } from './effect-port.ts'

/** Leaves of so many days make the median. */
const looked_back_ms = 90 * 86_400_000
const departures: readonly string[] = [...leave_kinds, 'STAFF_OUT']

type Desk = { db: Db; app: App; school_id: number; now: Date }
type Lines = readonly { domain: string; effect_code: string; state: string; done_at: Date | null }[]

/**
 * 离校到失效用时: how long rights outlived a departure, from the moment it took effect until the last terminal had confirmed (chapter 20 §10.2), beside
 * the median of the school's last 90 days. Null for other commands and where no terminal knew of anybody; what somebody closed by hand was never confirmed.
 */
export async function expiryOf(desk: Desk, { kind, applied_at }: Pick<CommandLine, 'kind' | 'applied_at'>, effects: Lines): Promise<ChangeReceipt['expiry']> {
  if (!departures.includes(kind) || applied_at === null) return null
  const codes = confirmedElsewhere(desk.app)
  const lines = effects.filter(({ domain, effect_code, state }) => codes.includes(`${domain}.${effect_code}`) && (state === 'done' || state === 'waiting'))
  if (lines.length === 0) return null
  const ends = lines.map(({ state, done_at }) => (state === 'done' ? done_at : null))
  const last = ends.some(end => end === null) ? null : Math.max(...ends.map(end => end?.getTime() ?? 0))
  return { seconds: last === null ? null : Math.max(0, Math.round((last - applied_at.getTime()) / 1000)), ...(await medianOf(desk, codes)) }
}

/** Effects whose end somebody else says, as `domain.effect_code`. */
function confirmedElsewhere(app: App): string[] {
  return changeEffectPort.all(app).flatMap(({ domain, effect_code, waiting }) => (waiting ? [`${domain}.${effect_code}`] : []))
}

async function medianOf({ db, school_id, now }: Desk, codes: readonly string[]): Promise<{ median_seconds: number | null; measured: number }> {
  const commands = await db
    .selectFrom('change_command')
    .select(['id', 'applied_at'])
    .where('school_id', '=', school_id)
    .where('kind', 'in', departures)
    .where('state', 'in', ['applied', 'settled'])
    .where('applied_at', '>', new Date(now.getTime() - looked_back_ms))
    .execute()
  if (commands.length === 0) return { median_seconds: null, measured: 0 }
  const ends = await db
    .selectFrom('change_effect')
    .select(['command_id', sql<Date>`max(done_at)`.as('last'), sql<boolean>`bool_or(state = 'waiting')`.as('waits')])
    .where('school_id', '=', school_id)
    .where(oneOf('command_id', commands.map(command => command.id)))
    .where(sql<boolean>`domain || '.' || effect_code = any(${[...codes]}::text[])`)
    .where('state', 'in', ['done', 'waiting'])
    .groupBy('command_id')
    .execute()
  const since = new Map(commands.map(command => [command.id, command.applied_at?.getTime() ?? 0]))
  const taken = ends.flatMap(({ command_id, last, waits }) => (waits ? [] : [Math.max(0, last.getTime() - (since.get(command_id) ?? 0)) / 1000])).toSorted((a, b) => a - b)
  return { median_seconds: middle(taken), measured: taken.length }
}

function middle(sorted: readonly number[]): number | null {
  const [low, high] = [sorted[Math.floor((sorted.length - 1) / 2)], sorted[Math.floor(sorted.length / 2)]]
  return low === undefined || high === undefined ? null : Math.round((low + high) / 2)
}
