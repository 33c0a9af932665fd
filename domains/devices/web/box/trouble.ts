import type { Box } from '@campus/devices/contract'

const [off, on, broken, new_one] = ['0', '1', '2', '5']
const [hot_c, busy_pct] = [80, 90]

/** How urgently somebody has to look at a box; the most urgent first on the page. In words why. */
export function troubleOf(box: Box): { rank: number; why: string | null } {
  const dark = box.children.filter(child => child.device_state === off || child.device_state === broken).length
  if (box.device_state === broken) return { rank: 5, why: '设备故障' }
  if (box.device_state === off) return { rank: 4, why: '离线' }
  if (box.device_state === on && box.metric && (box.metric.temp_c ?? 0) >= hot_c) return { rank: 3, why: `温度${box.metric.temp_c}℃` }
  if (box.device_state === on && box.metric && Math.max(box.metric.cpu_pct ?? 0, box.metric.mem_pct ?? 0) >= busy_pct) return { rank: 3, why: '负载过高' }
  if (dark > 0) return { rank: 2, why: `${dark}个通道异常` }
  return { rank: box.device_state === new_one ? 1 : 0, why: box.device_state === new_one ? '还没有连接过' : null }
}

/** By trouble, then by name. */
export function byTrouble(boxes: readonly Box[]): Box[] {
  return boxes.toSorted((a, b) => troubleOf(b).rank - troubleOf(a).rank || a.device_name.localeCompare(b.device_name, 'zh'))
}
