import { devicesErrors } from '@campus/devices/contract'
import type { aiRuleApi, AiRule } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { DevicesCtx } from '../db.ts'
import { pictureOf } from '../camera/live.service.ts'
import { readValidCameras } from './camera.queries.ts'
import { dueBoxes, readRuleBoxes } from './rule.boxes.ts'
import { isAiRuleIn, readAiRules, toldAiRule } from './rule.queries.ts'
import type { AiRuleRecord } from './rule.queries.ts'

const names_told = 5

/** The rules that look at something in the places the reader may see. */
export async function listAiRules(ctx: DevicesCtx, { warn_kind, enabled, keyword, page_index, page_size }: Input<typeof aiRuleApi.page>): Promise<Reply<typeof aiRuleApi.page>> {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  const seen = (await readAiRules(db, { school_id, now })).filter(rule => isAiRuleIn(rule, scope, 'some') && (warn_kind === undefined || rule.warn_kind === warn_kind) && (enabled === undefined || rule.enabled === enabled) && (keyword === undefined || rule.rule_name.includes(keyword)))
  return { list: await withBoxes(ctx, seen.slice((page_index - 1) * page_size, page_index * page_size)), total: seen.length }
}

/** Writes a rule, new or changed; its cameras can do what it asks for, and their boxes are told. @throws Refusal 404, 409 staleRow, aiRuleNameTaken, 422 aiCameraInvalid, aiNoValidDevice */
export async function saveAiRule(ctx: DevicesCtx, { rule_id, row_version, cameras, windows, ...draft }: Input<typeof aiRuleApi.save>): Promise<Reply<typeof aiRuleApi.save>> {
  const { db, school_id, now } = ctx
  const before = rule_id === undefined ? undefined : await lockAiRule(ctx, rule_id, row_version)
  await requireCameras(ctx, { warn_kind: draft.warn_kind, cameras, before })
  await requireRoles(ctx, draft.notify_role_ids)
  const facts = { ...draft, windows: JSON.stringify(windows) }
  const id = before === undefined
    ? (await db.insertInto('ai_rule').values({ school_id, ...facts }).returning('rule_id').executeTakeFirstOrThrow()).rule_id
    : before.rule_id
  if (before) await db.updateTable('ai_rule').set({ ...facts, row_version: before.row_version + 1, updated_at: now }).where('school_id', '=', school_id).where('rule_id', '=', id).execute()
  await db.deleteFrom('ai_rule_camera').where('school_id', '=', school_id).where('rule_id', '=', id).execute()
  await db.insertInto('ai_rule_camera').values(cameras.map(({ camera_device_id, roi }) => ({ school_id, rule_id: id, camera_device_id, roi: roi && JSON.stringify(roi) }))).execute()
  await dueBoxes(ctx, { camera_ids: cameras.map(one => one.camera_device_id), rule_id: id })
  ctx.note({ target_kind: 'devices.ai_rule', target_id: id, target_name: draft.rule_name, ...(before ? { before: toldAiRule(before) } : {}), after: { ...draft, windows, cameras } })
  return { rule: await tellAiRule(ctx, id) }
}

/** Deletes a rule and takes it from its boxes; its warnings stay and keep its name. @throws Refusal 404, 409 staleRow */
export async function deleteAiRule(ctx: DevicesCtx, { rule_id, row_version }: Input<typeof aiRuleApi.delete>): Promise<Reply<typeof aiRuleApi.delete>> {
  const { db, school_id, now } = ctx
  const rule = await lockAiRule(ctx, rule_id, row_version)
  await db.updateTable('ai_rule').set({ deleted_at: now, enabled: false, row_version: rule.row_version + 1 }).where('school_id', '=', school_id).where('rule_id', '=', rule_id).execute()
  await dueBoxes(ctx, { camera_ids: [], rule_id })
  ctx.note({ target_kind: 'devices.ai_rule', target_id: rule_id, target_name: rule.rule_name, before: toldAiRule(rule) })
  return { cameras: rule.cameras.length }
}

/** The cameras that a rule of a kind may look through, in the places the caller may see. */
export async function listValidCameras(ctx: DevicesCtx, { warn_kind }: Input<typeof aiRuleApi.valid_devices>): Promise<Reply<typeof aiRuleApi.valid_devices>> {
  const { db, school_id, now } = ctx
  return { list: (await readValidCameras(db, { school_id, now, warn_kind, scope: await placeScope(ctx) })).map(camera => ({ ...camera, snapshot_url: pictureOf(ctx, { device_id: camera.camera_device_id, snapshot_at: camera.snapshot_at }) })) }
}

/** The roles of the school that can be told. */
export async function listAiRoles(ctx: DevicesCtx): Promise<Reply<typeof aiRuleApi.roles>> {
  await placeScope(ctx)
  const rows = await ctx.db.selectFrom('role_v').select(['role_id', 'name']).where('school_id', '=', ctx.school_id).where('enabled', '=', true).where('client_kind', '=', 'web').orderBy('name').execute()
  return { list: rows.map(({ role_id, name }) => ({ role_id, role_name: name })) }
}

async function tellAiRule(ctx: DevicesCtx, rule_id: string): Promise<AiRule> {
  const { db, school_id, now } = ctx
  const [rule] = await withBoxes(ctx, await readAiRules(db, { school_id, now, rule_ids: [rule_id] }))
  if (!rule) throw fail(commonErrors.notFound)
  return rule
}

async function withBoxes(ctx: DevicesCtx, rules: readonly AiRuleRecord[]): Promise<AiRule[]> {
  const boxes = await readRuleBoxes(ctx, rules.map(rule => rule.rule_id))
  return rules.map(rule => ({ ...toldAiRule(rule), boxes: [...(boxes.get(rule.rule_id) ?? [])] }))
}

/** A rule that the caller may change: everything it looks at lies in his places. Locked. */
async function lockAiRule(ctx: DevicesCtx, rule_id: string, row_version: number | undefined) {
  const { db, school_id, now } = ctx
  const scope = await placeScope(ctx)
  await db.selectFrom('ai_rule').select('rule_id').where('school_id', '=', school_id).where('rule_id', '=', rule_id).forUpdate().execute()
  const [rule] = await readAiRules(db, { school_id, now, rule_ids: [rule_id] })
  if (!rule || !isAiRuleIn(rule, scope, 'every')) throw fail(commonErrors.notFound)
  if (rule.row_version !== row_version) throw fail(devicesErrors.staleRow)
  return rule
}

type Wanted = { warn_kind: AiRule['warn_kind']; cameras: readonly { camera_device_id: string }[]; before: AiRuleRecord | undefined }

/** What a rule has already it keeps, even while it is away; what is new must be able to do it, and all of them when it is to warn of something else. */
async function requireCameras(ctx: DevicesCtx, { warn_kind, cameras, before }: Wanted): Promise<void> {
  const { db, school_id, now } = ctx
  const known = before?.cameras ?? []
  const valid = await readValidCameras(db, { school_id, now, warn_kind, scope: await placeScope(ctx), away: known.map(one => one.camera_device_id) })
  const fine = new Set([...valid, ...(before?.warn_kind === warn_kind ? known : [])].map(one => one.camera_device_id))
  const wrong = cameras.map(one => one.camera_device_id).filter(id => !fine.has(id))
  if (wrong.length === 0) return
  if (valid.length === 0) throw fail(devicesErrors.aiNoValidDevice)
  const rows = await db.selectFrom('device').select('device_name').where('school_id', '=', school_id).where('device_id', 'in', wrong).orderBy('device_name').limit(names_told).execute()
  if (rows.length === 0) throw fail(commonErrors.notFound)
  throw fail(devicesErrors.aiCameraInvalid, { params: { names: rows.map(row => row.device_name).join('、') } })
}

async function requireRoles({ db, school_id }: DevicesCtx, role_ids: readonly string[]): Promise<void> {
  if (role_ids.length === 0) return
  const { rows } = await sql<{ n: number }>`select count(*)::int as n from role_v where school_id = ${school_id} and role_id = any(${[...role_ids]}::bigint[])`.execute(db)
  if (rows[0]?.n !== new Set(role_ids).size) throw fail(commonErrors.notFound)
}
