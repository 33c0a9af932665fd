import { follower_words } from '@campus/devices/contract'
import type { FollowerState, RuleFollower } from '@campus/devices/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import { tellRow } from '../state/row.sentence.ts'
import { rule_keys } from './rule.plan.ts'
import { appliedDevices } from './rule.queries.ts'
import type { RuleRecord } from './rule.queries.ts'
import { wayOf } from './way.ts'
import type { RuleDevice } from './way.ts'

const Line = z.object({ device_id: z.string(), is_push: z.boolean(), state: z.string().nullable(), reason_code: z.string().nullable(), reason_text: z.string().nullable() })
type Line = z.output<typeof Line>
/** A rule and how it stands with one of its devices. */
type Standing = { rule: Pick<RuleRecord, 'enabled' | 'rule_kind'>; device: RuleDevice; is_applied: boolean; line: Line | undefined }

/** How it stands between a rule and its devices: who follows, and why the others do not (chapter 30 §5). */
export async function readFollowers(db: Db, school_id: number, rule: RuleRecord, devices: readonly RuleDevice[]): Promise<RuleFollower[]> {
  if (devices.length === 0) return []
  const ids = devices.map(device => device.device_id)
  const row_key = rule_keys[rule.rule_kind]
  const applied = rule.enabled ? await appliedDevices(db, school_id, row_key, ids) : new Set<string>()
  const { rows } = await sql`
    select d.device_id::text, d.is_push, r.state, r.reason_code, r.reason_text from device d
    left join sync_row r on r.school_id = d.school_id and r.device_id = d.device_id and r.kind = 'rule' and r.row_key = ${row_key} and r.want_op = 'put'
    where d.school_id = ${school_id} and d.device_id = any(${ids}::bigint[])`.execute(db)
  const lines = new Map(z.array(Line).parse(rows).map(line => [line.device_id, line]))
  return devices.map(device => {
    const { device_id, device_name, node_path_name } = device
    const line = lines.get(device_id)
    const state = standing({ rule, device, is_applied: applied.has(device_id), line })
    return { device_id, device_name, node_path_name, state, sentence: sentences[state] ?? (state === 'refused' && line ? refusal(line) : follower_words[state]) }
  })
}

/** What to do about each, where the word alone does not say it. */
const sentences: Partial<Record<FollowerState, string>> = {
  waiting: '正在下发，设备确认后生效',
  offline: '设备离线，恢复连接后自动下发',
  paused: '设备已暂停下发，在设备管理中恢复下发',
  disabled: '设备已停用，在设备管理中启用后下发',
  pending: '设备还没有连接过，连接后自动下发',
  unsupported: '该型号不支持此规则，请更换设备或从适用范围中去掉',
  off: '启用规则后下发',
}

function standing({ rule, device, is_applied, line }: Standing): FollowerState {
  const way = wayOf(rule.rule_kind, device)
  if (way === 'unsupported' || way === 'gate') return way
  if (!rule.enabled) return 'off'
  if (is_applied) return 'applied'
  if (device.lifecycle === 'pending' || device.lifecycle === 'disabled') return device.lifecycle
  if (line?.state === 'refused') return 'refused'
  if (line?.is_push === false) return 'paused'
  return device.online ? 'waiting' : 'offline'
}

function refusal({ reason_code, reason_text }: Line): string {
  const epoch = new Date(0)
  return tellRow({ kind: 'rule', row_key: '', want_op: 'put', state: 'refused', attempts: 0, reason_code, reason_text, next_at: epoch, acked_at: null, proven_at: null }, { online: true, is_push: true, lifecycle: 'active' }).sentence
}
