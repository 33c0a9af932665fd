import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeTemplate } from '@kit/server/excel'
import type { Field } from './import/field.ts'
import { parent_columns } from './import/parent.columns.ts'
import type { ParentProp } from './import/parent.columns.ts'
import { student_columns } from './import/student.columns.ts'
import { drawFrom } from './sample/draw.ts'
import { makeFamily } from './sample/family.ts'
import type { SampleFamily } from './sample/family.ts'
import { inventor } from './sample/invented.ts'
import { nameMaker } from './sample/names.ts'
import { makePupil } from './sample/pupil.ts'
import type { SampleCells, SampleClass } from './sample/pupil.ts'

export type { SampleClass } from './sample/pupil.ts'

/** How many pupils and lines of guardians, for which classes; the same seed gives the same sheets. */
export type SampleOptions = { pupils: number; guardians: number; seed: string; classes: readonly SampleClass[] }
export type SampleFiles = { student: string; parent: string }

type Child = { cells: SampleCells; family: SampleFamily; is_sibling: boolean }
type ParentCells = Partial<Record<ParentProp, string>>

/** Every sixteenth pupil is the brother or sister of an earlier one. */
const sibling_every = 16

/** The classes of the demo school in the school year that begins in `year`: 6 a grade in primary, 8 in junior, 10 in senior school. */
export function demoClasses(year: number): SampleClass[] {
  const stages = [
    { stage: 'primary', grades: ['一年级', '二年级', '三年级', '四年级', '五年级', '六年级'], classes: 6 },
    { stage: 'junior', grades: ['七年级', '八年级', '九年级'], classes: 8 },
    { stage: 'senior', grades: ['高一', '高二', '高三'], classes: 10 },
  ] as const
  return stages.flatMap(({ stage, grades, classes }) =>
    grades.flatMap((grade, passed) => Array.from({ length: classes }, (_, at) => ({ stage, grade, class_name: `${at + 1}班`, enrol_year: year - passed }))),
  )
}

/** Writes the filled sheets `student.xlsx` and `parent.xlsx` of an invented school: identity numbers and mobiles belong to nobody. */
export async function writeSampleSheets(dir: string, options: SampleOptions): Promise<SampleFiles> {
  const children = makeChildren(options)
  const files = { student: join(dir, 'student.xlsx'), parent: join(dir, 'parent.xlsx') }
  await mkdir(dir, { recursive: true })
  await writeFile(files.student, await sheetOf('学生信息导入', student_columns, children.map(child => child.cells)))
  await writeFile(files.parent, await sheetOf('家长信息导入', parent_columns, children.flatMap(parentLines)))
  return files
}

function makeChildren({ pupils, guardians, seed, classes }: SampleOptions): Child[] {
  const draw = drawFrom(seed)
  const tools = { draw, names: nameMaker(draw), invent: inventor(draw) }
  const serials = new Map<number, number>()
  const children: Child[] = []
  let left = guardians
  for (let at = 0; at < pupils; at += 1) {
    const place = classes[at % classes.length]
    if (!place) throw new Error('a sample needs at least one class')
    const waiting = pupils - at
    const two = left - waiting > 0 && draw.next() < (left - waiting) / waiting
    const sibling = at % sibling_every === sibling_every - 1 ? children[at - sibling_every + 1]?.family : undefined
    const family = sibling && sibling.guardians.length <= left - waiting + 1 ? sibling : makeFamily(draw, tools.names, tools.invent, two ? 2 : 1)
    left -= family.guardians.length
    const serial = (serials.get(place.enrol_year) ?? 0) + 1
    serials.set(place.enrol_year, serial)
    children.push({ cells: makePupil(tools, place, family, at, serial), family, is_sibling: family === sibling })
  }
  return children
}

/** What belongs to the parent himself stands once, beside the first child. */
function parentLines({ cells, family, is_sibling }: Child): ParentCells[] {
  return family.guardians.map((guardian, at) => ({
    student_no: cells.student_no,
    student_name: cells.user_name,
    name: guardian.name,
    relation: guardian.relation,
    mobile: guardian.mobile,
    is_first: at === 0 ? '是' : '否',
    is_guardian: guardian.is_guardian ? '是' : '否',
    work: is_sibling ? '' : guardian.work,
    edu: is_sibling ? '' : guardian.edu,
    pickup: '是',
  }))
}

function sheetOf(sheet: string, fields: readonly Field[], lines: readonly Partial<Record<string, string>>[]): Promise<Buffer> {
  const columns = fields.map(({ prop, label, required = false }) => ({ prop, label, required, text: true }))
  return writeTemplate({ sheet, notes: ['示例数据，均为虚构'], columns, samples: lines.map(line => fields.map(({ prop }) => line[prop] ?? '')) })
}
