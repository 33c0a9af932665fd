import { createAccess } from '@campus/access/server'
import type { PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { startOfDay } from './school-year.ts'
import type { Work } from './school-work.ts'

const [teaching, returning, releasing, every] = [1, 2, 3, 5] as const
const week = [true, true, true, true, true, false, false]
const [day, boarder] = [1440, '2'] as const
const stage_dept = 2
const names: Readonly<Record<string, string>> = { '1': '小学走读', '2': '初中走读', '3': '高中走读' }
const period = (direction: 1 | 2, begin_min: number, end_min: number, day_match: number = teaching) => ({ direction, day_match, week_flags: day_match === teaching ? week : null, begin_min, end_min })
const schoolDay = (begin: number, end: number) => [period(1, 390, begin), period(1, 750, 840), period(2, end, 1320)]
const boarding = [period(1, 960, 1230, returning), period(2, 990, 1140, releasing), period(1, 390, 480)]
const all_day = [period(1, 0, day, every), period(2, 0, day, every)]
const rules = [
  { rule_name: '小学走读', scene: 1, periods: schoolDay(510, 970) },
  { rule_name: '初中走读', scene: 1, periods: schoolDay(480, 1020) },
  { rule_name: '高中走读', scene: 1, periods: schoolDay(450, 1260) },
  { rule_name: '住校', scene: 1, periods: boarding },
  { rule_name: '宿舍全天', scene: 1, periods: all_day },
  { rule_name: '教职工全天', scene: 2, periods: all_day },
  { rule_name: '家长接送', scene: 3, periods: [period(1, 940, 1080), period(2, 940, 1140)] },
]

/** Rules of passing of the main school, and who goes by them: each stage, its boarders, and the staff (chapter 35 §8). */
export async function fillAccess(work: Work, gates: ReadonlyMap<string, string>): Promise<void> {
  const { db, school_id } = work
  const people = asTables<PeopleViews>(db)
  const depts = await people.selectFrom('dept_now').select(['id', 'stage', 'dept_type', 'tree', 'parent_id']).where('school_id', '=', school_id).execute()
  const [root] = depts.filter(dept => dept.parent_id === null)
  const [south, north, east] = ['南门', '北门', '东门'].map(name => gates.get(name) ?? [])
  const at = (...found: readonly (string | readonly string[] | undefined)[]) => found.flatMap(one => one ?? [])
  const doors = (rule: string, place_ids: string[]) => ({ rule, in_place_ids: place_ids, out_place_ids: place_ids })
  const stages = depts.filter(dept => dept.dept_type === stage_dept && dept.tree === 'student')
  await createAccess(work, {
    from: startOfDay(work.from),
    rules,
    depts: [
      ...stages.flatMap(({ id: dept_id, stage }) => [
        { dept_id, ...doors(names[stage ?? ''] ?? '小学走读', at(stage === '1' ? south : north)) },
        { dept_id, study_method: boarder, ...doors('住校', at(north, south)) },
        { dept_id, ...doors('家长接送', at(south)) },
      ]),
      ...(root ? [{ dept_id: root.id, ...doors('教职工全天', at(south, north, east)) }] : []),
    ],
    users: [],
  })
}
