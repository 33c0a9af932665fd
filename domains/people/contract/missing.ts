/**
 * What a complete file of a pupil holds (chapter 20 §10.5), by what is said of one that has it not: photo, guardian, and the fields that the national
 * form asks for. Words of their own, so that the list does without the registry; a test holds them to its labels.
 */
const names = {
  photo: '无照片', guardian: '无监护人', id_no: '证件号缺失', birthday: '未填出生日期', nation: '未填民族', country: '未填国籍/地区', gatqw: '未填港澳台侨外', tel: '未填联系电话',
  address: '未填现住址', mail_address: '未填通信地址', home_address: '未填家庭地址', postcode: '未填邮政编码', health: '未填健康状况', birth_division: '未填出生地行政区划码',
  hukou_division: '未填户口所在地行政区划码', hukou: '未填户口性质', entry_way: '未填入学方式', study_method: '未填就读方式', only_child: '未填是否独生子女', preschool: '未填是否受过学前教育',
  left_behind: '未填是否留守儿童', migrant_child: '未填是否进城务工人员随迁子女', orphan: '未填是否孤儿', martyr_child: '未填是否烈士或优抚子女', need_aid: '未填是否需要申请资助',
  boarding_aid: '未填是否享受一补', disability: '未填残疾类型', distance_km: '未填上下学距离(公里)', commute: '未填上下学交通方式',
} as const

export type StudentMissing = keyof typeof names

/** 无照片, 未填民族 …: what is said of a file without it. */
export const missing_names: Readonly<Record<StudentMissing, string>> = names

function namesOf<T extends object>(table: T): (keyof T & string)[]
function namesOf(table: object): string[] {
  return Object.keys(table)
}

/** What may be missing in the file of a pupil, in the order of the form. */
export const student_missing: readonly StudentMissing[] = namesOf(names)
