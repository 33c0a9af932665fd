import type { FieldRule } from '@kit/contract'
import { checkAlnum1to50, checkResidentId, parseIdCard, warnResidentId } from '@kit/contract/checks'
import type { Verdict } from '@kit/contract/checks'

/** One field of a pupil's file: what it is called and how its text is read. */
export type RegistryField = FieldRule & {
  label: string
  /** where the value lives */
  home: 'person' | 'student'
  /** dictionary whose codes it holds */
  dict?: string
  /** shown masked; the value itself by reveal alone (chapter 20 rule 25) */
  masked?: true
  /** the national registry form asks for it; counted as completeness, not demanded */
  wanted?: true
}

const yes_no = { kind: 'dict', dict: 'YES_NO', home: 'student', wanted: true } as const
const address = { kind: 'text', home: 'person', max: 200, masked: true, wanted: true } as const
const division = { kind: 'division', home: 'student', max: 60 } as const
const person_dict = { kind: 'dict', home: 'person', wanted: true } as const
const student_dict = { kind: 'dict', home: 'student' } as const

const table = {
  user_name: { label: '姓名', kind: 'name', home: 'person' },
  sex: { label: '性别', kind: 'dict', home: 'person', dict: 'SEX' },
  student_no: { label: '学号', kind: 'student_no', home: 'student' },
  school_roll_no: { label: '学籍号', kind: 'roll_no', home: 'student', masked: true },
  id_type: { label: '身份证件类型', kind: 'dict', home: 'person', dict: 'ID_TYPE' },
  id_no: { label: '身份证件号', kind: 'id_no', home: 'person', masked: true },
  birthday: { label: '出生日期', kind: 'date', home: 'person', wanted: true },
  nation: { label: '民族', dict: 'NATION', ...person_dict },
  country: { label: '国籍/地区', dict: 'COUNTRY', ...person_dict },
  gatqw: { label: '港澳台侨外', dict: 'GATQW', ...person_dict },
  political: { label: '政治面貌', kind: 'dict', home: 'person', dict: 'POLITICAL_SHORT' },
  health: { label: '健康状况', dict: 'HEALTH', wanted: true, ...student_dict },
  blood: { label: '血型', dict: 'BLOOD', ...student_dict },
  name_pinyin: { label: '姓名拼音', kind: 'text', home: 'student', max: 100 },
  former_name: { label: '曾用名', kind: 'text', home: 'student', max: 50 },
  native_place: { label: '籍贯', ...division },
  birth_division: { label: '出生地行政区划码', wanted: true, ...division },
  hukou_division: { label: '户口所在地行政区划码', wanted: true, ...division },
  hukou: { label: '户口性质', dict: 'HUKOU', wanted: true, ...student_dict },
  enrol_month: { label: '入学年月', kind: 'month', home: 'student', wanted: true },
  entry_way: { label: '入学方式', dict: 'ENTRY_WAY', wanted: true, ...student_dict },
  study_method: { label: '就读方式', dict: 'STUDY_METHOD', wanted: true, ...student_dict },
  source: { label: '学生来源', dict: 'STUDENT_SOURCE', ...student_dict },
  address: { label: '现住址', ...address },
  mail_address: { label: '通信地址', ...address },
  home_address: { label: '家庭地址', ...address },
  tel: { label: '联系电话', kind: 'mobile', home: 'person', masked: true, wanted: true },
  postcode: { label: '邮政编码', kind: 'postcode', home: 'person', wanted: true },
  email: { label: '电子信箱', kind: 'email', home: 'person' },
  only_child: { label: '是否独生子女', ...yes_no },
  preschool: { label: '是否受过学前教育', ...yes_no },
  left_behind: { label: '是否留守儿童', dict: 'LEFT_BEHIND', wanted: true, ...student_dict },
  migrant_child: { label: '是否进城务工人员随迁子女', ...yes_no },
  orphan: { label: '是否孤儿', ...yes_no },
  martyr_child: { label: '是否烈士或优抚子女', ...yes_no },
  need_aid: { label: '是否需要申请资助', ...yes_no },
  boarding_aid: { label: '是否享受一补', ...yes_no },
  disability: { label: '残疾类型', dict: 'DISABILITY', wanted: true, ...student_dict },
  distance_km: { label: '上下学距离(公里)', kind: 'decimal', home: 'student', wanted: true },
  commute: { label: '上下学交通方式', dict: 'COMMUTE_WAY', wanted: true, ...student_dict },
  by_bus: { label: '是否乘坐校车', ...yes_no },
  remark: { label: '备注', kind: 'text', home: 'student', max: 200 },
} satisfies Record<string, RegistryField>

export type RegistryProp = keyof typeof table

/** Every field of a pupil's file, in the order of the national form; its twin for sheets is the pupil template. */
export const registry: Readonly<Record<RegistryProp, RegistryField>> = table

/** Names of the fields, typed. */
export const registry_props = Object.keys(table).filter(isRegistryProp)

/** Is this the name of a field of the registry? */
export function isRegistryProp(name: string): name is RegistryProp {
  return name in table
}

/** A month of the registry as people read it: 202609 is 2026年9月; what is no month stays as it is. */
export function monthText(value: string): string {
  return value.replace(/^(\d{4})(\d{2})$/, (_all, year: string, month: string) => `${year}年${Number(month)}月`)
}

const id_max = 30
const resident_card = '1'

/** An identity number beside its document: a resident number has its form, every other one 1–30 letters and digits (chapter 20 rule 14). */
export function checkIdNo(value: string, id_type: string, today?: string): Verdict {
  if (id_type === resident_card) return checkResidentId(value, '15_or_18', today)
  return value.length > id_max ? `超过${id_max}个字` : checkAlnum1to50(value)
}

/** Something to look at twice: the sentence beside its field. */
export type FileNotice = { field: string; msg: string }
/** What an identity number is compared with. */
export type IdFacts = { sex?: string | null; birthday?: string | null; id_type?: string | null; id_no?: string | null }

/** What must be confirmed about a resident number: its check sign, and what contradicts it (chapter 20 rule 14). */
export function idNotices({ sex, birthday, id_type, id_no }: IdFacts): FileNotice[] {
  const card = id_no && id_type === resident_card ? parseIdCard(id_no) : null
  if (!card || !id_no) return []
  const notices: FileNotice[] = []
  const warning = warnResidentId(id_no)
  if (warning) notices.push({ field: 'id_no', msg: warning })
  if (birthday && card.birthday && birthday !== card.birthday) notices.push({ field: 'birthday', msg: '出生日期与身份证号不一致' })
  if (sex && sex !== card.sex) notices.push({ field: 'sex', msg: '性别与身份证号不一致' })
  return notices
}
