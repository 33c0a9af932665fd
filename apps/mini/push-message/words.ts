/** Words of the phone; the contracts with their schemas are not loaded there. */
const kinds: Readonly<Record<string, string>> = {
  1: '学校通知',
  2: '班级通知',
  3: '作业',
  4: '打卡',
  5: '问卷调查',
  6: '信息收集',
  7: '家长会',
  8: '缴费通知',
  9: '安全提醒',
  10: '放假通知',
  11: '活动报名',
  12: '食谱公布',
  13: '成绩发布',
  14: '失物招领',
  99: '其他',
}
export const homework = '3'
/** What a post asks back: nothing, a confirmation, a signature, a form, words. */
export const reply = { confirm: 1, sign: 2, form: 3, text: 4 } as const

const clock = new Intl.DateTimeFormat('sv-SE', { timeZone: 'Asia/Shanghai', dateStyle: 'short', timeStyle: 'short' })

export const kindName = (kind: string): string => kinds[kind] ?? '通知'
/** 2026-11-20 10:00. */
export const timeText = (instant: string): string => clock.format(new Date(instant))
