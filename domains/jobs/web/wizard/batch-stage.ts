import type { ImportBatch } from '@campus/jobs/contract'

type State = ImportBatch['state']

/** Steps of the wizard in their order. */
export const steps = ['下载模板', '上传文件', '解析', '核对', '导入', '结果'] as const

/** The place of each state among the steps; a refused file stays where it failed. */
const at: Record<State, number> = {
  uploaded: 2,
  parsing: 2,
  refused: 2,
  parsed: 3,
  expired: 3,
  applying: 4,
  failed: 4,
  applied: 5,
  undoing: 5,
  undone: 5,
}

/** Which step a batch stands on; without one the wizard begins. A batch that failed before it was read stands on 解析. */
export function stepOf(batch: Pick<ImportBatch, 'state' | 'rows_total'> | undefined): number {
  if (!batch) return 0
  if (batch.state === 'failed' && batch.rows_total === 0) return 2
  return at[batch.state]
}

/** True while the server works on a batch, so that the screen has to ask again. */
export function batchRuns(batch: Pick<ImportBatch, 'state'>): boolean {
  return batch.state === 'uploaded' || batch.state === 'parsing' || batch.state === 'applying' || batch.state === 'undoing'
}

/** Name and tone of each state; the tones are those of the whole product. */
export const batchStates: Record<State, { label: string; color: string }> = {
  uploaded: { label: '排队中', color: 'blue' },
  parsing: { label: '解析中', color: 'blue' },
  parsed: { label: '待确认', color: 'orange' },
  applying: { label: '导入中', color: 'blue' },
  applied: { label: '已导入', color: 'green' },
  undoing: { label: '撤销中', color: 'blue' },
  undone: { label: '已撤销', color: 'default' },
  refused: { label: '已拒绝', color: 'red' },
  expired: { label: '已过期', color: 'default' },
  failed: { label: '失败', color: 'red' },
}

/** What the import will write, in words: 新增 12 人，变更 3 人. */
export function plannedText(batch: Pick<ImportBatch, 'rows_new' | 'rows_change'>, unit: string): string {
  const parts = [
    [batch.rows_new, '新增'],
    [batch.rows_change, '变更'],
  ] as const
  return parts.flatMap(([count, word]) => (count > 0 ? [`${word} ${count.toLocaleString('zh-CN')} ${unit}`] : [])).join('，')
}
