import type { ParentProp } from '../import/parent.columns.ts'
import type { StudentProp } from '../import/student.columns.ts'
import type { InventedFamily, InventedGuardian } from './family.ts'
import type { InventedPupil } from './pupil.ts'

export type StudentCells = Partial<Record<StudentProp, string>>
export type ParentCells = Partial<Record<ParentProp, string>>

const yes_no = { '0': '否', '1': '是' }
/** The words that stand in a sheet for the codes a sample draws. */
const words: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  sex: { '1': '男', '2': '女' },
  id_type: { '1': '居民身份证', A: '护照' },
  nation: {
    '01': '汉族', '02': '蒙古族', '03': '回族', '04': '藏族', '05': '维吾尔族', '07': '彝族', '08': '壮族', '10': '朝鲜族', '11': '满族', '15': '土家族', '17': '哈萨克族',
    '29': '柯尔克孜族', '97': '其他',
  },
  country: { CHN: '中国', DEU: '德国', KOR: '韩国' },
  gatqw: { '00': '否', '51': '外国人' },
  political: { '03': '共青团员', '13': '群众', '14': '少先队员' },
  health: { '1': '健康或良好', '2': '一般或较弱', '3': '有慢性病' },
  blood: { '0': '未知血型', '1': 'A血型', '2': 'B血型', '3': 'AB血型', '4': 'O血型' },
  hukou: { '1': '非农业家庭户口', '2': '农业家庭户口' },
  entry_way: { '01': '统一招生考试/普通入学', '20': '就近入学' },
  study_method: { '1': '走读', '2': '住校' },
  source: { '1': '正常入学', '2': '借读' },
  left_behind: { '0': '非留守儿童', '1': '单亲留守儿童', '2': '双亲留守儿童' },
  disability: { '0': '无残疾', '1': '视力残疾', '2': '听力残疾', '4': '肢体残疾' },
  commute: { '1': '步行', '2': '自行车(含自行车、三轮车、摩托车、电动车)', '3': '公共交通(公交车、地铁等)', '4': '家长自行接送', '5': '校车', '9': '其他' },
  only_child: yes_no, preschool: yes_no, migrant_child: yes_no, orphan: yes_no, martyr_child: yes_no, need_aid: yes_no, boarding_aid: yes_no,
  relation: { '51': '父亲', '52': '母亲', '61': '爷爷', '62': '奶奶', '63': '外公', '64': '外婆' },
  edu: { '11': '博士研究生毕业', '14': '硕士研究生毕业', '21': '大学本科毕业', '31': '大学专科毕业', '41': '中等专科毕业', '61': '普通高中毕业', '71': '初中毕业' },
}

/** The pupil's line in the sheet of pupils; it names the first guardian, the others come with the sheet of parents. */
export function studentCells(pupil: InventedPupil, place: { grade: string; class_name: string }, family: InventedFamily): StudentCells {
  const { by_bus, ...facts } = pupil
  const texts = Object.fromEntries(Object.entries(facts).map(([prop, value]) => [prop, wordOf(prop, value)]))
  const [first] = family.guardians
  const guardian = first ? { p1_name: first.user_name, p1_relation: wordOf('relation', first.relation), p1_mobile: first.mobile, p1_guardian: yesNo(first.is_guardian) } : {}
  return { ...texts, birthday: (pupil.birthday ?? '').replaceAll('-', ''), by_bus: yesNo(by_bus === true), grade: place.grade, class_name: place.class_name, ...guardian }
}

/** A guardian's line in the sheet of parents. What belongs to the parent himself stands once, beside the first child. */
export function parentCells(pupil: InventedPupil, guardian: InventedGuardian, more: { is_first: boolean; is_sibling: boolean }): ParentCells {
  return {
    student_no: pupil.student_no,
    student_name: pupil.user_name,
    name: guardian.user_name,
    relation: wordOf('relation', guardian.relation),
    mobile: guardian.mobile,
    is_first: yesNo(more.is_first),
    is_guardian: yesNo(guardian.is_guardian),
    work: more.is_sibling ? '' : (guardian.work ?? ''),
    edu: more.is_sibling ? '' : wordOf('edu', guardian.edu),
    pickup: yesNo(guardian.can_pickup),
  }
}

function wordOf(prop: string, value: unknown): string {
  if (typeof value !== 'string') return ''
  const known = words[prop]
  return known ? (known[value] ?? '') : value
}

function yesNo(value: boolean): string {
  return value ? '是' : '否'
}
