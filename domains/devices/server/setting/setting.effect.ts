import { foreign_policies, read_back_span_hours } from '@campus/devices/contract'
import type { SchoolSetting, SettingEffect } from '@campus/devices/contract'
import { minuteText } from '@kit/server/excel'
import { sql } from 'kysely'
import type { Db } from '../db.ts'
import { newlySilent } from '../event/offline-alarm.ts'
import { firstKept, keptSpan } from '../event/passes-read.ts'
import { heldFrom } from '../proof/hold.ts'

type Of = { db: Db; school_id: number; now: Date }
type Key = SettingEffect['key']
const [day_ms, minute_ms, hour_digits, hours_a_day] = [86_400_000, 60_000, 2, 24] as const
/** What each value would do, told where it is another one than before. */
const words: readonly { keys: readonly Key[]; tell: (of: Of, before: SchoolSetting, next: SchoolSetting) => Promise<string> }[] = [
  { keys: ['offline_alert_minutes'], tell: silenceText },
  { keys: ['mass_delete_pct', 'mass_delete_min'], tell: massText },
  { keys: ['pass_keep_days'], tell: keepText },
  { keys: ['foreign_policy'], tell: foreignText },
  { keys: ['read_back_hour'], tell: nightText },
]

/** What saving would do here, in whole sentences, of each value that is another one than before. */
export async function effectsOf(of: Of, before: SchoolSetting, next: SchoolSetting): Promise<SettingEffect[]> {
  const effects: SettingEffect[] = []
  for (const { keys, tell } of words) {
    const key = keys.find(one => before[one] !== next[one])
    if (key !== undefined) effects.push({ key, text: await tell(of, before, next) })
  }
  return effects
}

async function silenceText({ db, school_id, now }: Of, _before: SchoolSetting, { offline_alert_minutes }: SchoolSetting): Promise<string> {
  const silent = await newlySilent(db, school_id, now, offline_alert_minutes * minute_ms)
  return `设备${offline_alert_minutes}分钟没有消息就报离线${silent.length === 0 ? '' : `；现在已有${silent.length}台超过这个时间还没有报警，保存后1分钟内报警`}。已发出的报警不会撤回。`
}

async function massText({ db, school_id }: Of, _before: SchoolSetting, next: SchoolSetting): Promise<string> {
  const { rows: [largest] } = await sql<{ device_name: string; persons: number }>`
    select d.device_name, count(*)::int as persons from sync_row r join device d on d.school_id = r.school_id and d.device_id = r.device_id and d.lifecycle <> 'retired'
    where r.school_id = ${school_id} and r.kind = 'person' and r.want_op = 'put' group by d.device_id, d.device_name order by persons desc, d.device_name limit 1`.execute(db)
  const example = largest ? `例如人最多的“${largest.device_name}”现有${largest.persons}人，一次删除超过${heldFrom(largest.persons, next)}人才会暂停。` : ''
  return `一次从一台设备删除超过${next.mass_delete_min}人、并且超过${next.mass_delete_pct}%时，暂停下发，等有权限的人签字。${example}已经暂停的变更仍要签字。`
}

async function keepText(of: Of, before: SchoolSetting, { pass_keep_days }: SchoolSetting): Promise<string> {
  const first = firstKept(of.now, pass_keep_days)
  if (pass_keep_days > before.pass_keep_days) return `保留到${first}月为止；此前已经删除的月份不能恢复。`
  const span = await keptSpan(of, first)
  if (span === null) return `以后按整月删除${pass_keep_days}天前的通行记录；目前没有更早的记录。`
  const months = span.from === span.to ? monthText(span.from) : `${monthText(span.from)}至${monthText(span.to)}`
  return `${months}的通行记录将在平台下一次清理旧月份时（通常一天内）整月删除，不能恢复；需要的请先导出。还没有被门禁统计读取的月份会等读取后再删；同一平台上有学校保留更久的，随那所学校删除。`
}

async function foreignText({ db, school_id, now }: Of, _before: SchoolSetting, { foreign_policy }: SchoolSetting): Promise<string> {
  const { rows: [{ count } = { count: 0 }] } = await sql<{ count: number }>`select count(*)::int as count from sync_drift where school_id = ${school_id} and found = 'foreign' and resolved_at is null`.execute(db)
  const waiting = count === 0 ? '' : `现有${count}条`
  if (foreign_policy === 'report') return `${foreign_policies.report}。不再自动删除${waiting === '' ? '' : `，${waiting}等待人工处理`}。`
  return `以后核对时发现的外来数据，24小时内没有人决定就从设备删除${waiting === '' ? '' : `；${waiting}未处理的，最早在${minuteText(new Date(now.getTime() + day_ms))}删除`}。发现时和删除后都会通知负责人。`
}

async function nightText({ db, school_id }: Of, _before: SchoolSetting, { read_back_hour }: SchoolSetting): Promise<string> {
  const { rows: [{ count } = { count: 0 }] } = await sql<{ count: number }>`
    select count(*)::int as count from device d join device_model m on m.model_code = d.model_code where d.school_id = ${school_id} and d.lifecycle = 'active' and m.driver in ('jdev', 'vf105')`.execute(db)
  return `每天${hourText(read_back_hour)}至${hourText((read_back_hour + read_back_span_hours) % hours_a_day)}，${count}台设备错开时间依次核对；离线的设备恢复连接后在当晚的时间内核对。`
}

function hourText(hour: number): string {
  return `${String(hour).padStart(hour_digits, '0')}:00`
}

function monthText(month: string): string {
  return `${month.slice(0, 4)}年${Number(month.slice(5))}月`
}
