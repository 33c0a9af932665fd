import { devicesErrors, SchoolSetting } from '@campus/devices/contract'
import type { schoolSettingApi } from '@campus/devices/contract'
import { fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import { sql } from 'kysely'
import type { DevicesCtx } from '../db.ts'
import { effectsOf } from './setting.effect.ts'
import { readSetting } from './setting.queries.ts'

type Told = Reply<typeof schoolSettingApi.read>

/** What the school has set of its devices, and when. */
export async function toldSetting({ db, school_id }: DevicesCtx): Promise<Told> {
  const row = await db.selectFrom('device_setting').select(['row_version', 'updated_at']).where('school_id', '=', school_id).executeTakeFirst()
  return { setting: await readSetting(db, school_id), row_version: row?.row_version ?? 0, updated_at: row && row.row_version > 0 ? row.updated_at.toISOString() : null }
}

/** What saving these values would do: which months go, what is deleted, who alarms. */
export async function previewSetting(ctx: DevicesCtx, next: Input<typeof schoolSettingApi.preview>): Promise<Reply<typeof schoolSettingApi.preview>> {
  return { list: await effectsOf(ctx, await readSetting(ctx.db, ctx.school_id), next) }
}

/** Sets what counts for all devices of the school, from now on. @throws Refusal 409 staleRow */
export async function updateSetting(ctx: DevicesCtx, { row_version, ...asked }: Input<typeof schoolSettingApi.update>): Promise<Told> {
  const { db, school_id, now } = ctx
  const before = await toldSetting(ctx)
  if (before.row_version !== row_version) throw fail(devicesErrors.staleRow)
  const next = SchoolSetting.parse(asked)
  const effects = await effectsOf(ctx, before.setting, next)
  // What is found before the school wants such rows deleted is left for a day from now on.
  const foreign_since = next.foreign_policy === 'report' ? null : now
  const written = await db
    .insertInto('device_setting')
    .values({ school_id, ...next, foreign_since, row_version: 1, updated_at: now })
    .onConflict(conflict => conflict.column('school_id')
      .doUpdateSet({ ...next, foreign_since: next.foreign_policy === 'report' ? null : sql<Date>`coalesce(device_setting.foreign_since, ${now}::timestamptz)`, row_version: row_version + 1, updated_at: now })
      .where('device_setting.row_version', '=', row_version))
    .returning('row_version')
    .executeTakeFirst()
  if (!written) throw fail(devicesErrors.staleRow)
  ctx.note({ target_kind: 'devices.setting', target_name: '学校设置', before: before.setting, after: { ...next, ...(effects.length > 0 ? { effects: effects.map(effect => effect.text) } : {}) } })
  return toldSetting(ctx)
}
