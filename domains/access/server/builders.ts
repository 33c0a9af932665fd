import { createDepts, enrolStudents } from '@campus/people/server'
import { createPlaces } from '@campus/places/server'
import type { App } from '@kit/server/http'

type Db = Parameters<typeof createDepts>[0]
type Wanted = { size: number; prefix: string }
type Built = { class_id: string; pupils: string[]; gate: string; other_gate: string }

const [class_type, gate_kind, grade_type] = [4, 9, 3] as const
const first_day = '2026-09-01'

/**
 * A class with its grade, and two gates of the school, 南门 and 北门: what a journey about passes begins with. Pupils are called
 * 学生0, 学生1 and so on.
 * @param size how many pupils, whose numbers begin with `prefix`
 */
export async function buildClassAndGates(db: Db, { secrets }: App, school_id: number, { size, prefix }: Wanted): Promise<Built> {
  const root = await db.selectFrom('dept_now').select('id').where('school_id', '=', school_id).executeTakeFirstOrThrow()
  const cohort = { tree: 'student' as const, grade: '13', enrol_year: 2024, stage: '1' }
  const depts = await createDepts(
    db,
    school_id,
    [
      { key: 'grade', parent: root.id, dept_name: '三年级', dept_type: grade_type, ...cohort },
      { key: 'class', parent: 'grade', dept_name: '三年级1班', dept_type: class_type, class_no: 1, ...cohort },
    ],
    first_day,
  )
  const class_id = depts.get('class') ?? ''
  const drafts = Array.from({ length: size }, (_, at) => ({
    user_name: `学生${at}`,
    student_no: `${prefix}${String(at).padStart(3, '0')}`,
    sex: '1',
    enrol_month: '202409',
    dept_id: class_id,
    from: first_day,
  }))
  const pupils = await enrolStudents(db, secrets, school_id, drafts)
  const gate = { superior: null, place_kind: gate_kind, private_zone: false }
  const gates = ['南门', '北门'].map(place_name => ({ ...gate, key: place_name, place_name }))
  const places = await createPlaces(db, school_id, gates, first_day)
  return { class_id, pupils, gate: places.get('南门') ?? '', other_gate: places.get('北门') ?? '' }
}
