import { PermissionBody, permissionId } from '@kit/terminal-protocol'
import { z } from 'zod'

/** When a grant holds: an absolute range, narrowed by times of the week where it has any (chapter 30 §1.3 `windows`). */
export const GrantWindow = PermissionBody.pick({ from: true, to: true, weekly: true, max_times: true })
export type GrantWindow = z.output<typeof GrantWindow>
export const GrantWindows = z.array(GrantWindow).min(1).max(20)

/** The permission of a window: its name is its content, so that the same times are one permission and a change is another one (chapter 31 §5.7.3). */
export function permissionOf(window: GrantWindow, is_online: boolean): PermissionBody {
  const content = { door: 1, ...window, ...(is_online ? { online: true } : {}) }
  return { id: permissionId(content), ...content }
}

/** Whether a permission can still let anybody in. */
export function isOver({ to }: Pick<PermissionBody, 'to'>, now: Date): boolean {
  return Date.parse(to) <= now.getTime()
}
