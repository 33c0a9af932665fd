import type { DeleteBatchRow, DeleteDetailRow, DeleteProof } from '@campus/people/contract'

export const batch_names: Readonly<Record<DeleteBatchRow['state'], string>> = {
  checking: '待确认', blocked: '有未结事项', holding: '保留期', deleting: '删除中', proving: '等待存储确认', finished: '已完成', cancelled: '已取消',
}
export const batch_colors: Readonly<Record<DeleteBatchRow['state'], string>> = {
  checking: 'orange', blocked: 'red', holding: 'blue', deleting: 'processing', proving: 'orange', finished: 'green', cancelled: 'default',
}
export const source_names: Readonly<Record<DeleteBatchRow['source'], string>> = { manual: '手动', import: '导入', auto: '自动提出', subject_request: '本人申请' }
export const state_names: Readonly<Record<DeleteDetailRow['state'], string>> = {
  checking: '待确认', blocked: '有未结事项', holding: '保留期', deleting: '删除中', waiting_proof: '等待确认', deleted: '已删除', error: '异常', cancelled: '已取消',
}
export const state_colors: Readonly<Record<DeleteDetailRow['state'], string>> = {
  checking: 'orange', blocked: 'red', holding: 'blue', deleting: 'processing', waiting_proof: 'orange', deleted: 'green', error: 'red', cancelled: 'default',
}
export const kind_names: Readonly<Record<number, string>> = { 1: '学生', 2: '教职工', 3: '家长', 6: '员工', 7: '外聘人员' }
export const level_names = { block: '阻止', warn: '提醒', settle: '自动处理' } as const
export const action_names: Readonly<Record<DeleteProof['stores'][number]['action'], string>> = { deleted: '已清除', anonymised: '已匿名', kept: '依法保留' }

type Store = DeleteDetailRow['stores'][number]

/** How a store stands: `南门-3：等待确认`. */
export function storeText({ title, state, action, is_late }: Store): string {
  return `${title}：${state === 'acked' ? action_names[action] : is_late ? '等待确认（已超时）' : '等待确认'}`
}

/** Colour of a store's dot, never alone: the text stands beside it. */
export function storeTone({ state, action, is_late }: Store): 'done' | 'kept' | 'waiting' | 'late' {
  if (state === 'waiting') return is_late ? 'late' : 'waiting'
  return action === 'kept' ? 'kept' : 'done'
}

const hour_ms = 3_600_000

/** How long a batch can still be cancelled: `还剩 6 天 3 小时`; undefined when it is past. */
export function holdText({ state, hold_until }: Pick<DeleteBatchRow, 'state' | 'hold_until'>, now: number): string | undefined {
  if (state !== 'holding' || hold_until === null) return undefined
  const hours = Math.ceil((Date.parse(hold_until) - now) / hour_ms)
  if (hours <= 0) return '即将开始删除'
  const days = Math.floor(hours / 24)
  return days === 0 ? `还剩 ${hours} 小时` : `还剩 ${days} 天${hours % 24 === 0 ? '' : ` ${hours % 24} 小时`}`
}
