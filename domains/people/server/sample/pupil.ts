import { addDays } from '../day.ts'
import type { StudentProp } from '../import/student.columns.ts'
import type { Draw } from './draw.ts'
import type { SampleFamily } from './family.ts'
import type { Inventor } from './invented.ts'
import type { NameMaker } from './names.ts'

/** A class of the school as the sheet names it. */
export type SampleClass = { grade: string; class_name: string; enrol_year: number; stage: 'primary' | 'junior' | 'senior' }
export type SampleCells = Partial<Record<StudentProp, string>>

const first_age = { primary: 6, junior: 12, senior: 15 } as const
const days_of_year = 365

/** Names with a middle dot, without surname, of other scripts: they must survive every step. */
const special = [
  { user_name: '阿依古丽·买买提', sex: '女', nation: '维吾尔族' },
  { user_name: '尼格买提·热合曼江', sex: '男', nation: '维吾尔族' },
  { user_name: '卓玛', sex: '女', nation: '藏族' },
  { user_name: '欧阳若曦', sex: '女' },
  { user_name: '诸葛安', sex: '男' },
  { user_name: '张王子涵', sex: '女' },
  { user_name: '李㐀', sex: '男' },
  { user_name: '陈𠀀', sex: '男' },
  { user_name: 'Anna Müller', sex: '女', nation: '其他', country: '德国', gatqw: '外国人', id_type: '护照' },
  { user_name: '김민준', sex: '男', nation: '其他', country: '韩国', gatqw: '外国人', id_type: '护照' },
] as const

/** One pupil of a class, living with the family; `serial` counts the pupils of his year of enrolment. */
export function makePupil(tools: { draw: Draw; names: NameMaker; invent: Inventor }, place: SampleClass, family: SampleFamily, at: number, serial: number): SampleCells {
  const { draw, names, invent } = tools
  const sex = draw.next() < 0.53 ? '1' : '2'
  const chosen = special[at]
  const is_boy = chosen ? chosen.sex === '男' : sex === '1'
  const birthday = addDays(`${place.enrol_year - first_age[place.stage]}-09-01`, draw.below(days_of_year))
  const { id_no, region } = invent.id_no(birthday, is_boy ? '1' : '2')
  const is_boarder = place.stage !== 'primary' && draw.next() < 0.45
  const is_foreign = chosen !== undefined && 'id_type' in chosen
  return {
    user_name: family.surname + names.given('student', is_boy ? '1' : '2'),
    sex: is_boy ? '男' : '女',
    grade: place.grade,
    class_name: place.class_name,
    student_no: `${place.enrol_year}${String(serial).padStart(4, '0')}`,
    school_roll_no: is_foreign ? '' : `G${id_no}`,
    id_type: '居民身份证',
    id_no: is_foreign ? `E${String(at).padStart(8, '0')}` : id_no,
    birthday: birthday.replaceAll('-', ''),
    nation: draw.next() < 0.97 ? '汉族' : draw.pick(['回族', '满族', '蒙古族', '朝鲜族']),
    country: '中国',
    gatqw: '否',
    ...registryCells(draw, place, region),
    ...studyCells(draw, is_boarder),
    address: family.address,
    mail_address: family.address,
    home_address: family.address,
    tel: family.guardians[0]?.mobile ?? '',
    postcode: '266000',
    ...guardianCells(family),
    ...chosen,
  }
}

function registryCells(draw: Draw, place: SampleClass, region: string): SampleCells {
  return {
    political: place.stage === 'senior' ? '共青团员' : '少先队员',
    health: '健康或良好',
    blood: draw.pick(['未知血型', 'A血型', 'B血型', 'O血型', 'AB血型']),
    native_place: '山东省青岛市',
    birth_division: region,
    hukou_division: region,
    hukou: draw.next() < 0.7 ? '非农业家庭户口' : '农业家庭户口',
    enrol_month: `${place.enrol_year}09`,
    entry_way: place.stage === 'senior' ? '统一招生考试/普通入学' : '就近入学',
    source: '正常入学',
    only_child: draw.next() < 0.6 ? '是' : '否',
    preschool: draw.next() < 0.95 ? '是' : '否',
    left_behind: draw.next() < 0.96 ? '非留守儿童' : '单亲留守儿童',
    migrant_child: draw.next() < 0.08 ? '是' : '否',
    orphan: '否',
    martyr_child: '否',
    need_aid: draw.next() < 0.04 ? '是' : '否',
    boarding_aid: draw.next() < 0.03 ? '是' : '否',
    disability: '无残疾',
  }
}

function studyCells(draw: Draw, is_boarder: boolean): SampleCells {
  const by_bus = !is_boarder && draw.next() < 0.15
  return {
    study_method: is_boarder ? '住校' : '走读',
    distance_km: String((draw.below(200) + 2) / 10),
    commute: by_bus ? '校车' : draw.pick(['步行', '家长自行接送', '公共交通(公交车、地铁等)']),
    by_bus: by_bus ? '是' : '否',
  }
}

/** The sheet of pupils names the first guardian; the others come with the sheet of parents. */
function guardianCells({ guardians: [first] }: SampleFamily): SampleCells {
  if (!first) return {}
  return { p1_name: first.name, p1_relation: first.relation, p1_mobile: first.mobile, p1_guardian: first.is_guardian ? '是' : '否' }
}
