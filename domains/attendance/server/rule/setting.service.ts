import { usual_setting } from '@campus/attendance/contract'
import type { attendSettingApi, AttendSetting } from '@campus/attendance/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Input, Reply } from '@kit/contract'
import type { AttendanceCtx, Db } from '../db.ts'
import { day_ms, minute_ms } from '../judge/window.ts'

const hour_ms = 60 * minute_ms
const columns = [
  'lesson_hours',
  'head_days',
  'office_days',
  'undo_days',
  'settle_hours',
  'consecutive_absent',
  'quiet_from',
  'quiet_to',
  'row_version',
] as const

/** What the school says of its attendance; the usual values where it has said nothing. */
export async function readSetting(db: Db, school_id: number): Promise<AttendSetting> {
  const row = await db.selectFrom('attend_setting').select(columns).where('school_id', '=', school_id).executeTakeFirst()
  return row ?? { ...usual_setting, row_version: 0 }
}

/** @throws Refusal 409 when somebody has saved in between */
export async function saveSetting(
  ctx: AttendanceCtx,
  { row_version, ...facts }: Input<typeof attendSettingApi.save>,
): Promise<Reply<typeof attendSettingApi.save>> {
  const { db, school_id, now, me } = ctx
  const { row_version: _seen, ...before } = await readSetting(db, school_id)
  const written = { ...facts, row_version: row_version + 1, updated_at: now, updated_by: me.user_id }
  const saved =
    row_version === 0
      ? await db
          .insertInto('attend_setting')
          .values({ school_id, ...written })
          .onConflict(on => on.doNothing())
          .returning('row_version')
          .executeTakeFirst()
      : await db
          .updateTable('attend_setting')
          .set(written)
          .where('school_id', '=', school_id)
          .where('row_version', '=', row_version)
          .returning('row_version')
          .executeTakeFirst()
  if (!saved) throw fail(commonErrors.stale)
  ctx.note({ target_kind: 'attendance.setting', target_name: '考勤设置', before, after: facts })
  return saved
}

/** Until when a row may be corrected, in ms: by its teacher, its class teacher or a guardian, the office (chapter 55 §2.3). */
export async function correctionWindows(db: Db, school_id: number): Promise<{ lesson: number; head: number; office: number }> {
  const { lesson_hours, head_days, office_days } = await readSetting(db, school_id)
  return { lesson: lesson_hours * hour_ms, head: head_days * day_ms, office: office_days * day_ms }
}
