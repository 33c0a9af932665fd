import { parseWeeks, teachingErrors, weeksName, weeksRange } from '@campus/teaching/contract'
import type { Command, Weeks } from '@campus/teaching/contract'
import { commonErrors, fail } from '@kit/contract'
import { cellName } from '../conflict/check.ts'
import type { LessonRow } from './context.queries.ts'

/** What a command writes to a lesson; its inverse is the same of how the lesson was. */
export type Patch = { lesson_id: string; weekday: number | null; section: number | null; weeks: string; place_id: string | null; locked: boolean }

/** How a lesson is now, as a patch. */
export function imageOf({ id, weekday, section, weeks, place_id, locked }: LessonRow): Patch {
  return { lesson_id: id, weekday, section, weeks: weeksRange(weeks), place_id, locked }
}

const nameOf = (row: LessonRow) => `${row.class_name} ${row.course_name}`

/** Commands as patches, one after the other; `rows` are changed along, so that a later command sees what an earlier one did. @throws Refusal 404, 422 locked, weeksUnreadable */
export function patchesOf(commands: readonly Command[], rows: ReadonlyMap<string, LessonRow>, all: Weeks): { patches: Patch[]; title: string } {
  const patches: Patch[] = []
  const titles: string[] = []
  const put = (row: LessonRow, change: Partial<Pick<LessonRow, 'weekday' | 'section' | 'weeks' | 'place_id' | 'locked'>>) => {
    Object.assign(row, change)
    patches.push(imageOf(row))
  }
  for (const command of commands) {
    const row = requireLesson(rows, command.lesson_id)
    if (command.kind === 'lock') {
      put(row, { locked: command.locked })
      titles.push(`${command.locked ? '锁定' : '解锁'} ${nameOf(row)}`)
      continue
    }
    requireUnlocked(row)
    if (command.kind === 'place') {
      titles.push(`${nameOf(row)} ${row.weekday === null ? '排到' : '移到'}${cellName(command)}`)
      put(row, { weekday: command.weekday, section: command.section })
    } else if (command.kind === 'unplace') {
      titles.push(`取下 ${nameOf(row)}`)
      put(row, { weekday: null, section: null })
    } else if (command.kind === 'room') {
      titles.push(`${nameOf(row)} 换教室`)
      put(row, { place_id: command.place_id })
    } else if (command.kind === 'weeks') {
      const weeks = parseWeeks(command.weeks, all)
      if (weeks === null || weeks.length === 0) throw fail(teachingErrors.weeksUnreadable, { errors: [{ field: 'weeks', msg: teachingErrors.weeksUnreadable.msg }] })
      titles.push(`${nameOf(row)} 改为${weeksName(weeks, all)}`)
      put(row, { weeks })
    } else {
      const other = requireLesson(rows, command.other_id)
      requireUnlocked(other)
      const [own, theirs] = [{ weekday: row.weekday, section: row.section }, { weekday: other.weekday, section: other.section }]
      titles.push(`${nameOf(row)} 与 ${nameOf(other)} 对调`)
      put(row, theirs)
      put(other, own)
    }
  }
  return { patches, title: titles.length === 1 ? (titles[0] ?? '') : `${titles.length}项操作` }
}

/** @throws Refusal 404 */
function requireLesson(rows: ReadonlyMap<string, LessonRow>, id: string): LessonRow {
  const row = rows.get(id)
  if (!row) throw fail(commonErrors.notFound)
  return row
}

function requireUnlocked(row: LessonRow): void {
  if (row.locked) throw fail(teachingErrors.locked)
}
