import { devicesErrors } from '@campus/devices/contract'
import type { RuleThen, ruleApi } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { addDays, doorAt, isOffAt, RuleBody, schoolMoment, sleepAt, weekdayOfDate } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, DevicesCtx } from '../db.ts'
import { requireDevice } from '../device.service.ts'
import { mondayOf } from './days.ts'

const Row = z.object({ rule_kind: z.union([z.literal(1), z.literal(2), z.literal(3)]), is_live: z.boolean(), body: RuleBody.nullable(), rule_names: z.array(z.string()), told_at: z.date(), applied_at: z.date().nullable() })
type Row = z.output<typeof Row>
type Mode = RuleThen['days'][number]['windows'][number]['mode']

const week_days = 7
const kinds = [1, 2, 3] as const

/**
 * Which rules a device went by at a minute, and what it had been told and did not go by yet (chapter 30 §10.4): from what it was told and what it said of it.
 * @throws Refusal 404, 422 ruleMoment for the future
 */
export async function readRulesThen(ctx: DevicesCtx, { id, at: asked }: Input<typeof ruleApi.live_at>): Promise<Reply<typeof ruleApi.live_at>> {
  const { db, school_id, now } = ctx
  await requireDevice(ctx, id)
  const at = asked === undefined ? now : new Date(asked)
  if (at.getTime() > now.getTime()) throw fail(devicesErrors.ruleMoment)
  const of = { school_id, device_id: id }
  const rows = await readTold(db, of, at)
  const found = (kind: number, is_live: boolean) => rows.find(row => row.rule_kind === kind && row.is_live === is_live)
  return {
    at: at.toISOString(),
    since: await readSince(db, of),
    list: kinds.flatMap(rule_kind => {
      const [live, promised] = [found(rule_kind, true), found(rule_kind, false)]
      return live || promised ? [{ rule_kind, live: live?.body ? told(live, live.body, at) : null, promised: promised ? (promised.body ? told(promised, promised.body, at) : { ...bare(promised), days: [], now: null }) : null }] : []
    }),
  }
}

/** Of each kind what was live, and what had been told and was not. */
async function readTold(db: Db, { school_id, device_id }: { school_id: number; device_id: string }, at: Date): Promise<Row[]> {
  const columns = sql`rule_kind, body, rule_names, told_at, applied_at`
  const { rows } = await sql`
    (select distinct on (rule_kind) true as is_live, ${columns} from device_rule_told
      where school_id = ${school_id} and device_id = ${device_id} and applied_at <= ${at} order by rule_kind, applied_at desc, told_id desc)
    union all
    (select distinct on (rule_kind) false, ${columns} from device_rule_told
      where school_id = ${school_id} and device_id = ${device_id} and told_at <= ${at} and (ended_at is null or ended_at > ${at}) and (applied_at is null or applied_at > ${at}) order by rule_kind, told_at desc, told_id desc)`.execute(db)
  return z.array(Row).parse(rows)
}

/** Since when it is known what the device was told; null: it was never told anything. */
async function readSince(db: Db, { school_id, device_id }: { school_id: number; device_id: string }): Promise<string | null> {
  const row = await db.selectFrom('device_rule_told').select('told_at').where('school_id', '=', school_id).where('device_id', '=', device_id).orderBy('told_at').limit(1).executeTakeFirst()
  return row?.told_at.toISOString() ?? null
}

function bare({ rule_names, told_at, applied_at }: Row) {
  return { rule_names, told_at: told_at.toISOString(), applied_at: applied_at?.toISOString() ?? null }
}

/** The week of that moment day by day, and what the device does at it. */
function told(row: Row, body: RuleBody, at: Date): RuleThen {
  const monday = mondayOf(schoolMoment(at).date)
  const days = Array.from({ length: week_days }, (_, n) => addDays(monday, n)).map(date => ({ date, windows: windowsOf(body, date) }))
  return { ...bare(row), days, now: modeAt(body, at) }
}

function windowsOf(body: RuleBody, date: string): RuleThen['days'][number]['windows'] {
  const spans: readonly { from: string; to: string; mode?: Mode; verify?: number[] }[] = body.dates.find(day => day.date === date)?.windows ?? weeklyOf(body, date)
  return spans.map(({ from, to, mode, verify = [] }) => ({ from, to, mode: mode ?? (body.kind === 'close' ? 'off' : 'sleep'), verify }))
}

function weeklyOf({ weekly }: RuleBody, date: string) {
  return new Map(Object.entries(weekly)).get(String(weekdayOfDate(date))) ?? []
}

function modeAt(body: RuleBody, at: Date): Mode | null {
  if (body.kind === 'door') return doorAt(body, at)?.mode ?? null
  if (body.kind === 'close') return isOffAt(body, at) ? 'off' : null
  return sleepAt(body, at) ? 'sleep' : null
}
