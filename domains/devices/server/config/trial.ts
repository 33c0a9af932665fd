import { trial_s } from '@campus/devices/contract'
import { configKeys } from '@kit/terminal-protocol'
import type { ConfigValue } from '@kit/terminal-protocol'
import type { App } from '@kit/server/http'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'
import type { Line } from '../link/line.ts'
import { dueConfig } from '../sync/due.ts'
import { tellTrial } from '../tell/tell.ts'
import { readDesired } from './config.plan.ts'
import { followers } from './merge.ts'
import { factOf, readProfiles, settingDevices } from './profile.queries.ts'
import type { TrialDraft, WholeProfile } from './profile.queries.ts'
import { writeTargets } from './targets.write.ts'

type Desk = { app: App; db: Db; school_id: number; now: Date }
/** A profile on trial, as far as it is judged. */
type Tried = Omit<WholeProfile, 'trial' | 'canary_device_id'> & { trial: TrialDraft; canary_device_id: string }
const Row = z.object({ row_key: z.string(), state: z.string(), acked_at: z.date().nullable(), reason_text: z.string().nullable() })
const taken: readonly string[] = ['applied', 'proven']
const texts = { silent: `试点设备在${trial_s}秒内没有用新设置连接回来`, back: '试点设备回到了原来的设置', refused: '试点设备拒绝了新设置' } as const

/** Begins to try a draft on one device: it alone is told. The time runs from now. */
export async function beginTrial({ db, school_id, now }: Desk, profile_id: string, { draft, sealed, canary_device_id }: { draft: TrialDraft; sealed: Buffer | null; canary_device_id: string }): Promise<void> {
  const until = new Date(now.getTime() + trial_s * 1000)
  await db
    .updateTable('config_profile')
    .set({ trial: JSON.stringify(draft), trial_sealed: sealed, trial_state: 'waiting', trial_text: null, canary_device_id, trial_from: now, trial_until: until })
    .where('school_id', '=', school_id)
    .where('profile_id', '=', profile_id)
    .execute()
  await dueConfig({ db, school_id, now }, [canary_device_id])
}

/** A device has come, with these settings: if it is a canary that was told of its trial, this is the verdict. @returns whether a trial is over */
export async function judgeArrival(line: Line, reported: Readonly<Record<string, ConfigValue>>): Promise<boolean> {
  let is_over = false
  for (const profile of await waiting(line, { canary_device_id: line.device_id })) {
    const dangerous = await dangerousRows(line, profile)
    // Whoever was not told yet has come for another reason.
    if (dangerous.length === 0 || dangerous.some(row => !taken.includes(row.state))) continue
    const desired = await readDesired(line.db, line)
    const is_other = dangerous.some(({ row_key }) => desired[row_key]?.value !== null && reported[row_key] !== undefined && reported[row_key] !== desired[row_key]?.value)
    await endTrial(line, profile, is_other ? texts.back : null)
    is_over = true
  }
  return is_over
}

/** Ends the trials of a school that are over: who has refused, or has not come back in time, has failed. @returns how many ended */
export async function judgeTrials(desk: Desk): Promise<number> {
  let ended = 0
  for (const profile of await waiting(desk, {})) {
    const verdict = await verdictOf(desk, profile)
    if (verdict === 'waiting') continue
    await endTrial(desk, profile, verdict)
    ended += 1
  }
  return ended
}

/** What can be said of a trial by now: nothing yet, that it went well (null), or why it did not. */
async function verdictOf(desk: Desk, profile: Tried): Promise<'waiting' | null | string> {
  const rows = await dangerousRows(desk, profile)
  const refused = rows.find(row => row.state === 'refused')
  if (refused) return `${texts.refused}：${refused.reason_text ?? ''}`.slice(0, 100)
  if (profile.trial_until === null || desk.now < profile.trial_until) return 'waiting'
  const acked = Math.max(...rows.map(row => row.acked_at?.getTime() ?? 0), 0)
  const line = await desk.db.selectFrom('device').select(['online', 'last_seen_at']).where('school_id', '=', desk.school_id).where('device_id', '=', profile.canary_device_id).executeTakeFirst()
  // Hardware that takes such a setting without leaving has proven it by still being heard of at the end.
  const is_there = line?.online === true && line.last_seen_at !== null && line.last_seen_at.getTime() > acked
  return is_there && rows.every(row => taken.includes(row.state)) ? null : texts.silent
}

/** `failed` null: everybody is told from now on. Else the canary is told what it was told before, and nobody else has heard of it. */
async function endTrial(desk: Desk, profile: Tried, failed: string | null): Promise<void> {
  const { db, school_id, now } = desk
  const { profile_id, trial, canary_device_id } = profile
  const over = { trial_state: failed === null ? 'passed' : 'failed', trial_text: failed, updated_at: now } as const
  const won = failed === null ? { profile_name: trial.profile_name, model_code: trial.model_code, config_values: JSON.stringify(trial.values), secret_versions: JSON.stringify(trial.versions), secret_sealed: sql<Buffer | null>`trial_sealed`, trial: null, trial_sealed: null } : {}
  const done = await db.updateTable('config_profile').set({ ...won, ...over }).where('school_id', '=', school_id).where('profile_id', '=', profile_id).where('trial_state', '=', 'waiting').returning('profile_id').execute()
  if (done.length === 0) return
  if (failed === null && profile.own_device_id === null) await writeTargets(desk, profile_id, trial)
  const told = failed === null ? followers(await settingDevices(db, school_id), [factOf(profile), { ...trial, own_device_id: profile.own_device_id }]) : []
  await dueConfig(desk, [...new Set([canary_device_id, ...told])])
  if (failed !== null) await tellTrial(desk, { device_id: canary_device_id, profile_name: trial.profile_name ?? '单机配置', reason: failed })
}

async function waiting({ db, school_id }: Pick<Desk, 'db' | 'school_id'>, which: { canary_device_id?: string }): Promise<Tried[]> {
  const found = await db
    .selectFrom('config_profile')
    .select('profile_id')
    .where('school_id', '=', school_id)
    .where('trial_state', '=', 'waiting')
    .$if(which.canary_device_id !== undefined, query => query.where('canary_device_id', '=', which.canary_device_id ?? ''))
    .execute()
  const profiles: Tried[] = []
  for (const { profile_id } of found) {
    const [profile] = await readProfiles(db, school_id, { profile_id, lock: true })
    if (profile?.trial && profile.canary_device_id !== null) profiles.push({ ...profile, trial: profile.trial, canary_device_id: profile.canary_device_id })
  }
  return profiles
}

/** The rows by which the canary is told what is dangerous of the trial. */
async function dangerousRows({ db, school_id }: Pick<Desk, 'db' | 'school_id'>, { canary_device_id }: Tried): Promise<z.output<typeof Row>[]> {
  const [device] = await settingDevices(db, school_id, [canary_device_id])
  const keys = device ? configKeys(device.driver, device.device_type).filter(one => one.is_dangerous).map(one => one.key) : []
  const desired = await readDesired(db, { school_id, device_id: canary_device_id })
  const tried = keys.filter(key => desired[key]?.is_trial === true)
  if (tried.length === 0) return []
  const rows = await db.selectFrom('sync_row').select(['row_key', 'state', 'acked_at', 'reason_text']).where('school_id', '=', school_id).where('device_id', '=', canary_device_id).where('kind', '=', 'config').where('row_key', 'in', tried).execute()
  return z.array(Row).parse(rows)
}
