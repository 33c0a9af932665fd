const day_minutes = 1440

/** `17:30`, on the next day `次日06:00`. */
export function clockText(minute: number): string {
  const of_day = minute > day_minutes ? minute - day_minutes : minute
  const text = `${String(Math.floor(of_day / 60)).padStart(2, '0')}:${String(of_day % 60).padStart(2, '0')}`
  return minute > day_minutes ? `次日${text}` : text
}

export const weekday_names = ['一', '二', '三', '四', '五', '六', '日'] as const
export const workdays: readonly boolean[] = [true, true, true, true, true, false, false]

/** `周一至周五`, `周六、周日`. */
export function flagsText(flags: readonly boolean[]): string {
  if (flags.every(Boolean)) return '每天'
  if (flags.every((flag, at) => flag === workdays[at])) return '周一至周五'
  return flags.flatMap((flag, at) => (flag ? [`周${weekday_names[at] ?? ''}`] : [])).join('、')
}
