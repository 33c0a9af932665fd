/** Words of the phone; the contracts with their schemas are not loaded there. */
const state_names: Readonly<Record<number, string>> = { 0: '退回补充', 1: '审批中', 2: '已同意', 3: '已拒绝', 4: '已撤销', 5: '已销假', 6: '已离校', 7: '已返校', 8: '超时未返' }
const effect_names: Readonly<Record<number, string>> = { 0: '待处理', 1: '处理中', 2: '完成', 3: '等待', 4: '失败', 5: '不需要', 6: '不可撤销' }
const pupil_types: Readonly<Record<string, string>> = { 1: '事假', 2: '病假', 3: '晚到(迟到)假', 4: '早退假', 5: '外出假', 6: '周末离校', 7: '住校生外宿', 8: '集体活动', 9: '竞赛培训', 99: '其他' }
const staff_types: Readonly<Record<string, string>> = {
  '01': '事假', '02': '病假', '03': '年休假', '04': '调休', '05': '婚假', '06': '产假', '07': '陪产假', '08': '丧假', '09': '产检假', 10: '哺乳假', 11: '育儿假', 12: '护理假', 13: '工伤假', 14: '公假', 15: '探亲假', 99: '其他',
}
const pupil = 1
const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })

export const stateName = (state: number): string => state_names[state] ?? ''
export const effectName = (state: number): string => effect_names[state] ?? ''
export const typeName = (person_kind: number, leave_type: string): string => (person_kind === pupil ? pupil_types : staff_types)[leave_type] ?? leave_type

/** 2026-11-20 10:00. */
export const timeText = (instant: string): string => clock.format(new Date(instant))

/** Begin and end, the day once where both lie on it. */
export function spanText({ begin_at, end_at }: { begin_at: string; end_at: string }): string {
  const [begin, end] = [timeText(begin_at), timeText(end_at)]
  return begin.slice(0, 10) === end.slice(0, 10) ? `${begin}–${end.slice(11)}` : `${begin} 至 ${end}`
}

/** Today by the school's clock. */
export const schoolToday = (): string => clock.format(new Date()).slice(0, 10)
