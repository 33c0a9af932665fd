import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { writeTemplate } from '@kit/server/excel'
import type { Field } from './import/field.ts'
import { parent_columns } from './import/parent.columns.ts'
import { student_columns } from './import/student.columns.ts'
import { makeFamily } from './sample/family.ts'
import type { InventedFamily } from './sample/family.ts'
import { first_age, makePupil } from './sample/pupil.ts'
import type { InventedPupil, Stage } from './sample/pupil.ts'
import { parentCells, studentCells } from './sample/sheet-cells.ts'
import { special_families } from './sample/special-families.ts'
import { sampleTools } from './sample/tools.ts'
import type { SampleTools } from './sample/tools.ts'

/** A class of the school as the sheet names it. */
export type SampleClass = { grade: string; class_name: string; enrol_year: number; stage: Stage }
/** How many pupils and lines of guardians, for which classes; the same seed gives the same sheets. */
export type SampleOptions = { pupils: number; guardians: number; seed: string; classes: readonly SampleClass[] }
export type SampleFiles = { student: string; parent: string }

type Child = { place: SampleClass; pupil: InventedPupil; family: InventedFamily; is_sibling: boolean }

/** Every sixteenth pupil is the brother or sister of an earlier one. */
const sibling_every = 16
const shares = { boys: 0.53, boarders: 0.45, bus: 0.15 }

/** The classes of a demo school in the school year that begins in `year`: 6 a grade in primary, 8 in junior, 10 in senior school. */
export function demoClasses(year: number): SampleClass[] {
  const stages = [
    { stage: '1', grades: ['一年级', '二年级', '三年级', '四年级', '五年级', '六年级'], classes: 6 },
    { stage: '2', grades: ['七年级', '八年级', '九年级'], classes: 8 },
    { stage: '3', grades: ['高一', '高二', '高三'], classes: 10 },
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
  await writeFile(files.student, await sheetOf('学生信息导入', student_columns, children.map(({ pupil, place, family }) => studentCells(pupil, place, family))))
  await writeFile(files.parent, await sheetOf('家长信息导入', parent_columns, children.flatMap(parentLines)))
  return files
}

function makeChildren({ pupils, guardians, seed, classes }: SampleOptions): Child[] {
  const tools = sampleTools(seed)
  const serials = new Map<number, number>()
  const children: Child[] = []
  let left = guardians
  for (let at = 0; at < pupils; at += 1) {
    const place = classes[at % classes.length]
    if (!place) throw new Error('a sample needs at least one class')
    const waiting = pupils - at
    const sibling = isSibling(at) ? children.at(1 - sibling_every)?.family : undefined
    const two = left - waiting > 0 && tools.draw.next() < (left - waiting) / waiting
    const family = sibling && !sibling.special && sibling.guardians.length <= left - waiting + 1 ? sibling : newFamily(tools, place, at, two)
    left -= family.guardians.length
    const serial = (serials.get(place.enrol_year) ?? 0) + 1
    serials.set(place.enrol_year, serial)
    children.push({ place, pupil: newPupil(tools, place, family, at, serial), family, is_sibling: family === sibling })
  }
  return children
}

/** The first families of a sample are the special ones. */
function newFamily(tools: SampleTools, place: SampleClass, at: number, two: boolean): InventedFamily {
  return makeFamily(tools, { shape: two ? 'couple' : 'single', eldest_born: place.enrol_year - first_age[place.stage], special: special_families[at] })
}

function newPupil(tools: SampleTools, { stage, enrol_year }: SampleClass, family: InventedFamily, at: number, serial: number): InventedPupil {
  const { draw } = tools
  const is_boarder = stage !== '1' && draw.chance(shares.boarders)
  const by_bus = !is_boarder && draw.chance(shares.bus)
  const sex = family.special?.children[0]?.sex ?? (draw.chance(shares.boys) ? '1' : '2')
  const is_alone = !isSibling(at) && !isSibling(at + sibling_every - 1)
  return makePupil(tools, { student_no: `${enrol_year}${String(serial).padStart(4, '0')}`, stage, enrol_year, sex, is_boarder, by_bus, is_alone }, family)
}

function isSibling(at: number): boolean {
  return at % sibling_every === sibling_every - 1
}

function parentLines({ pupil, family, is_sibling }: Child) {
  return family.guardians.map((guardian, at) => parentCells(pupil, guardian, { is_first: at === 0, is_sibling }))
}

function sheetOf(sheet: string, fields: readonly Field[], lines: readonly Partial<Record<string, string>>[]): Promise<Buffer> {
  const columns = fields.map(({ prop, label, required = false }) => ({ prop, label, required, text: true }))
  return writeTemplate({ sheet, notes: ['示例数据，均为虚构'], columns, samples: lines.map(line => fields.map(({ prop }) => line[prop] ?? '')) })
}
