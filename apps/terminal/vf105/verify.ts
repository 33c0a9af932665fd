import { types } from '@kit/terminal-protocol/vf105'
import type { Key, Permission, Vf105Store } from './store.ts'

/** Who was at the door and what the device makes of it. */
export type Verdict = { error: string; key?: Key; userId: string; name: string; permissionId: string }

const [always, by_range, by_day, by_week] = [0, 1, 2, 3]
const [second_ms, hour_minutes, week_days] = [1000, 60, 7]
/** The school's zone; the device is told its own, and all that it knows of it is this offset. */
const zone_ms = 8 * 3_600_000

/** Looks up who has the credential, and whether one of his permissions holds at the device's own time. */
export function verify(store: Vf105Store, { type, code }: { type: string; code: string }, now_ms: number): Verdict {
  const nobody = { userId: '', name: '', permissionId: '' }
  const key = [...store.keys.values()].find(one => one.type === type && one.code === (type === types.card || type === types.id_card ? code.toUpperCase() : code))
  if (!key) return { ...nobody, error: 'VOUCHER_NOT_FOUND' }
  const user = store.users.get(key.userId)
  if (!user) return { ...nobody, key, error: 'PERSON_NOT_FOUND' }
  const right = user.permissionIds.flatMap(id => store.permissions.get(id) ?? []).find(permission => holds(permission, now_ms))
  return { key, userId: user.userId, name: user.name, permissionId: right?.permissionId ?? '', error: right ? 'ALLOW' : 'PERMISSION_DENIED' }
}

/** Whether a permission lets in at an instant; its ends are inclusive. */
function holds({ time }: Permission, now_ms: number): boolean {
  const { type, range, dayPeriodTime = '', weekPeriodTime = {} } = time
  if (type === always) return true
  const now_s = Math.floor(now_ms / second_ms)
  if (!range || now_s < range.beginTime || now_s > range.endTime) return false
  if (type === by_range) return true
  const local = new Date(now_ms + zone_ms)
  const minute = local.getUTCHours() * hour_minutes + local.getUTCMinutes()
  if (type === by_day) return isWithin(dayPeriodTime, minute)
  return type === by_week && isWithin(weekPeriodTime[String(local.getUTCDay() || week_days)] ?? '', minute)
}

function isWithin(windows: string, minute: number): boolean {
  return windows.split('|').some(window => {
    const [from, to] = window.split('-').map(text => {
      const [hours = Number.NaN, minutes = Number.NaN] = text.split(':').map(Number)
      return hours * hour_minutes + minutes
    })
    return from !== undefined && to !== undefined && minute >= from && minute <= to
  })
}
