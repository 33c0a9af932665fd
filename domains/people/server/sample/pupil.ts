import type { PersonDraft } from '../person.create.ts'
import type { StudentDraft } from '../student.create.ts'
import { addDays } from '../day.ts'
import type { InventedFamily } from './family.ts'
import type { Sex } from './names.ts'
import { districtOf } from './places.ts'
import type { SampleTools } from './tools.ts'

/** A stage of school, STAGE: 1 primary, 2 junior, 3 senior. */
export type Stage = '1' | '2' | '3'
export type InventedPupil = PersonDraft & StudentDraft
/** A place to be taken: `enrol_year` is when the cohort began its stage; `is_alone` = no brothers or sisters here. */
export type PupilWish = {
  student_no: string
  stage: Stage
  enrol_year: number
  sex: Sex
  is_boarder: boolean
  by_bus: boolean
  is_alone: boolean
  /** of a twin who was made before */
  birthday?: string
}

/** Who turns so old by 31 August begins the stage. */
export const first_age = { '1': 6, '2': 12, '3': 15 } as const
const days_of_year = 365
const late_share = 0.03
const political = {
  '1': [['14', 85], ['13', 15]],
  '2': [['14', 40], ['03', 35], ['13', 25]],
  '3': [['03', 70], ['13', 30]],
} as const
const commutes = { day: [['1', 30], ['2', 12], ['3', 28], ['4', 30]], boarder: [['3', 45], ['4', 50], ['9', 5]] } as const

/** One pupil of the family; every field of the registry form is filled. Codes of the dictionaries. */
export function makePupil(tools: SampleTools, wish: PupilWish, family: InventedFamily): InventedPupil {
  const { draw, names, invent } = tools
  const { student_no, stage, enrol_year, sex, is_boarder, by_bus } = wish
  const birthday = wish.birthday ?? bornFor(tools, wish)
  const { id_no, region } = invent.id_no(birthday, sex)
  const is_foreign = family.special?.id_type !== undefined
  const [child] = family.special?.children ?? []
  const address = family.home.address
  return {
    user_name: child?.user_name ?? family.surname + names.given('student', sex),
    sex,
    student_no,
    school_roll_no: is_foreign ? null : `G${id_no}`,
    id_type: family.special?.id_type ?? '1',
    id_no: is_foreign ? `E${id_no.slice(9, 17)}` : id_no,
    birthday,
    nation: family.nation,
    country: family.special?.country ?? 'CHN',
    gatqw: family.special?.gatqw ?? '00',
    political: draw.weighted(political[stage]),
    ...registryOf(tools, wish, family, region),
    enrol_month: `${enrol_year}09`,
    entry_way: stage === '3' ? '01' : '20',
    study_method: is_boarder ? '2' : '1',
    distance_km: String(draw.between(2, is_boarder ? 480 : 95) / 10),
    commute: by_bus ? '5' : draw.weighted(is_boarder ? commutes.boarder : commutes.day),
    by_bus,
    address,
    mail_address: address,
    home_address: address,
    tel: family.guardians[0]?.mobile ?? null,
    postcode: family.home.postcode,
  }
}

/** A birthday that fits the cohort; a few began a year late, none of whom has brothers or sisters who could be too near then. */
function bornFor({ draw }: SampleTools, { stage, enrol_year, is_alone }: PupilWish): string {
  const year = enrol_year - first_age[stage] - 1 - (is_alone && draw.chance(late_share) ? 1 : 0)
  return addDays(`${year}-09-01`, draw.below(days_of_year))
}

function registryOf({ draw }: SampleTools, { is_alone, is_boarder }: PupilWish, { home }: InventedFamily, region: string) {
  const yes = (share: number) => (draw.chance(share) ? '1' : '0')
  const hukou_division = draw.chance(0.88) ? home.district : districtOf(draw, region)
  return {
    health: draw.weighted([['1', 96], ['2', 3], ['3', 1]]),
    blood: draw.weighted([['0', 35], ['1', 18], ['2', 20], ['4', 20], ['3', 7]]),
    native_place: draw.chance(0.8) ? '370200' : region,
    birth_division: districtOf(draw, region),
    hukou_division,
    hukou: draw.chance(0.72) ? '1' : '2',
    source: draw.chance(0.98) ? '1' : '2',
    only_child: is_alone ? yes(0.7) : '0',
    preschool: yes(0.96),
    left_behind: draw.weighted([['0', 965], ['1', 25], ['2', 10]]),
    migrant_child: hukou_division === home.district ? '0' : yes(0.6),
    orphan: '0',
    martyr_child: yes(0.003),
    need_aid: yes(0.04),
    boarding_aid: is_boarder ? yes(0.08) : '0',
    disability: draw.weighted([['0', 994], ['4', 2], ['1', 2], ['2', 2]]),
  }
}
