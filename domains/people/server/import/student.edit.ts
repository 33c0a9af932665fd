import { nameIndex } from '../name-index.ts'
import type { IdKeys } from '../id-number.ts'
import { sealIdNo } from '../id-number.ts'
import type { PersonEdit, StudentEdit } from '../person.update.ts'
import type { NewStudent } from '../student.create.ts'
import type { Values } from './read-cells.ts'
import type { ParsedStudent } from './student.parsed.ts'
import type { KnownPupil } from './student.snapshot.ts'

/** A new pupil from a line without errors. */
export function newStudent({ values, class: found }: ParsedStudent, from: string): NewStudent {
  const { user_name, student_no, enrol_month, by_bus, ...rest } = values
  return {
    ...rest,
    user_name: user_name ?? '',
    student_no: student_no ?? '',
    enrol_month: enrol_month ?? '',
    by_bus: by_bus === '1',
    dept_id: found?.dept_id ?? '',
    from,
  }
}

/** The whole person as it will be: the sheet's values over the known ones. */
export function personEdit(keys: IdKeys, school_id: number, known: KnownPupil, { values }: ParsedStudent, by: { by: string; at: Date }): PersonEdit {
  const user_name = values.user_name ?? known.user_name
  return {
    school_id,
    user_id: known.user_id,
    row_version: known.row_version,
    user_name,
    ...nameIndex(user_name),
    sex: values.sex ?? known.sex,
    id_type: over(values, 'id_type', known.id_type),
    ...idNo(keys, school_id, known, values),
    birthday: over(values, 'birthday', known.birthday),
    nation: over(values, 'nation', known.nation),
    country: over(values, 'country', known.country),
    gatqw: over(values, 'gatqw', known.gatqw),
    political: over(values, 'political', known.political),
    email: over(values, 'email', known.email),
    tel: over(values, 'tel', known.tel),
    address: over(values, 'address', known.address),
    mail_address: over(values, 'mail_address', known.mail_address),
    home_address: over(values, 'home_address', known.home_address),
    postcode: over(values, 'postcode', known.postcode),
    updated_at: by.at,
    updated_by: by.by,
  }
}

/** The whole pupil as he will be. */
export function studentEdit(known: KnownPupil, { values }: ParsedStudent): StudentEdit {
  return {
    school_id: known.school_id,
    user_id: known.user_id,
    student_no: values.student_no ?? known.student_no,
    school_roll_no: over(values, 'school_roll_no', known.school_roll_no),
    health: over(values, 'health', known.health),
    blood: over(values, 'blood', known.blood),
    name_pinyin: over(values, 'name_pinyin', known.name_pinyin),
    former_name: over(values, 'former_name', known.former_name),
    native_place: over(values, 'native_place', known.native_place),
    birth_division: over(values, 'birth_division', known.birth_division),
    hukou_division: over(values, 'hukou_division', known.hukou_division),
    hukou: over(values, 'hukou', known.hukou),
    enrol_month: values.enrol_month ?? known.enrol_month,
    entry_way: over(values, 'entry_way', known.entry_way),
    study_method: over(values, 'study_method', known.study_method),
    source: over(values, 'source', known.source),
    only_child: over(values, 'only_child', known.only_child),
    preschool: over(values, 'preschool', known.preschool),
    left_behind: over(values, 'left_behind', known.left_behind),
    migrant_child: over(values, 'migrant_child', known.migrant_child),
    orphan: over(values, 'orphan', known.orphan),
    martyr_child: over(values, 'martyr_child', known.martyr_child),
    need_aid: over(values, 'need_aid', known.need_aid),
    boarding_aid: over(values, 'boarding_aid', known.boarding_aid),
    disability: over(values, 'disability', known.disability),
    distance_km: over(values, 'distance_km', known.distance_km),
    commute: over(values, 'commute', known.commute),
    by_bus: values.by_bus ? values.by_bus === '1' : known.by_bus,
    remark: over(values, 'remark', known.remark),
  }
}

/** Absent leaves the known value, null clears it. */
function over(values: Values, prop: string, known: string | null): string | null {
  const said = values[prop]
  return said === undefined ? known : said
}

function idNo(keys: IdKeys, school_id: number, known: KnownPupil, { id_no }: Values) {
  if (!id_no) return { id_no_enc: known.id_no_enc, id_no_idx: known.id_no_idx, id_no_mask: known.id_no_mask }
  return sealIdNo(keys, school_id, id_no)
}
