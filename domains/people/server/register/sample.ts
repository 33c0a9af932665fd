import { makeFamily } from '../sample/family.ts'
import { first_age, makePupil } from '../sample/pupil.ts'
import { studentCells } from '../sample/sheet-cells.ts'
import type { SampleTools } from '../sample/tools.ts'
import type { NewEntry } from './register.create.ts'

const day_ms = 86_400_000
const given_by_school: ReadonlySet<string> = new Set(['grade', 'class_name', 'student_no', 'school_roll_no'])

/** Newcomers of a first grade who were sent in over the days before `now` and wait. */
export function sampleEntries(tools: SampleTools, { count, year, now }: { count: number; year: number; now: Date }): NewEntry[] {
  return Array.from({ length: count }, (_, at) => {
    const made = makeFamily(tools, { shape: 'couple', eldest_born: year - first_age['1'] })
    const mobile = `1698${String(at + 1).padStart(7, '0')}`
    const family = { ...made, guardians: made.guardians.slice(0, 1).map(guardian => ({ ...guardian, mobile })) }
    const pupil = makePupil(tools, { student_no: '', stage: '1', enrol_year: year, sex: at % 2 === 0 ? '1' : '2', is_boarder: false, by_bus: false, is_alone: true }, family)
    const cells = Object.entries(studentCells(pupil, { grade: '', class_name: '' }, family)).filter(([prop, text]) => text !== '' && !given_by_school.has(prop))
    const created_at = new Date(now.getTime() - Math.round(((count - at) * 6 * day_ms) / count))
    const apply_no = `R${created_at.toISOString().slice(0, 10).replaceAll('-', '')}${String(100_000 + at * 37).slice(0, 6)}`
    return { apply_no, is_new: true, mobile, values: Object.fromEntries(cells), created_at }
  })
}
