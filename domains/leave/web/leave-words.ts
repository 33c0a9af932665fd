import { exit_modes, leaveClass, leaveTypeName, spanText, stateName } from '@campus/leave/contract'
import type { LeaveAct, LeaveFile } from '@campus/leave/contract'
import { instantText } from '@kit/web'

export const state_colors: Readonly<Record<number, string>> = { 0: 'default', 1: 'orange', 2: 'green', 3: 'red', 4: 'default', 5: 'default', 6: 'blue', 7: 'cyan', 8: 'red' }
export const task_colors: Readonly<Record<number, string>> = { 0: 'orange', 2: 'green', 3: 'red', 4: 'orange', 5: 'default', 6: 'default' }
export const effect_colors: Readonly<Record<number, string>> = { 0: 'blue', 1: 'blue', 2: 'green', 3: 'orange', 4: 'red', 5: 'default', 6: 'orange' }
const class_colors = { sick: 'red', public: 'blue', private: 'gold' } as const

/** The colour of a type: sick red, public blue, private yellow. */
export const typeColor = (leave_type: string): string => class_colors[leaveClass(leave_type)]

/** The acts as buttons say them, with the permission that each takes. */
export const act_words: Readonly<Record<LeaveAct, { label: string; need: string }>> = {
  withdraw: { label: '撤回', need: 'leave.apply.cancel' },
  cancel: { label: '取消请假', need: 'leave.apply.cancel' },
  change: { label: '改期', need: 'leave.apply.change' },
  extend: { label: '续假', need: 'leave.apply.change' },
  end_early: { label: '提前结束', need: 'leave.apply.change' },
  return: { label: '返校登记', need: 'leave.apply.return' },
  void: { label: '作废', need: 'leave.apply.void' },
}

/** One line that says what a leave is and where it has got to. */
export function storyOf(file: LeaveFile): string {
  const [first] = file.members
  const span = first?.spans[0]
  const modes: Readonly<Record<string, string>> = exit_modes
  const who = `${first?.user_name ?? ''}${file.members.length > 1 ? `等${file.members.length}人` : ''}`
  const way = file.exit_mode === 2 && file.pickup_name !== null ? `由${file.pickup_name}接走` : modes[String(file.exit_mode)]
  const gone = first?.out_at ? `已于${instantText(first.out_at)}离校` : ''
  const back = first?.back_at ? `${instantText(first.back_at)}返校` : ''
  const end = [gone, back || (first?.out_at ? '未返校' : '')].filter(Boolean).join('，')
  return `${who}，${span ? spanText(span) : ''} ${leaveTypeName(file.person_kind, file.leave_type)}（${file.reason_name}），${way}。${end === '' ? `当前${stateName(file.state)}。` : `${end}。`}`
}
