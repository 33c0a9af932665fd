import type { Cause, StateRow, syncApi, WhyNot } from '@campus/devices/contract'
import { mends, remedies, rule_kinds } from '@campus/devices/contract'
import { needOf } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { config_words } from '@kit/terminal-protocol'
import type { DevicesCtx } from '../db.ts'
import { requireDevice } from '../device.service.ts'
import { password_key } from '../password/password.queries.ts'
import { rule_keys } from '../rule/rule.plan.ts'
import { tellRow } from './row.sentence.ts'
import type { Receiver } from './row.sentence.ts'
import { countStateRows, readStateRows } from './state.queries.ts'
import type { FoundRow } from './state.queries.ts'
import { findPeople, readDoor, readKnowledge } from './why.queries.ts'
import { whyNot } from './why.sentence.ts'

const setting_titles: ReadonlyMap<string, string> = new Map(config_words.map(word => [word.key, word.title]))
const rule_titles: Readonly<Record<string, string>> = { [rule_keys[1]]: rule_kinds[1], [rule_keys[2]]: rule_kinds[2], [rule_keys[3]]: rule_kinds[3] }
/** People who are told about in one answer: who means one of many types more. */
const most_people = 5

/** A page of what a device is to hold and what became of it; with a keyword also why those people do not get in. @throws Refusal 404 for a device out of sight */
export async function listStateRows(ctx: DevicesCtx, { id, page_index, page_size, ...asked }: Input<typeof syncApi.state_rows>): Promise<Reply<typeof syncApi.state_rows>> {
  const { db, school_id } = ctx
  const device = await requireDevice(ctx, id)
  const filter = { school_id, device_id: id, ...asked }
  const rows = await readStateRows(db, filter, { limit: page_size, offset: (page_index - 1) * page_size })
  const why = asked.keyword === undefined ? [] : await tellWhy(ctx, id, asked.keyword)
  return { list: rows.map(row => rowOf(ctx, row, device)), total: await countStateRows(db, filter), why }
}

async function tellWhy(ctx: DevicesCtx, device_id: string, keyword: string): Promise<WhyNot[]> {
  const { db, school_id, now } = ctx
  const of = { school_id, device_id }
  const people = await findPeople(db, of, keyword, most_people)
  if (people.length === 0) return []
  const { door, node_path } = await readDoor(db, of, now)
  const { rights, known, rows } = await readKnowledge(db, of, node_path, people.map(one => one.user_id))
  const permissions = rows.get('') ?? []
  return people.map(({ live, ...person }) => {
    const { user_id, user_name } = person
    const { cause, ...verdict } = whyNot({ user_name, live, door, rights: rights.get(user_id) ?? [], known: known.get(user_id) ?? [], rows: [...permissions, ...(rows.get(user_id) ?? [])], now })
    return { ...person, ...verdict, remedy: remedyFor(ctx, cause) }
  })
}

/** What mends a cause, if the reader may do it. */
function remedyFor({ me }: DevicesCtx, cause: Cause | null): StateRow['remedy'] {
  if (cause === null) return null
  const need = needOf(remedies[mends[cause]].call)
  return need === undefined || me.codes.has(need) ? mends[cause] : null
}

function rowOf(ctx: DevicesCtx, row: FoundRow, device: Receiver): StateRow {
  const { kind, row_key, user_id, user_name, user_no, dept_name, rule_name, want_op, state, attempts, next_at, sent_at, acked_at, proven_at } = row
  const again = state === 'pending' ? next_at.toISOString() : null
  const { cause, ...told } = tellRow(row, device)
  return { kind, row_key, user_id, user_name, user_no, dept_name, rule_name, title: titleOf(kind, row_key), want_op, state, attempts, ...told, remedy: remedyFor(ctx, cause), next_at: again, sent_at: textOf(sent_at), acked_at: textOf(acked_at), proven_at: textOf(proven_at) }
}

/** What people call a setting or a rule. */
function titleOf(kind: StateRow['kind'], row_key: string): string | null {
  if (kind === 'rule') return rule_titles[row_key] ?? null
  if (kind !== 'config') return null
  return `配置：${row_key === password_key ? '设备密码' : (setting_titles.get(row_key) ?? row_key)}`
}

function textOf(at: Date | null): string | null {
  return at?.toISOString() ?? null
}
