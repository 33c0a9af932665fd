import { missing_names, student_missing } from '@campus/people/contract'
import { dictionaryName } from '@kit/web'
import type { TagRow, TagRule } from '@campus/people/contract'

/** PERSON_KIND in words; a school has the first three, an enterprise the last two. */
const kind_names: Readonly<Record<number, string>> = { 1: '学生', 2: '教职工', 3: '家长', 6: '员工', 7: '外聘人员' }

/** Whom a tag can be given to. */
export function kindOptions(school_type: number): { value: number; label: string }[] {
  return (school_type === 1 ? [1, 2, 3] : [6, 7]).map(value => ({ value, label: kind_names[value] ?? '' }))
}

export function kindName(kind: number): string {
  return kind_names[kind] ?? ''
}

/** What is missing in a file, for the rule of a tag. */
export const missing_options = student_missing.map(value => ({ value, label: missing_names[value] }))

/** A rule as a line: 一年级 · 女 · 住校. */
function ruleText({ dept_id, grade, sex, study_method, state, missing }: TagRule, nameOf: (dept_id: string) => string | undefined): string {
  const parts = [
    dept_id === undefined ? '' : (nameOf(dept_id) ?? '所选部门'),
    grade === undefined ? '' : dictionaryName('GRADE', grade),
    sex === undefined ? '' : dictionaryName('SEX', sex),
    study_method === undefined ? '' : dictionaryName('STUDY_METHOD', study_method),
    state === undefined ? '' : dictionaryName('STUDENT_STATE', state),
    missing === undefined ? '' : missing_names[missing],
  ]
  return parts.filter(part => part !== '').join(' · ')
}

/** Who has it and how he comes to it, in one line. */
export function tagLine(tag: TagRow, nameOf: (dept_id: string) => string | undefined): string {
  return tag.rule ? `规则：${ruleText(tag.rule, nameOf)}` : `手动添加 · ${tag.person_kinds.map(kindName).join('、')}`
}
