import { HOLIDAY_KIND } from '@campus/calendar/contract'

export const weekday_names: readonly string[] = ['', '周一', '周二', '周三', '周四', '周五', '周六', '周日']
const kind_names = new Map(Object.entries(HOLIDAY_KIND.names))

/** 教学日, 周末, 调休上班 … */
export function kindName(kind: number): string {
  return kind_names.get(String(kind)) ?? ''
}

/** 单周 or 双周. */
export function weekKindName(kind: number | null): string {
  return kind === 1 ? '单周' : kind === 2 ? '双周' : ''
}

/** `10月8日` */
export function dayText(day: string): string {
  return `${Number(day.slice(5, 7))}月${Number(day.slice(8, 10))}日`
}
