import type { ConfigDraft } from '@campus/devices/contract'
import type { DevicesCtx } from '../db.ts'
import { sealSettings } from '../sealed-parts.ts'
import { dueConfig } from '../sync/due.ts'
import { impactOf, requireCanary } from './impact.ts'
import { factOf, trialOf } from './profile.queries.ts'
import type { WholeProfile } from './profile.queries.ts'
import { keptSecrets } from './secrets.ts'
import { writeTargets } from './targets.write.ts'
import { beginTrial } from './trial.ts'

type Drafted = Pick<ConfigDraft, 'model_code' | 'device_ids' | 'place_ids' | 'values' | 'secrets'> & { profile_name?: string }
/** `own_device_id`: the settings are of one device alone. `name`: what the journal calls them. */
type Put = { profile_id: string; own_device_id: string | null; draft: Drafted; before: WholeProfile | null; canary_device_id: string | undefined; name: string }

/** Puts settings into force, or on trial where they may cost the connection. @throws Refusal 409 configCanaryOffline, 422 configCanary, configCanaryAim */
export async function putSettings(ctx: DevicesCtx, { profile_id, own_device_id, draft, before, canary_device_id, name }: Put): Promise<void> {
  const { app, db, school_id, now, me } = ctx
  const { profile_name = null, model_code, device_ids, place_ids, values } = draft
  const { texts, versions } = await keptSecrets(ctx, draft.secrets, before)
  const sealed = Object.keys(texts).length === 0 ? null : sealSettings(app.secrets.data_key, school_id, JSON.stringify(texts))
  const next = { model_code, device_ids, place_ids, values, versions }
  const { devices, is_dangerous } = await impactOf(ctx, { profile_id, own_device_id, next })
  const stamp = { updated_by: me.user_id, updated_at: now, row_version: (before?.row_version ?? 0) + 1 }
  const own = db.updateTable('config_profile').where('school_id', '=', school_id).where('profile_id', '=', profile_id)
  if (is_dangerous) {
    const canary = requireCanary(devices, canary_device_id)
    await own.set(stamp).execute()
    await beginTrial(ctx, profile_id, { draft: trialOf(profile_name, next), sealed, canary_device_id: canary })
  } else {
    await own.set({ ...stamp, profile_name, model_code, config_values: JSON.stringify(values), secret_versions: JSON.stringify(versions), secret_sealed: sealed, trial: null, trial_sealed: null, trial_state: null, trial_text: null, canary_device_id: null }).execute()
    if (own_device_id === null) await writeTargets(ctx, profile_id, draft)
    await dueConfig(ctx, devices.map(one => one.device.device_id))
  }
  ctx.note({ target_kind: 'devices.config', target_id: own_device_id ?? profile_id, target_name: name, ...(before ? { before: shownOf(before) } : {}), after: { ...next, is_trial: is_dangerous } })
}

/** A profile as the journal has it: of secrets the versions alone. */
export function shownOf(profile: WholeProfile) {
  const { values, versions, model_code, device_ids, place_ids } = factOf(profile)
  return { values, versions, model_code, device_ids, place_ids }
}
