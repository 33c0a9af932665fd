import { missing_names, roll_states, student_missing, StudentRow } from '@campus/people/contract'
import { dayFilter, dictionaryName, fields, schoolToday, selectFilter, textFilter, useDictionary } from '@kit/web'
import type { Fields, FilterControl } from '@kit/web'
import { Link } from '@tanstack/react-router'
import { Select, Tag } from 'antd'
import { Avatar } from './avatar.tsx'
import { pupilHandle } from './change/class-drop.ts'
import { Completeness } from './completeness.tsx'
import { deptFilter } from './dept-filter.ts'
import type { FieldChoice } from './field/field-choice.ts'
import { fieldFilter } from './field/field-roll.tsx'
import { GuardianCell } from './guardian-cell.tsx'
import type { RemarkChoice } from './remark/remark-choice.ts'
import { remarkFilter } from './remark/remark-roll.tsx'
import type { TagChoice } from './tag/tag-choice.ts'
import { tagFilter, TagMarks } from './tag/tag-door.tsx'

const AT_SCHOOL = '01'
const SUSPENDED = '02'

const missing = student_missing.map(value => ({ value, label: missing_names[value] }))

type StudentField =
  | 'keyword' | 'dept_id' | 'user_name' | 'student_no' | 'dept_name' | 'sex' | 'id_no' | 'id_type' | 'grade' | 'stage' | 'study_method' | 'state'
  | 'parents' | 'tags' | 'tag_ids' | 'ext' | 'remark' | 'completeness' | 'missing' | 'on' | 'updated_at'

/** Fields of a pupil. `nameOf` tells the name of a department of the tree; `tags`, `choices` and `remarks` may be filtered by. */
export function studentFields(nameOf: (dept_id: string) => string | undefined, tags: readonly TagChoice[], choices: readonly FieldChoice[], remarks: readonly RemarkChoice[]): Fields<StudentRow, StudentField> {
  return fields(StudentRow, 'user_id', {
    keyword: { label: '关键字', filter: textFilter('keyword', '姓名/拼音/学号/手机号') },
    dept_id: { label: '班级', filter: deptFilter(nameOf) },
    user_name: { label: '姓名', width: 122, default_action: true, cell: (row) => <NameCell row={row} /> },
    student_no: { label: '学号', width: 84 },
    dept_name: { label: '班级', width: 76 },
    sex: { label: '性别', width: 40, dictionary: 'SEX' },
    id_no: { label: '证件号', width: 140 },
    id_type: { label: '证件类型', width: 112, dictionary: 'ID_TYPE' },
    grade: { label: '年级', width: 88, dictionary: 'GRADE' },
    stage: { label: '学段', dictionary: 'STAGE' },
    study_method: { label: '就读方式', width: 68, dictionary: 'STUDY_METHOD' },
    state: { label: '状态', width: 96, dictionary: 'STUDENT_STATE', filter: rollStateFilter },
    parents: { label: '家长', width: 102, cell: (row) => <GuardianCell parents={row.parents} /> },
    tags: { label: '标签', width: 132, cell: (row) => <TagMarks tags={row.tags} /> },
    ext: { label: '自定义字段', filter: fieldFilter(choices) },
    remark: { label: '部门备注', filter: remarkFilter(remarks) },
    tag_ids: { label: '标签', filter: tagFilter(tags) },
    completeness: { label: '完整度', width: 56, cell: (row) => <Completeness percent={row.completeness} /> },
    missing: { label: '缺失项', filter: selectFilter('missing', missing) },
    on: { label: '查看日期', filter: dayFilter('on') },
    updated_at: { label: '更新时间', width: 128, kind: 'instant' },
  })
}

/** Only states on the roll: whoever left stands in another list. */
const rollStateFilter: FilterControl = {
  names: ['state'],
  text: (values) => (values.state ? dictionaryName('STUDENT_STATE', values.state) : undefined),
  Input: ({ id, values, change }) => {
    const options = useDictionary('STUDENT_STATE').filter(({ value }) => roll_states.some((state) => state === value))
    return <Select id={id} className="kit-fill" allowClear placeholder="全部" options={options} value={values.state} onChange={(state?: string) => change({ state })} />
  },
}

/** 休学 with its end; past that day it says so (chapter 20 §2: nobody is resumed by himself). */
function StateTag({ row: { state, state_until } }: { row: StudentRow }) {
  const is_over = state === SUSPENDED && state_until !== null && state_until < schoolToday()
  return <Tag color={is_over ? 'red' : 'orange'} title={state_until === null ? undefined : `截止 ${state_until}`}>{is_over ? '休学超期' : dictionaryName('STUDENT_STATE', state)}</Tag>
}

function NameCell({ row }: { row: StudentRow }) {
  return (
    <span className="people-name" {...pupilHandle(row.user_id)}>
      <Avatar name={row.user_name} photo_url={row.photo_url} />
      <Link className="kit-link" to="/PersonDetail" search={{ user_id: row.user_id }} title={row.user_name}>{row.user_name}</Link>
      {row.state !== AT_SCHOOL && <StateTag row={row} />}
    </span>
  )
}
