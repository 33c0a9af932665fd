import type { LeaveSetting } from '@campus/leave/contract'
import { commonErrors, fail } from '@kit/contract'
import type { Db, LeaveCtx } from './db.ts'

/** What holds where a school has set nothing (chapter 70 §1.1). */
const usual: LeaveSetting = { student_apply_from_grade: null, pause_during_exam: false, void_days: 30, row_version: 0 }

/** The school's settings of leave. */
export async function readSetting(db: Db, school_id: number): Promise<LeaveSetting> {
  const found = await db.selectFrom('leave_setting').select(['student_apply_from_grade', 'pause_during_exam', 'void_days', 'row_version']).where('school_id', '=', school_id).executeTakeFirst()
  return found ?? usual
}

/** @throws Refusal 409 when somebody has changed them since */
export async function writeSetting(ctx: LeaveCtx, { row_version, ...asked }: LeaveSetting): Promise<Record<string, never>> {
  const { db, school_id } = ctx
  ctx.scoped()
  const before = await readSetting(db, school_id)
  if (before.row_version !== row_version) throw fail(commonErrors.stale)
  const kept = { ...asked, row_version: row_version + 1 }
  await db.insertInto('leave_setting').values({ school_id, ...kept }).onConflict(clash => clash.column('school_id').doUpdateSet(kept)).execute()
  ctx.note({ target_kind: 'leave.setting', target_name: '请假设置', before, after: asked })
  return {}
}
