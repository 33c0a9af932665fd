import type { Waiting } from './wait.queries.ts'

const names_shown = 3
/** What a device may wait for, that first which somebody has to do something about; the first that is true of it counts. */
const reasons: readonly { is: (device: Waiting) => boolean; words: (n: number) => string }[] = [
  { is: device => device.is_held, words: n => `${n} 台设备的批量变更待人工确认` },
  { is: device => device.is_refused, words: n => `${n} 台设备拒绝` },
  { is: device => device.is_paused, words: n => `${n} 台设备已停用或暂停下发` },
  { is: device => !device.online, words: n => `等待 ${n} 台设备上线` },
  { is: () => true, words: n => `等待 ${n} 台设备确认` },
]

/** How many devices have not confirmed a change, which, and what each waits for. */
export function waitingText(devices: readonly Waiting[]): string {
  const by_reason = Map.groupBy(devices, device => reasons.findIndex(({ is }) => is(device)))
  return reasons.flatMap(({ words }, at) => {
    const names = (by_reason.get(at) ?? []).map(device => device.device_name)
    return names.length === 0 ? [] : [`${words(names.length)}：${names.slice(0, names_shown).join('、')}${names.length > names_shown ? ' 等' : ''}`]
  }).join('；')
}
