import { CHANGE_KIND } from '@campus/people/contract'
import type { ChangeReceipt, ChangeRow, ChangeSubject } from '@campus/people/contract'
import { dictionaryName, spanText } from '@kit/web'

export const state_colors: Readonly<Record<ChangeRow['state'], string>> = {
  draft: 'default', scheduled: 'blue', applied: 'processing', settled: 'green', cancelled: 'default', undoing: 'orange', undone: 'default', failed: 'red',
}
export const effect_names: Readonly<Record<ChangeReceipt['effects'][number]['state'], string>> = {
  planned: '待生效', waiting: '等待', running: '处理中', done: '完成', failed: '失败', skipped: '无需处理', undone: '已撤销',
}

/** Green in effect, blue running, orange waits for somebody, red refused, grey past. */
export const effect_colors: Readonly<Record<ChangeReceipt['effects'][number]['state'], string>> = {
  planned: 'blue', waiting: 'orange', running: 'processing', done: 'green', failed: 'red', skipped: 'default', undone: 'default',
}

/** 调班, 转出 …: what a command does. */
export function kindName(kind: ChangeRow['kind']): string {
  return CHANGE_KIND.names[kind]
}

/** Where and how a pupil stands before or after: `一年级1班`, `休学 · 一年级1班`, 离校. */
export function imageText({ dept_name, state }: ChangeSubject['before']): string {
  if (state === null) return '不在校'
  const place = dept_name ?? '未分班'
  return state === '01' ? place : `${dictionaryName('STUDENT_STATE', state)} · ${place}`
}

/** How long a command can still be taken back: `还可撤销 6 天`; undefined when it cannot. */
export function undoText({ state, undo_until }: Pick<ChangeRow, 'state' | 'undo_until'>, now: number): string | undefined {
  const left = undo_until === null ? 0 : Date.parse(undo_until) - now
  if ((state !== 'applied' && state !== 'settled') || left <= 0) return undefined
  const hours = Math.floor(left / 3_600_000)
  return hours < 24 ? `还可撤销 ${Math.max(hours, 1)} 小时` : `还可撤销 ${Math.floor(hours / 24)} 天`
}

/** `2 分 14 秒 · 近 90 天中位 3 分 5 秒（28 次）`: how long rights outlived a departure; undefined where no terminal had to confirm anything. */
export function expiryText({ expiry }: Pick<ChangeReceipt, 'expiry'>): string | undefined {
  if (expiry === null) return undefined
  const { seconds, median_seconds, measured } = expiry
  const usual = median_seconds === null ? '' : ` · 近 90 天中位 ${spanText(median_seconds)}（${measured} 次）`
  return `${seconds === null ? '等待设备确认' : spanText(seconds)}${usual}`
}
