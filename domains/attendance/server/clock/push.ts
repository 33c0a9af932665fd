import { attendChannel } from '@campus/attendance/contract'
import { push } from '@kit/server/realtime'
import type { Step } from '../db.ts'

/** Tells open walls which classes changed; they ask again for what they show, so that the notice holds no name. */
export async function pushUnit(step: Step, date: string, dept_ids: readonly string[]): Promise<void> {
  if (dept_ids.length > 0) await push(step, attendChannel, dept_ids.map(dept_id => ({ dept_id, date })))
}
