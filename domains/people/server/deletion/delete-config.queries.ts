import type { DeleteConfig } from '@campus/people/contract'
import { delete_levels } from '@campus/people/contract'
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db } from '../db.ts'

const Checks = z.record(z.string(), z.enum(delete_levels))
export type StoredConfig = DeleteConfig & { row_version: number }

const initial: StoredConfig = {
  auto_enabled: false, leave_days: { student: 365, staff: 365 }, parent_idle_days: 180, hold_days: 7, biometric_hours: 24, archive_years: 0,
  window: { from: '01:00', to: '05:00' }, checks: {}, operator_user_ids: [], row_version: 0,
}

/** What the school has set; what it has never set is as the product delivers it, at version 0. */
export async function readDeleteConfig(db: Db, school_id: number): Promise<StoredConfig> {
  const row = await db.selectFrom('user_delete_config').selectAll().where('school_id', '=', school_id).executeTakeFirst()
  if (!row) return initial
  const { student_days, staff_days, window_from, window_to, checks, auto_enabled, parent_idle_days, hold_days, biometric_hours, archive_years, operator_user_ids, row_version } = row
  return {
    auto_enabled, parent_idle_days, hold_days, biometric_hours, archive_years, operator_user_ids, row_version,
    leave_days: { student: student_days, staff: staff_days },
    window: { from: window_from, to: window_to },
    checks: Checks.parse(checks),
  }
}

/** Writes the settings over the version that was read. @returns whether that version still stood */
export async function writeDeleteConfig(db: Db, school_id: number, { leave_days, window, checks, operator_user_ids, row_version, ...rest }: StoredConfig): Promise<boolean> {
  await db.insertInto('user_delete_config').values({ school_id, row_version: 0 }).onConflict(conflict => conflict.doNothing()).execute()
  const { numUpdatedRows } = await db
    .updateTable('user_delete_config')
    .set({
      ...rest,
      student_days: leave_days.student, staff_days: leave_days.staff, window_from: window.from, window_to: window.to,
      checks: JSON.stringify(checks), operator_user_ids: sql`${[...operator_user_ids]}::bigint[]`, row_version: sql`row_version + 1`,
    })
    .where('school_id', '=', school_id)
    .where('row_version', '=', row_version)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Batches of a school get their numbers one after the other: whoever makes one holds this until his transaction ends. */
export async function holdDeleteConfig(db: Db, school_id: number): Promise<void> {
  await db.insertInto('user_delete_config').values({ school_id, row_version: 0 }).onConflict(conflict => conflict.doNothing()).execute()
  await db.selectFrom('user_delete_config').select('row_version').where('school_id', '=', school_id).forUpdate().execute()
}
