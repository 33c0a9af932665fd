/** A class that is about to be made. `taken`: a class of that name stands there already. */
export type NewClassName = { class_no: number; dept_name: string; taken: boolean }

const most_class_no = 99

/** Numbered classes of a grade: 一年级1班 … The server names them alike. */
export function classNames(grade_name: string, from_no: number, to_no: number, taken: readonly string[]): NewClassName[] {
  if (from_no < 1 || to_no > most_class_no || to_no < from_no) return []
  const known = new Set(taken)
  return Array.from({ length: to_no - from_no + 1 }, (_, at) => {
    const class_no = from_no + at
    const dept_name = className(grade_name, class_no)
    return { class_no, dept_name, taken: known.has(dept_name) }
  })
}

/** 一年级 and 3: 一年级3班. */
export function className(grade_name: string, class_no: number): string {
  return `${grade_name}${class_no}班`
}

/** The number after the last one of a grade. */
export function nextClassNo(classes: readonly { class_no: number | null }[]): number {
  return Math.min(most_class_no, Math.max(0, ...classes.map(one => one.class_no ?? 0)) + 1)
}
