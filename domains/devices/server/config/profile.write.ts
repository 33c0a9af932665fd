import { devicesErrors } from '@campus/devices/contract'
import type { configApi, ConfigDraft } from '@campus/devices/contract'
import { placeScope } from '@campus/places/server'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { DevicesCtx } from '../db.ts'
import { requireAim } from '../rule/rule.service.ts'
import { dueConfig } from '../sync/due.ts'
import { levelOf } from './merge.ts'
import { impactOf } from './impact.ts'
import { keysOf, lockProfile, tellProfile } from './profile.service.ts'
import { factOf, readProfiles } from './profile.queries.ts'
import type { WholeProfile } from './profile.queries.ts'
import { putSettings, shownOf } from './put.ts'
import { requireValues } from './secrets.ts'

type Drafted = Omit<ConfigDraft, 'canary_device_id'>
type Aim = Pick<ConfigDraft, 'device_ids' | 'place_ids'>

/** Writes a new profile. What may cost the connection is tried on the canary first. @throws Refusal 404, 409 configConflict, name taken, 422 configInvalid, configCanary */
export async function addProfile(ctx: DevicesCtx, { canary_device_id, ...draft }: Input<typeof configApi.add>): Promise<Reply<typeof configApi.add>> {
  const { db, school_id, me, now } = ctx
  await requireDraft(ctx, draft, null)
  const { profile_id } = await db.insertInto('config_profile').values({ school_id, profile_name: draft.profile_name, model_code: draft.model_code, updated_by: me.user_id, updated_at: now }).returning('profile_id').executeTakeFirstOrThrow()
  await putSettings(ctx, { profile_id, own_device_id: null, draft, before: null, canary_device_id, name: draft.profile_name })
  return tellProfile(ctx, profile_id)
}

/** Changes a profile. @throws Refusal 404, 409 staleRow, configTrialRuns, configConflict, name taken, 422 configInvalid, configCanary */
export async function updateProfile(ctx: DevicesCtx, { id, row_version, canary_device_id, ...draft }: Input<typeof configApi.update>): Promise<Reply<typeof configApi.update>> {
  const before = await lockProfile(ctx, id, row_version)
  await requireDraft(ctx, draft, before)
  await putSettings(ctx, { profile_id: id, own_device_id: null, draft, before, canary_device_id, name: draft.profile_name })
  return tellProfile(ctx, id)
}

/** Deletes a profile; devices fall back on what is decided more widely. @returns how many it was for @throws Refusal 404, 409 configTrialRuns, configHoldsNetwork */
export async function deleteProfile(ctx: DevicesCtx, { id }: Input<typeof configApi.delete>): Promise<Reply<typeof configApi.delete>> {
  const { db, school_id } = ctx
  const before = await lockProfile(ctx, id)
  const { devices, is_dangerous } = await impactOf(ctx, { profile_id: id, own_device_id: null, next: null })
  if (is_dangerous) throw fail(devicesErrors.configHoldsNetwork)
  await db.deleteFrom('config_profile').where('school_id', '=', school_id).where('profile_id', '=', id).execute()
  await dueConfig(ctx, devices.map(one => one.device.device_id))
  ctx.note({ target_kind: 'devices.config', target_id: id, target_name: before.profile_name ?? '', before: shownOf(before) })
  return { devices: devices.length }
}

async function requireDraft(ctx: DevicesCtx, draft: Drafted, before: WholeProfile | null): Promise<void> {
  await requireReach(ctx, draft)
  await requireValues(ctx, draft, before)
  await refuseTwice(ctx, draft, before)
}

/** Whom it is for lies in the writer's places; what is for a whole model or for the school is for whoever sees all places. @throws Refusal 403, 404 */
async function requireReach(ctx: DevicesCtx, aim: Aim): Promise<void> {
  if (aim.device_ids.length + aim.place_ids.length === 0 && (await placeScope(ctx)) !== 'all') throw fail(commonErrors.forbidden)
  await requireAim(ctx, aim)
}

/** Two profiles never decide the same setting at the same height: nobody could say which one wins. @throws Refusal 409 configConflict */
async function refuseTwice(ctx: DevicesCtx, draft: Drafted, before: WholeProfile | null): Promise<void> {
  const { db, school_id } = ctx
  const keys = new Set([...Object.keys(draft.values), ...Object.keys(draft.secrets)])
  const others = (await readProfiles(db, school_id)).filter(one => one.own_device_id === null && one.profile_id !== before?.profile_id && one.model_code === draft.model_code)
  for (const other of others) {
    const fact = factOf(other)
    const is_met = levelOf(fact) === levelOf(draft) && (fact.device_ids.length + fact.place_ids.length === 0 || fact.device_ids.some(id => draft.device_ids.some(own => own === id)) || fact.place_ids.some(id => draft.place_ids.some(own => own === id)))
    const key = is_met ? [...Object.keys(fact.values), ...Object.keys(fact.versions)].find(one => keys.has(one)) : undefined
    const title = key === undefined ? undefined : (await keysOf(ctx, draft.model_code)).find(one => one.key === key)?.title
    if (title !== undefined) throw fail(devicesErrors.configConflict, { params: { name: other.profile_name ?? '', key: title } })
  }
}
