import { PermissionBody, rowHash } from '@kit/terminal-protocol'
import { z } from 'zod'

const id_length = 20
/** Base 32 without signs that look alike. */
const signs = '0123456789abcdefghjkmnpqrstvwxyz'
const bits = 5n

/** When a grant holds: an absolute range, narrowed by times of the week where it has any (chapter 30 §1.3 `windows`). */
export const GrantWindow = PermissionBody.pick({ from: true, to: true, weekly: true, max_times: true })
export type GrantWindow = z.output<typeof GrantWindow>
export const GrantWindows = z.array(GrantWindow).min(1).max(20)

/** The permission of a window: its name is its content, so that the same times are one permission and a change is another one (chapter 31 §5.7.3). */
export function permissionOf(window: GrantWindow, is_online: boolean): PermissionBody {
  const content = { door: 1, ...window, ...(is_online ? { online: true } : {}) }
  return { id: `P${contentId(content)}`, ...content }
}

/** Whether a permission can still let anybody in. */
export function isOver({ to }: Pick<PermissionBody, 'to'>, now: Date): boolean {
  return Date.parse(to) <= now.getTime()
}

function contentId(content: unknown): string {
  // Two hashes of 64 bits make 100 bits of name.
  let left = BigInt(`0x${rowHash(content)}${rowHash(['permission', content])}`)
  let text = ''
  while (text.length < id_length) {
    text += signs[Number(left & (2n ** bits - 1n))] ?? '0'
    left >>= bits
  }
  return text
}
