import { studentApi } from '@campus/people/contract'
import type { StudentRow } from '@campus/people/contract'
import { Filters, ListPage, Table, useCan, usePage, useResourceList } from '@kit/web'
import { Empty } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { ChangeActions, ChangeChosen, ChangeDialogs, useChangeDoor } from './change/change-door.tsx'
import type { ChangeDoor } from './change/change-door.tsx'
import { classDrop } from './change/class-drop.ts'
import { collect_code, CollectChosen } from './collect/collect-door.tsx'
import { fieldColumns, useFieldChoices } from './field/field-roll.tsx'
import { useShareColumns } from './field/share-columns.ts'
import { importNeed } from './import-buttons.tsx'
import { useRemarkChoices } from './remark/remark-roll.tsx'
import { RosterBand } from './roster/roster-band.tsx'
import { AddStudent, file_needs, FileActions, StudentFile, useFileDoor } from './student-file/file-door.tsx'
import type { FileDoor } from './student-file/file-door.tsx'
import { account_code, ResetChosen } from './password/password-doors.tsx'
import { studentFields } from './student.fields.tsx'
import { tag_code, useTagChoices } from './tag/tag-choices.ts'
import { TagChosen } from './tag/tag-door.tsx'

type Props = { nameOf: (dept_id: string) => string | undefined; head: ReactNode; side: ReactNode; actions: ReactNode; more: ReactNode; start: ReactNode }

const below = { include_sub: '1' }
/** The code rather than the endpoint: the contract of commands is fetched with the dialog. */
const may_change_code = 'people.change.run'
const FILE_WIDTH = 80
const CHANGE_WIDTH = 80

/** The pupils of the chosen class on the chosen day. `start` is offered while the school has none. */
export function StudentList({ nameOf, head, side, actions, more, start }: Props): ReactNode {
  const { search, setSearch } = usePage()
  const door = useFileDoor()
  const change = useChangeDoor()
  const may_change = useCan(may_change_code) && !search.on
  const may_tag = useCan(tag_code) && !search.on
  const may_reset = useCan(account_code) && !search.on
  const may_collect = useCan(collect_code) && !search.on
  const tags = useTagChoices()
  const choices = useFieldChoices('student')
  const share = useShareColumns('student')
  const remarks = useRemarkChoices()
  const list = useResourceList(studentApi.list, useMemo(() => studentFields(nameOf, tags, choices, remarks), [nameOf, tags, choices, remarks]), { fixed: below, part: 'student' })
  const chosen = list.rows.filter(row => list.selected.includes(row.user_id))
  const is_new_school = list.total === 0 && !list.first && !list.loading && Object.keys(list.values).length === 0
  const empty = useEmptySentence()
  const today = () => setSearch(Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'on' && name !== 'page_index')))
  const move = (user_id: string, to_dept_id: string) => {
    const dragged = chosen.some(row => row.user_id === user_id) ? chosen : list.rows.filter(row => row.user_id === user_id)
    if (dragged.some(row => row.dept_id !== null)) change.open({ kind: 'move', rows: dragged, to_dept_id })
  }
  return (
    <div className="people-drop" {...classDrop(may_change ? move : null)}>
      <ListPage
        of={list}
        head={
          <>
            {head}
            {search.on && <RosterBand on={search.on} today={today} />}
          </>
        }
        side={side}
        filters={<Filters of={list} show={['keyword', 'state', 'sex', 'study_method', 'missing', ...(may_tag ? (['tag_ids'] as const) : []), ...(choices.length > 0 ? (['ext'] as const) : []), ...(remarks.length > 0 ? (['remark'] as const) : []), 'on']} />}
        batch={
          <>
            {may_change && <ChangeChosen rows={chosen} door={change} />}
            {may_tag && <TagChosen rows={chosen} />}
            {may_reset && <ResetChosen rows={chosen} onDone={() => list.select([])} />}
            {!search.on && <CollectChosen field_scene={1} user_ids={chosen.map(row => row.user_id)} />}
          </>
        }
        actions={
          <>
            {!search.on && <AddStudent door={door} />}
            {actions}
          </>
        }
        more={more}
      >
        {is_new_school ? (
          <Empty className="people-empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description={empty}>
            {start}
          </Empty>
        ) : (
          <Table
            of={list}
            show={['user_name', 'student_no', 'dept_name', 'sex', 'id_no', 'study_method', 'parents', 'completeness']}
            more={['tags', 'updated_at', 'state', 'grade', 'id_type', ...fieldColumns(choices)]}
            row={rowActions(door, may_change ? change : null)}
            row_width={FILE_WIDTH + (may_change ? CHANGE_WIDTH : 0)}
            share={share}
            selectable={may_change || may_tag || may_reset || may_collect}
          />
        )}
        <StudentFile door={door} dept_id={search.dept_id} />
        <ChangeDialogs door={change} />
      </ListPage>
    </div>
  )
}

/** What the reader himself can do about a roll without anybody. */
function useEmptySentence(): string {
  const may_import = useCan(importNeed('student'))
  const may_add = useCan(file_needs.write)
  if (may_import) return '还没有学生，先下载模板导入'
  return may_add ? '还没有学生，可点击新增学生逐个录入，批量导入请联系学校管理员' : '还没有可查看的学生，如需导入名册或调整查看范围，请联系学校管理员'
}

/** The buttons of a row; a past roll is read, not changed. */
function rowActions(door: FileDoor, change: ChangeDoor | null): (row: StudentRow) => ReactNode {
  return row => (
    <>
      <FileActions row={row} door={door} />
      {change && <ChangeActions row={row} door={change} />}
    </>
  )
}
