import { AiRule } from '@campus/devices/contract'
import { rowHash, watchingWeek } from '@kit/terminal-protocol'
import type { WarnRuleBody } from '@kit/terminal-protocol'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { Change } from '../sync/row.write.ts'
import { isSame, isWanted } from '../sync/same.ts'
import type { KnownRow } from '../sync/same.ts'

type Of = { school_id: number; device_id: string }
/** Rules are put after rights and people; one that is to be forgotten looks at nobody for longer than it must (chapter 30 rule 4). */
const prio = { put: 8, delete: 2 } as const
const unknown_kind = 'unsupported_rule'

const Fact = AiRule.pick({ rule_id: true, warn_kind: true, windows: true, sensitivity: true, dwell_sec: true }).extend({ is_known: z.boolean(), cameras: z.array(z.object({ sn: z.string(), roi: AiRule.shape.cameras.element.shape.roi })) })
/** A rule as a box is to hold it; a blocked one says why it is not sent. */
type WantedRule = { row_key: string; body: WarnRuleBody; hash: string; blocked: string | null }

/** The key of a rule's row at a box. */
export function warnRuleKey(rule_id: string): string {
  return `ai:${rule_id}`
}

/**
 * What a box is to warn of: of each rule in force the cameras that feed this box and stand where people may be watched (chapter 30 rule 23); a rule of which no camera is left is not there. What its model has no algorithm
 * for is known before anything is sent.
 */
export async function readWarnRules(db: Db, { school_id, device_id }: Of, now: Date): Promise<WantedRule[]> {
  const { rows } = await sql`
    select r.rule_id::text, r.warn_kind, r.windows, r.sensitivity, r.dwell_sec, coalesce(m.capabilities -> 'algorithms' ? r.warn_kind, false) as is_known,
      jsonb_agg(jsonb_build_object('sn', d.device_sn, 'roi', c.roi) order by d.device_sn) as cameras
    from camera_binding b
    join device x on x.school_id = b.school_id and x.device_id = b.target_device_id
    join device_model m on m.model_code = x.model_code
    join device d on d.school_id = b.school_id and d.device_id = b.camera_device_id and d.lifecycle <> 'retired'
    join device_place s on s.school_id = d.school_id and s.device_id = d.device_id and s.valid_to is null
    join place_live_v p on p.school_id = s.school_id and p.place_id = s.place_id and not p.private_zone
    join ai_rule_camera c on c.school_id = d.school_id and c.camera_device_id = d.device_id
    join ai_rule r on r.school_id = c.school_id and r.rule_id = c.rule_id and r.enabled and r.deleted_at is null
    where b.school_id = ${school_id} and b.target_device_id = ${device_id} and b.bind_kind = 'box' and b.valid_from <= ${now} and (b.valid_to is null or b.valid_to > ${now})
    group by r.school_id, r.rule_id, m.model_code
    order by r.rule_id`.execute(db)
  return z.array(Fact).parse(rows).map(({ windows, cameras, is_known, ...fact }) => {
    const weekly = watchingWeek(windows)
    const body: WarnRuleBody = { kind: 'warn', ...fact, cameras: cameras.map(({ sn, roi }) => ({ sn, ...(roi ? { roi } : {}) })), ...(weekly ? { weekly } : {}) }
    return { row_key: warnRuleKey(fact.rule_id), body, hash: rowHash(body), blocked: is_known ? null : unknown_kind }
  })
}

/** What has to change at a box, so that it holds the rules that it is to go by: what is right already gets no new version, what was refused is not sent again until it is another (chapter 30 rules 3 and 6). */
export async function warnRuleChanges(db: Db, of: Of, now: Date): Promise<{ changes: Change[]; unchanged: number; blocked: number }> {
  const wanted = await readWarnRules(db, of, now)
  const known = new Map((await readKnown(db, of)).map(row => [row.row_key, row]))
  const turned = wanted.flatMap((row): Change[] => {
    const before = known.get(row.row_key)
    return before && isSame(before, row) ? [] : [turnedTo(row, before)]
  })
  const keys = new Set(wanted.map(one => one.row_key))
  const deletes = [...known.values()].filter(row => isWanted(row) && !keys.has(row.row_key)).map((row): Change => ({ ...rule(row.row_key), want_op: 'delete', want_hash: row.want_hash, prio: prio.delete, state: row.state === 'blocked' && !row.is_there ? 'gone' : 'pending', reason_code: null }))
  const changes = [...deletes, ...turned.toSorted((a, b) => a.prio - b.prio)]
  return { changes, unchanged: wanted.length - turned.length, blocked: wanted.filter(one => one.blocked !== null).length }
}

/** What a rule that has changed becomes; one that a box may not hold for now and does is taken off before it counts as blocked. */
function turnedTo({ row_key, hash, blocked }: WantedRule, before: KnownRow | undefined): Change {
  const change = { ...rule(row_key), want_hash: hash }
  if (blocked === null) return { ...change, want_op: 'put', prio: prio.put, state: 'pending', reason_code: null }
  if (before?.is_there) return { ...change, want_op: 'delete', prio: prio.delete, state: 'pending', reason_code: null, blocked_after: blocked }
  return { ...change, want_op: 'put', prio: prio.put, state: 'blocked', reason_code: blocked }
}

function rule(row_key: string) {
  return { kind: 'rule', row_key, user_id: null } as const
}

async function readKnown(db: Db, { school_id, device_id }: Of): Promise<KnownRow[]> {
  const { rows } = await sql<KnownRow>`
    select row_key, want_op, want_hash, state, reason_code, blocked_after, have_hash is not null or state in ('sent', 'unknown') as is_there from sync_row
    where school_id = ${school_id} and device_id = ${device_id} and kind = 'rule' and row_key like ${warnRuleKey('%')}`.execute(db)
  return rows
}
