import { devicesErrors } from '@campus/devices/contract'
import type { DeviceRuleDraft, ruleApi } from '@campus/devices/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { DevicesCtx } from '../db.ts'
import { dueRules } from '../sync/due.ts'
import { conflictsOf } from './preview.service.ts'
import { devicesOf } from './rule.queries.ts'
import type { Aim } from './rule.queries.ts'
import { lockRule, requireAim, tellRule } from './rule.service.ts'
import { wayOf } from './way.ts'
import type { RuleDevice, RuleKind } from './way.ts'

const [door, close] = [1, 2] as const
const names_told = 5

/** Writes a new rule; what it is for is told when it is enabled. @throws Refusal 404, 409 ruleOverlap, ruleNameTaken, 422 ruleUnsupported, ruleGateClose */
export async function addRule(ctx: DevicesCtx, { device_ids, place_ids, ...draft }: Input<typeof ruleApi.add>): Promise<Reply<typeof ruleApi.add>> {
  const { db, school_id } = ctx
  const aim = { device_ids, place_ids }
  await requireAim(ctx, aim)
  const devices = await requireFollowers(ctx, { ...draft, ...aim })
  const { rule_id } = await db.insertInto('device_rule').values({ school_id, rule_kind: draft.body.kind, ...draft, body: JSON.stringify(draft.body) }).returning('rule_id').executeTakeFirstOrThrow()
  await writeTargets(ctx, rule_id, aim)
  if (draft.enabled) await dueRules(ctx, idsOf(devices))
  ctx.note({ target_kind: 'devices.rule', target_id: rule_id, target_name: draft.rule_name, after: { ...draft, ...aim } })
  return tellRule(ctx, rule_id)
}

/** Changes a rule; the devices that it was for and those that it is for now follow. @throws Refusal 404, 409 staleRow, ruleOverlap, ruleNameTaken, 422 ruleUnsupported, ruleGateClose */
export async function updateRule(ctx: DevicesCtx, { id, row_version, device_ids, place_ids, ...draft }: Input<typeof ruleApi.update>): Promise<Reply<typeof ruleApi.update>> {
  const { db, school_id, now } = ctx
  const { rule, aim: aim_before } = await lockRule(ctx, id, row_version)
  const aim = { device_ids, place_ids }
  await requireAim(ctx, aim)
  const before = await devicesOf(db, school_id, rule.rule_kind, aim_before)
  // A rule for doors never becomes one for screens.
  if (draft.body.kind !== rule.rule_kind) throw fail(commonErrors.malformed)
  const devices = await requireFollowers(ctx, { ...draft, ...aim, rule_id: id })
  await db.updateTable('device_rule').set({ ...draft, body: JSON.stringify(draft.body), row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('rule_id', '=', id).execute()
  await writeTargets(ctx, id, aim)
  if (rule.enabled || draft.enabled) await dueRules(ctx, idsOf([...before, ...devices]))
  ctx.note({ target_kind: 'devices.rule', target_id: id, target_name: draft.rule_name, before: { ...rule, ...aim_before }, after: { ...draft, ...aim } })
  return tellRule(ctx, id)
}

/** Lets a rule work, or stops it: stopping pushes its deletion. @throws Refusal 404, 409 staleRow, ruleOverlap, 422 ruleUnsupported, ruleGateClose */
export async function enableRule(ctx: DevicesCtx, { rule_id, row_version, enabled }: Input<typeof ruleApi.enable>): Promise<Reply<typeof ruleApi.enable>> {
  const { db, school_id, now } = ctx
  const { rule, aim } = await lockRule(ctx, rule_id, row_version)
  const devices = await requireFollowers(ctx, { ...rule, ...aim, enabled })
  await db.updateTable('device_rule').set({ enabled, row_version: row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('rule_id', '=', rule_id).execute()
  await dueRules(ctx, idsOf(devices))
  ctx.note({ target_kind: 'devices.rule', target_id: rule_id, target_name: rule.rule_name, before: { enabled: rule.enabled }, after: { enabled } })
  return tellRule(ctx, rule_id)
}

/** Deletes a rule and takes it from the devices. @returns how many devices it was for @throws Refusal 404 */
export async function deleteRule(ctx: DevicesCtx, { id }: Input<typeof ruleApi.delete>): Promise<Reply<typeof ruleApi.delete>> {
  const { db, school_id } = ctx
  const { rule, aim } = await lockRule(ctx, id)
  const devices = await devicesOf(db, school_id, rule.rule_kind, aim)
  await db.deleteFrom('device_rule').where('school_id', '=', school_id).where('rule_id', '=', id).execute()
  if (rule.enabled) await dueRules(ctx, idsOf(devices))
  ctx.note({ target_kind: 'devices.rule', target_id: id, target_name: rule.rule_name, before: { ...rule, ...aim } })
  return { devices: devices.length }
}

type Drafted = Pick<DeviceRuleDraft, 'priority' | 'body' | 'valid_from' | 'valid_to' | 'enabled'> & Aim & { rule_id?: string }

/** The devices of a draft, every one of which can do what it asks for. */
async function requireFollowers(ctx: DevicesCtx, draft: Drafted): Promise<RuleDevice[]> {
  const kind: RuleKind = draft.body.kind
  const devices = await devicesOf(ctx.db, ctx.school_id, kind, draft)
  const gates = devices.filter(device => wayOf(kind, device) === 'gate' && draft.device_ids.includes(device.device_id))
  if (kind === close && gates.length > 0) throw fail(devicesErrors.ruleGateClose, { params: { names: namesOf(gates) } })
  const opens = draft.body.kind === door && draft.body.windows.some(window => window.mode === 'always_open')
  const deaf = opens ? devices.filter(device => wayOf(kind, device) === 'permissions') : []
  if (deaf.length > 0) throw fail(devicesErrors.ruleUnsupported, { params: { names: namesOf(deaf) } })
  const [met] = draft.enabled ? await conflictsOf(ctx, draft) : []
  if (met) throw fail(devicesErrors.ruleOverlap, { params: { name: met.rule_name } })
  return devices
}

/** What a rule is for from now on; what it was for stays written. */
async function writeTargets({ db, school_id, now }: DevicesCtx, rule_id: string, { device_ids, place_ids }: Aim): Promise<void> {
  await sql`
    update device_rule_target set valid_to = ${now} where school_id = ${school_id} and rule_id = ${rule_id} and valid_to is null
      and not (coalesce(device_id = any(${[...device_ids]}::bigint[]), false) or coalesce(place_id = any(${[...place_ids]}::bigint[]), false))`.execute(db)
  await sql`
    insert into device_rule_target (school_id, rule_id, device_id, place_id, valid_from)
    select ${school_id}::int, ${rule_id}::bigint, w.device_id, w.place_id, ${now}::timestamptz from (
      select distinct d as device_id, null::bigint as place_id from unnest(${[...device_ids]}::bigint[]) d
      union all select distinct null::bigint, p from unnest(${[...place_ids]}::bigint[]) p) w
    where not exists (select from device_rule_target t where t.school_id = ${school_id} and t.rule_id = ${rule_id} and t.valid_to is null and (t.device_id = w.device_id or t.place_id = w.place_id))
    returning 1`.execute(db)
}

function namesOf(devices: readonly RuleDevice[]): string {
  const names = devices.slice(0, names_told).map(device => device.device_name).join('、')
  return devices.length > names_told ? `${names}等${devices.length}台` : names
}

function idsOf(devices: readonly RuleDevice[]): string[] {
  return [...new Set(devices.map(device => device.device_id))]
}
