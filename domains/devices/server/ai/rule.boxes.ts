import { RuleBox } from '@campus/devices/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { tellRow } from '../state/row.sentence.ts'
import type { Told } from '../state/row.sentence.ts'
import { dueRules } from '../sync/due.ts'
import { warnRuleKey } from './rule.plan.ts'

type At = { db: Db; school_id: number; now: Date }
const Row = RuleBox.pick({ want_op: true, state: true }).extend({ attempts: z.number(), reason_code: z.string().nullable(), reason_text: z.string().nullable(), next_at: z.coerce.date(), acked_at: z.coerce.date().nullable(), proven_at: z.coerce.date().nullable() })
const Found = z.object({ rule_id: z.string(), enabled: z.boolean(), is_fed: z.boolean(), device_id: z.string(), box_name: z.string(), online: z.boolean(), is_push: z.boolean(), lifecycle: z.string(), row: Row.nullable() })

/** A binding `b` that feeds a box at a moment. */
const feeds = (now: Date) => sql`b.bind_kind = 'box' and b.valid_from <= ${now} and (b.valid_to is null or b.valid_to > ${now})`

/** Of these rules the boxes that are to go by them or may still do, each with what became of it. */
export async function readRuleBoxes({ db, school_id, now }: At, rule_ids: readonly string[]): Promise<ReadonlyMap<string, RuleBox[]>> {
  if (rule_ids.length === 0) return new Map()
  const ids = [...rule_ids]
  const { rows } = await sql`
    with fed as (select distinct c.rule_id, b.target_device_id as device_id from ai_rule_camera c join camera_binding b on b.school_id = c.school_id and b.camera_device_id = c.camera_device_id and ${feeds(now)} where c.school_id = ${school_id} and c.rule_id = any(${ids}::bigint[])),
    told as (
      select u.rule_id, r.device_id, to_jsonb(r) as told from device x cross join unnest(${ids}::bigint[]) u(rule_id)
      join sync_row r on r.school_id = x.school_id and r.device_id = x.device_id and r.kind = 'rule' and r.row_key = ${warnRuleKey('')} || u.rule_id
      where x.school_id = ${school_id} and x.device_type = '15' and x.lifecycle <> 'retired' and r.state <> 'gone')
    select u.rule_id::text, a.enabled, f.device_id is not null as is_fed, x.device_id::text, x.device_name as box_name, x.online, x.is_push, x.lifecycle, t.told as row
    from (select rule_id, device_id from fed union select rule_id, device_id from told) u
    join ai_rule a on a.school_id = ${school_id} and a.rule_id = u.rule_id
    join device x on x.school_id = ${school_id} and x.device_id = u.device_id
    left join fed f on f.rule_id = u.rule_id and f.device_id = u.device_id
    left join told t on t.rule_id = u.rule_id and t.device_id = u.device_id
    order by x.device_name`.execute(db)
  const found = z.array(Found).parse(rows).filter(one => one.row !== null || (one.enabled && one.is_fed))
  return new Map([...Map.groupBy(found, one => one.rule_id)].map(([rule_id, boxes]) => [rule_id, boxes.map(toldBox)]))
}

/** The boxes that these cameras feed, and those that hold the rule, are to be told its rules anew, in the caller's transaction. */
export async function dueBoxes({ db, school_id, now }: At, { camera_ids, rule_id }: { camera_ids: readonly string[]; rule_id?: string }): Promise<void> {
  const held = rule_id === undefined ? sql`` : sql`
    union select r.device_id::text from device x join sync_row r on r.school_id = x.school_id and r.device_id = x.device_id and r.kind = 'rule' and r.row_key = ${warnRuleKey(rule_id)} and r.want_op = 'put' where x.school_id = ${school_id} and x.device_type = '15'`
  const { rows } = await sql<{ device_id: string }>`
    select b.target_device_id::text as device_id from camera_binding b where b.school_id = ${school_id} and b.camera_device_id = any(${[...camera_ids]}::bigint[]) and ${feeds(now)}${held}`.execute(db)
  await dueRules({ db, school_id, now }, [...new Set(rows.map(row => row.device_id))])
}

function toldBox({ rule_id: _rule, enabled: _enabled, is_fed: _fed, is_push, lifecycle, row, ...box }: z.output<typeof Found>): RuleBox {
  const told = row === null ? waiting(lifecycle) : tellRule(row, { online: box.online, is_push, lifecycle })
  return { ...box, want_op: row?.want_op ?? 'put', state: row?.state ?? 'pending', ...told }
}

function waiting(lifecycle: string): Pick<Told, 'sentence' | 'next_step'> {
  return lifecycle === 'pending' ? { sentence: '盒子还没有连接过', next_step: '在盒子上填写接入信息，让它连接一次' } : { sentence: '正在排队下发', next_step: null }
}

/** What the row of a rule says; a box that refuses needs another thing than a person's data. */
function tellRule(row: z.output<typeof Row>, box: Parameters<typeof tellRow>[1]): Pick<Told, 'sentence' | 'next_step'> {
  const told = tellRow({ kind: 'rule', row_key: '', ...row }, box)
  return row.state === 'refused' ? { ...told, next_step: '把摄像机改绑到支持该类型的盒子；或给盒子补齐授权，盒子上报后自动重新下发（没有自动下发时，在设备管理中对它点“重建”）' } : told
}
