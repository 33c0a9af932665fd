import { standLayout } from '@campus/insight/server'
import { standModule } from '@campus/school/server'
import type { Placed } from '@kit/contract'
import { addDays, startOfDay } from './school-year.ts'
import { idOf } from './school-work.ts'
import type { Ids, Work } from './school-work.ts'

const at = (name: string, x: number, y: number, w: number, h: number): Placed => ({ code: `insight.${name}`, x, y, w, h })

/** What the head of the school, the class teachers and the personnel office begin their day with. */
const layouts: Readonly<Record<string, readonly Placed[]>> = {
  SYS002_Principal: [at('students', 0, 0, 4, 2), at('staff', 4, 0, 2, 2), at('classes', 6, 0, 2, 2), at('changes', 8, 0, 4, 2), at('grades', 0, 2, 8, 8), at('todo', 8, 2, 4, 8)],
  SYS003_ClassTeacher: [at('todo', 0, 0, 4, 4), at('students', 4, 0, 4, 2), at('gaps', 8, 0, 4, 2), at('changes', 4, 2, 8, 2)],
  SYS002_Hr: [at('staff', 0, 0, 4, 2), at('todo', 4, 0, 8, 4)],
}
const ends_in = 12

/** Layouts published to three roles, and one application whose licence ends soon. */
export async function fillBoards({ db, school_id, from, today }: Work, role_ids: Ids): Promise<void> {
  for (const [code, items] of Object.entries(layouts)) {
    await standLayout(db, { school_id, route: 3, target: 2, target_id: idOf(role_ids, code), items: JSON.stringify(items), valid_from: startOfDay(from), created_by_name: '信息中心' })
  }
  await standModule(db, { school_id, module_code: 'voice', valid_from: from, valid_to: addDays(today, ends_in) })
}
