import type { RegisterEntryRow } from '@campus/people/contract'
import { instantText, serverNow } from '@kit/web'
import type { Switch } from './use-register.ts'

export const scene_words = { 1: '学生登记', 2: '教职工登记' } as const
export const entry_words: Readonly<Record<RegisterEntryRow['state'], string>> = { waiting: '待审核', passed: '已通过', refused: '已拒绝', withdrawn: '已撤回' }

/** 开放中 至 …, or 已关闭. */
export function stateText({ is_open, end_time }: Switch, now: number = serverNow()): string {
  if (!is_open || end_time === null) return '已关闭'
  return Date.parse(end_time) > now ? `开放中 至 ${instantText(end_time)}` : `已截止 ${instantText(end_time)}`
}
