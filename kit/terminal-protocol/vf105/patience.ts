import { z } from 'zod'
import { types } from './code.ts'

const [usual_s, face_s, capture_s, finger_s, upgrade_s, spare_s, capture_spare_s] = [10, 35, 35, 60, 310, 5, 10]
const Key = z.array(z.looseObject({ type: z.unknown() }))
const Control = z.object({ command: z.number(), extra: z.object({ timeout: z.number().positive().optional() }).optional() })
const Upgrade = z.object({ timeoutSec: z.number().optional() })
const [capture, enrol_finger] = [8, 12]
const second_ms = 1000

/** How long a device itself works at a command before it says `命令执行超时`, in seconds (chapter 31 §5.2). */
function deviceLimit(action: string, data: unknown): number {
  if (action === 'insertKey') return Key.safeParse(data).data?.some(key => String(key.type) === types.face) ? face_s : usual_s
  if (action === 'upgradeFirmware') return Math.max(upgrade_s, (Upgrade.safeParse(data).data?.timeoutSec ?? 0) + usual_s)
  const control = action === 'control' ? Control.safeParse(data).data : undefined
  if (control?.command === enrol_finger) return finger_s
  if (control?.command === capture) return Math.max(capture_s, (control.extra?.timeout ?? 6500) / second_ms + capture_spare_s)
  return usual_s
}

/** How long the server waits: a little longer than the device, so that its own word comes first (§5.7.6). */
export function patience(action: string, data: unknown): number {
  return (deviceLimit(action, data) + spare_s) * second_ms
}
