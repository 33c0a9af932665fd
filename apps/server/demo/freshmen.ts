import { createHash } from 'node:crypto'
import type { FreshmanState } from '@campus/people/contract'
import { asApplied, createSeason, first_age, makeFamily, makePupil } from '@campus/people/server'
import type { NewFreshman, PeopleViews } from '@campus/people/server'
import { asTables } from '@kit/server/db'
import { demo_seed, toolsOf } from './seed.ts'
import type { Work } from './school-work.ts'

const first_grade = '11'
const stage = '1'
/** Of each of the six classes so many boys and girls came by this season; one boy and one girl of each have not arrived yet. */
const arrived = { '1': 21, '2': 19 } as const
const awaited = ['1', '2'] as const
/** The other 34 of 286, by state. */
const others: readonly (readonly [state: FreshmanState, count: number, reason: string | null])[] = [['0', 4, null], ['1', 12, null], ['2', 6, null], ['3', 3, '户口簿照片不清晰，请重新提交'], ['5', 5, null], ['7', 4, '随父母迁往外地就读']]
const day_ms = 86_400_000

type Child = Pick<NewFreshman, 'user_name' | 'sex' | 'id_no' | 'birthday' | 'guardian' | 'mobile' | 'relation'>

const secret = (name: string) => createHash('sha256').update(`${demo_seed}:freshmen:${name}`).digest('hex')

/** The season of this year's first grade: 286 applications in all eight states, 252 of them placed into six classes (chapter 20 §8). */
export async function fillFreshmen(work: Work): Promise<void> {
  const { app, db, school_id, school_year, from } = work
  const classes = await asTables<PeopleViews>(db).selectFrom('dept_now').select(['id', 'dept_name']).where('school_id', '=', school_id).where('grade', '=', first_grade).where('dept_type', '=', 4).orderBy('show_order').orderBy('id').execute()
  const class_names = new Map(classes.flatMap(({ id, dept_name }) => (id === null ? [] : [[id, dept_name ?? ''] as const])))
  const first = new Date(Date.parse(`${from}T00:00:00Z`) - 100 * day_ms)
  const invented = inventedChildren(school_year)
  const placed = [...class_names.keys()].flatMap(dept_id => awaited.map(sex => ({ ...invented.next(sex), state: '4' as const, dept_id, user_id: null, reason: null })))
  const rest = others.flatMap(([state, count, reason]) => Array.from({ length: count }, (_, at) => ({ ...invented.next(at % 2 === 0 ? '1' : '2'), state, dept_id: null, user_id: null, reason })))
  const applied = [...(await arrivedPupils(work, [...class_names.keys()])), ...placed, ...rest]
  await createSeason(db, app.secrets, school_id, {
    draft: {
      school_year: `${school_year}-${school_year + 1}`, stage, open_at: first.toISOString(), close_at: new Date(first.getTime() + 40 * day_ms).toISOString(), quota: 270, form_fields: [], materials: [{ name: '户口簿', upload: 'required' }, { name: '预防接种证', upload: 'optional' }, { name: '房产证明', upload: 'none' }],
      min_birthday: `${school_year - 7}-09-01`, max_birthday: `${school_year - 6}-08-31`, dup_policy: 'warn', review_levels: 1, import_passed: false, class_plan: { dept_ids: [...class_names.keys()] }, number_rule: { prefix: `${school_year}9`, digits: 4, start: 1 },
    },
    register_key: secret('key').slice(0, 32), lottery_seed: secret('lottery'), placed_at: new Date(first.getTime() + 60 * day_ms), class_names,
    freshmen: applied.map((child, at) => ({ ...child, id: uuidOf(at), values: { board: '0', from_school: '(虚构)阳光幼儿园' }, score: 60 + ((at * 7919) % 400) / 10, applied_at: new Date(first.getTime() + at * 3 * 3_600_000) })),
  })
}

/** The pupils of these classes who came by the season. */
async function arrivedPupils({ db, school_id }: Work, dept_ids: readonly string[]) {
  const pupils = await asApplied(db, school_id, dept_ids)
  return dept_ids.flatMap(dept_id => awaited.flatMap(sex => pupils.filter(pupil => pupil.dept_id === dept_id && pupil.sex === sex).slice(0, arrived[sex]).map(pupil => ({ ...pupil, state: '6' as const, reason: null }))))
}

/** Children of the age of the first grade, one after the other. */
function inventedChildren(school_year: number) {
  const tools = toolsOf('freshmen')
  let made = 0
  return {
    next(sex: '1' | '2'): Child {
      made += 1
      const family = makeFamily(tools, { shape: 'couple', eldest_born: school_year - first_age[stage] })
      const pupil = makePupil(tools, { student_no: '', stage, enrol_year: school_year, sex, is_boarder: false, by_bus: false, is_alone: true }, family)
      const [guardian] = family.guardians
      return { user_name: pupil.user_name, sex, id_no: pupil.id_no ?? '', birthday: pupil.birthday ?? '', guardian: guardian?.user_name ?? '', mobile: `1697${String(made).padStart(7, '0')}`, relation: guardian?.relation ?? '51' }
    },
  }
}

function uuidOf(at: number): string {
  const hex = secret(`child ${at}`)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
