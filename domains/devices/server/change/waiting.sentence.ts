import type { Waiting } from './wait.queries.ts'

const names_shown = 3

/** How many devices have not confirmed a change, which, and what each waits for: the line first that somebody has to do something about. */
export function waitingText(devices: readonly Waiting[]): string {
  const held = devices.filter(device => device.is_held)
  const refused = devices.filter(device => device.is_refused && !device.is_held)
  const [here, away] = [true, false].map(online => devices.filter(device => !device.is_held && !device.is_refused && device.online === online))
  const parts = [
    told(held, n => `${n} 台设备的批量变更待人工确认`),
    told(refused, n => `${n} 台设备拒绝`),
    told(away ?? [], n => `等待 ${n} 台设备上线`),
    told(here ?? [], n => `等待 ${n} 台设备确认`),
  ]
  return parts.filter(part => part !== null).join('；')
}

function told(devices: readonly Waiting[], words: (n: number) => string): string | null {
  if (devices.length === 0) return null
  const names = devices.slice(0, names_shown).map(device => device.device_name).join('、')
  return `${words(devices.length)}：${names}${devices.length > names_shown ? ' 等' : ''}`
}
