import { field_scenes } from '@campus/people/contract'
import type { AnswerState, CollectTaskRow } from '@campus/people/contract'

export const task_words: Readonly<Record<CollectTaskRow['state'], string>> = { draft: '未开始', open: '进行中', closed: '已结束' }
export const answer_words: Readonly<Record<AnswerState, string>> = { unseen: '待填写', seen: '待填写', answered: '等待学校审核', confirmed_same: '已确认无误', accepted: '已完成', refused: '已退回，请修改' }

/** Who answers a task of this scene. */
export function whoAnswers(field_scene: number): string {
  return field_scene === field_scenes.staff ? '教职工' : '家长'
}

/** How much of a whole was done, in full percent; never 100 before the last one. */
export function percentOf({ total, answered }: { total: number; answered: number }): number {
  return total === 0 ? 0 : Math.floor((answered / total) * 100)
}
