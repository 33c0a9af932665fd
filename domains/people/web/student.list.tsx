import { studentApi } from '@campus/people/contract'
import { Filters, ListPage, Table, usePage, useResourceList } from '@kit/web'
import { Empty } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { RosterBand } from './roster-band.tsx'
import { AddStudent, fileActions, StudentFile, useFileDoor } from './student-file/file-door.tsx'
import { studentFields } from './student.fields.tsx'

type Props = { nameOf: (dept_id: string) => string | undefined; head: ReactNode; side: ReactNode; actions: ReactNode; start: ReactNode }

const below = { include_sub: '1' }
const ACTIONS_WIDTH = 96

/** The pupils of the chosen class on the chosen day. `start` is offered while the school has none. */
export function StudentList({ nameOf, head, side, actions, start }: Props): ReactNode {
  const { search, setSearch } = usePage()
  const door = useFileDoor()
  const list = useResourceList(studentApi.list, useMemo(() => studentFields(nameOf), [nameOf]), { fixed: below, part: 'student' })
  const is_new_school = list.total === 0 && !list.first && !list.loading && Object.keys(list.values).length === 0
  const today = () => setSearch(Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'on' && name !== 'page_index')))
  return (
    <ListPage
      of={list}
      head={
        <>
          {head}
          {search.on && <RosterBand on={search.on} today={today} />}
        </>
      }
      side={side}
      filters={<Filters of={list} show={['keyword', 'state', 'sex', 'study_method', 'missing', 'on']} />}
      actions={
        <>
          {!search.on && <AddStudent door={door} />}
          {actions}
        </>
      }
    >
      {is_new_school ? (
        <Empty className="people-empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description="还没有学生，先下载模板导入">
          {start}
        </Empty>
      ) : (
        <Table
          of={list}
          show={['user_name', 'student_no', 'dept_name', 'sex', 'id_no', 'study_method', 'parents', 'completeness']}
          more={['updated_at', 'state', 'grade', 'id_type']}
          row={fileActions(door)}
          row_width={ACTIONS_WIDTH}
        />
      )}
      <StudentFile door={door} dept_id={search.dept_id} />
    </ListPage>
  )
}
