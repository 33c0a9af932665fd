import { ConfigDraft } from '@campus/devices/contract'
import { asTables } from '@kit/server/db'
import type { QueryExecutorProvider } from 'kysely'
import type { z } from 'zod'
import type { DevicesDb } from '../db.ts'
import { writeTargets } from './targets.write.ts'

/** A profile as a plan has it, without secrets. */
export type PlannedProfile = Omit<z.input<typeof ConfigDraft>, 'secrets' | 'canary_device_id'>

/** Writes profiles in bulk, without a word in the journal; devices are told their settings when they come. @throws ZodError for a draft that nobody could have typed */
export async function createProfiles(db: QueryExecutorProvider, school_id: number, planned: readonly PlannedProfile[], { by, from }: { by: string; from: Date }): Promise<void> {
  const own = asTables<DevicesDb>(db)
  for (const plan of planned) {
    const { profile_name, model_code, values, ...aim } = ConfigDraft.parse(plan)
    const { profile_id } = await own.insertInto('config_profile').values({ school_id, profile_name, model_code, config_values: JSON.stringify(values), updated_by: by, created_at: from, updated_at: from }).returning('profile_id').executeTakeFirstOrThrow()
    await writeTargets({ db: own, school_id, now: from }, profile_id, aim)
  }
}
