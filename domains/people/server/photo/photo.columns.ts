import type { TemplateColumn } from '@campus/jobs/server'

/** Kinds of photo imports, and their words. */
export const photo_templates = {
  student_photo: { title: '学生照片导入', file_name: '学生照片清单.xlsx', sheet: '学生照片导入', page: '/ParentsRecord', number: '学号' },
  teacher_photo: { title: '教职工照片导入', file_name: '教职工照片清单.xlsx', sheet: '教职工照片导入', page: '/TeachersRecord', number: '工号' },
} as const
export type PhotoCode = keyof typeof photo_templates

/** Before the format of a picture that is not taken, in the column of its key. */
export const foreign_mark = '不支持的格式：'

/** Files that came with an archive, by the job that unpacked it. */
export const brought_kind = 'people.photo_brought'
/** The picture of somebody, by his id. */
export const photo_kind = 'people.photo'
/** A picture that an import has replaced, by its person: it is held as long as the import can be taken back. */
export const before_kind = 'people.photo_before'

/** Columns of the list that an archive becomes. */
export function photo_columns(code: PhotoCode): TemplateColumn[] {
  const { number } = photo_templates[code]
  return [
    { prop: 'file', label: '文件名', required: true, options: null, text: true, sample: '20250101.jpg' },
    { prop: 'who', label: '对应人员', required: true, options: null, text: true, sample: '20250101', note: `${number}、身份证件号，或“班级_姓名”（教职工为“部门_姓名”）` },
    { prop: 'photo', label: '照片编号', required: false, options: null, text: true, note: '由系统填写，请勿修改' },
  ]
}
