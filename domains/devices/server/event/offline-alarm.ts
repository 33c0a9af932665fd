import type { App } from '@kit/server/http'
import { CloseRuleBody, isOffAt, lastTurn, rowHash, schoolMoment } from '@kit/terminal-protocol'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { readSetting } from '../setting/setting.queries.ts'
import { tellOffline } from '../tell/tell.ts'
import { beginAlarm } from './alarm.write.ts'

const minute_ms = 60_000
const Silent = z.object({ device_id: z.string(), last_seen_at: z.date(), body: z.unknown(), maintained_until: z.date().nullable() })

/**
 * Begins an alarm for every device that has not been heard of for as long as the school has set and is neither off by its rule nor being worked at; one that comes back late from either is told of
 * too (chapter 30 rule 16). `listening_since`: the server heard of nobody before, so that its own absence alarms nobody. Whoever looks after them is told, of all of them at once. @returns how many began
 */
export async function raiseOfflineAlarms({ app, db, school_id, now }: { app: App; db: Db; school_id: number; now: Date }, listening_since: Date): Promise<number> {
  const { offline_alert_minutes } = await readSetting(db, school_id)
  const raised = await newlySilent(db, school_id, now, offline_alert_minutes * minute_ms, listening_since)
  for (const { device_id, last_seen_at } of raised) {
    const at = now.toISOString()
    await beginAlarm({ app, db, school_id, device_id, now }, 'offline', { event_date: schoolMoment(now).date, device_seq: `offline:${last_seen_at.getTime()}`, at, body_hash: rowHash({ device_id, last_seen_at: last_seen_at.toISOString() }) })
  }
  await tellOffline({ app, db, school_id, now }, raised)
  return raised.length
}

/** Devices of which nothing was heard for so long, though they are to be on, and nobody was told. */
export async function newlySilent(db: Db, school_id: number, now: Date, alert_ms: number, listening_since = new Date(0)): Promise<{ device_id: string; last_seen_at: Date }[]> {
  const silent = await silentDevices(db, school_id, { now, before: new Date(now.getTime() - alert_ms) })
  return silent.filter(({ last_seen_at, body, maintained_until }) => {
    const rule = CloseRuleBody.safeParse(body).data
    if ((rule && isOffAt(rule, now)) || (maintained_until && maintained_until > now)) return false
    const on_since = rule ? (lastTurn(rule, now) ?? last_seen_at) : last_seen_at
    return now.getTime() - Math.max(last_seen_at.getTime(), on_since.getTime(), maintained_until?.getTime() ?? 0, listening_since.getTime()) >= alert_ms
  })
}

/** Which of some devices, or of all that are not heard of (`silent`), are off by their rule. */
export async function plannedOff(db: Db, school_id: number, device_ids: readonly string[] | 'silent', now: Date): Promise<ReadonlySet<string>> {
  if (device_ids.length === 0) return new Set()
  const of_rule = db.selectFrom('device_rule_plan as p').select(['p.device_id', 'p.body']).where('p.school_id', '=', school_id).where('p.rule_kind', '=', 2)
  const silent = of_rule.innerJoin('device as d', join => join.onRef('d.school_id', '=', 'p.school_id').onRef('d.device_id', '=', 'p.device_id')).where('d.online', '=', false)
  const rows = await (device_ids === 'silent' ? silent : of_rule.where('p.device_id', 'in', [...device_ids])).execute()
  return new Set(rows.filter(row => isOffAt(CloseRuleBody.parse(row.body), now)).map(row => row.device_id))
}

/** Devices of which nothing was heard since a moment and nobody was told, with their rule for going off and until when somebody works, or has worked, at them. */
async function silentDevices(db: Db, school_id: number, { now, before }: { now: Date; before: Date }): Promise<z.output<typeof Silent>[]> {
  const rows = await db
    .selectFrom('device as d')
    .innerJoin('device_model as m', 'm.model_code', 'd.model_code')
    .leftJoin('device_rule_plan as p', join => join.onRef('p.school_id', '=', 'd.school_id').onRef('p.device_id', '=', 'd.device_id').on('p.rule_kind', '=', 2))
    .select(eb => ['d.device_id', 'd.last_seen_at', 'p.body', eb.selectFrom('device_maintenance as x').select(x => x.fn.max('x.end_at').as('at')).where('x.school_id', '=', school_id).whereRef('x.device_id', '=', 'd.device_id').where('x.begin_at', '<=', now).as('maintained_until')])
    .where('d.school_id', '=', school_id)
    .where('d.lifecycle', '=', 'active')
    .where('d.online', '=', false)
    .where('m.driver', 'in', ['jdev', 'vf105'])
    .where('d.last_seen_at', '<=', before)
    .where(eb => eb.not(eb.exists(eb.selectFrom('alarm_event as a').select('a.device_id').where('a.school_id', '=', school_id).whereRef('a.device_id', '=', 'd.device_id').where('a.alarm_kind', '=', 'offline').where('a.cleared_at', 'is', null))))
    .execute()
  return rows.flatMap(row => Silent.safeParse(row).data ?? [])
}
