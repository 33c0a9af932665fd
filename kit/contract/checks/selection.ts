import type { Verdict } from './verdict.ts'

const SENTENCES = {
  download: '请选择要下载的文件！',
  delete: '请选择要删除的资源',
  publish: '请选择要发布的资源！',
  unpublish_place: '请选择要取消的教室！',
  unpublish_teacher: '请选择要取消的教师！',
} as const

/** What a resource button is about to do with the ticked rows. */
export type SelectionAction = keyof typeof SENTENCES

/** A resource button needs at least one ticked row; each action has its own sentence (product §5, Tables and resources). */
export function checkSelection(selected: readonly unknown[], action: SelectionAction): Verdict {
  return selected.length > 0 ? null : SENTENCES[action]
}

/** Hiding one of `shown_count` visible columns: the last one stays (product §5, Tables and resources). */
export function checkHideColumn(shown_count: number): Verdict {
  return shown_count > 1 ? null : '已是最后一个！'
}
