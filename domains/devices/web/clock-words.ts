import type { DeviceClock } from '@campus/devices/contract'
import { instantText } from '@kit/web'

const [second_ms, day_ms, soon_ms] = [1000, 86_400_000, 300_000]

/** How far a clock is off, in words; a positive skew is behind. */
export function skewText(ms: number): string {
  const seconds = Math.round(ms / second_ms)
  return seconds === 0 ? '准' : `${seconds > 0 ? '慢' : '快'}${Math.abs(seconds)}秒`
}

/** What is said of a wrong clock, and what to do (chapter 30 rule 15). */
export function clockWords({ skew_ms, wrong_since, asked_at, asked_times, refusal, is_settable }: DeviceClock, now: number): { title: string; next_step: string } {
  const records = Math.abs(skew_ms) > day_ms ? '偏差超过一天，它的通行记录无法自动改正时间，先放在一边等待核对。' : '它的通行记录已按偏差改正时间；门禁时段仍按它自己的时间判断，可能早开或晚开。'
  return { title: `时钟${skewText(skew_ms)}，自 ${instantText(wrong_since)} 起`, next_step: `${stepOf({ asked_at, asked_times, refusal, is_settable }, now)}${records}` }
}

function stepOf({ asked_at, asked_times, refusal, is_settable }: Pick<DeviceClock, 'asked_at' | 'asked_times' | 'refusal' | 'is_settable'>, now: number): string {
  if (!is_settable) return '这台设备按自己的校时服务器走时，平台不改它的时钟：请在“配置”中检查校时服务器和时区，并确认设备连得上这台服务器。'
  if (asked_times === 0 || asked_at === null) return '平台会自动校时，暂时不用处理。'
  const told = `平台已自动校时${asked_times}次（最近 ${instantText(asked_at)}）`
  if (refusal !== null) return `${told}，设备没有接受：${refusal}。请到现场检查，时钟电池没电时请报修；平台会隔较长时间再试。`
  return asked_times === 1 && now - Date.parse(asked_at) < soon_ms ? `${told}，几分钟内可见结果，暂时不用处理。` : `${told}，时钟仍然不准，多半是时钟电池失效：请到现场检查或报修；平台会隔较长时间再试。`
}
