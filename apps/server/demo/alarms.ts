import { createAlarms } from '@campus/devices/server'
import type { PastAlarm } from '@campus/devices/server'
import { lost_hours } from './odd-devices.ts'
import type { Work } from './school-work.ts'

type Kind = PastAlarm['alarm_kind']
/** What happens again and again: the kind, at which devices, how many minutes it lasts, and at which hours. */
type Habit = { kind: Kind; at: readonly string[]; minutes: number; hours: readonly number[]; times: number }

const [day_ms, hour_ms, minute_ms] = [86_400_000, 3_600_000, 60_000] as const
const [days, school_zone_hours, alert_minutes] = [14, 8, 10] as const
/** Of whom nothing has been heard for so long somebody is told; their alarms have not ended. */
const still_away = ['QM010041', 'QM010042', 'QM030012', 'QM030064', 'QM120002'] as const

const habits: readonly Habit[] = [
  { kind: 'door_held', at: ['QM010005', 'QM010009', 'QM010011', 'QM040006', 'QM040013'], minutes: 4, hours: [7, 12, 17], times: 12 },
  { kind: 'door_open', at: ['QM040003', 'QM040016', 'QM010037'], minutes: 11, hours: [18, 21], times: 5 },
  { kind: 'offline', at: ['QM070002', 'QM080004', 'QM010027', 'QM030071', 'QM210006'], minutes: 26, hours: [6, 13, 16], times: 9 },
  { kind: 'fault', at: ['QM070005', 'QM150004'], minutes: 95, hours: [3, 10], times: 4 },
  { kind: 'tamper', at: ['QM010038', 'QM120001'], minutes: 7, hours: [9, 15], times: 3 },
  { kind: 'forced', at: ['QM040011'], minutes: 6, hours: [22], times: 1 },
  { kind: 'fire', at: ['QM010037'], minutes: 18, hours: [10], times: 1 },
]

/** Forty alarms of two weeks (chapter 30 §8): most ended by themselves, those of devices that are still away have not. Devices go by the real day, whichever the demo's is. */
export async function fillAlarms({ db, school_id, now }: Work, ids: ReadonlyMap<string, string>): Promise<void> {
  const midnight = Math.floor((now.getTime() + school_zone_hours * hour_ms) / day_ms) * day_ms - school_zone_hours * hour_ms
  const ended = habits.flatMap(({ kind, at, minutes, hours, times }, habit) => Array.from({ length: times }, (_, nth): PastAlarm => {
    const begun = new Date(midnight - (1 + ((nth * 5 + habit * 3) % (days - 1))) * day_ms + (hours[nth % hours.length] ?? 0) * hour_ms + ((nth * 17 + habit * 7) % 55) * minute_ms)
    return { device_id: idOf(ids, at[nth % at.length]), alarm_kind: kind, at: begun, cleared_at: new Date(begun.getTime() + (minutes + (nth % 4)) * minute_ms) }
  }))
  const open = still_away.map((sn): PastAlarm => ({ device_id: idOf(ids, sn), alarm_kind: 'offline', at: new Date(now.getTime() - (lost_hours[sn] ?? 0) * hour_ms + alert_minutes * minute_ms), cleared_at: null }))
  await createAlarms(db, school_id, [...ended, ...open])
}

/** @throws Error for a number that no device of the plan has */
function idOf(ids: ReadonlyMap<string, string>, sn: string | undefined): string {
  const found = ids.get(sn ?? '')
  if (found === undefined) throw new Error(`the plan has no device ${sn}`)
  return found
}
