import { deptApi, staffApi } from '@campus/people/contract'
import type { StaffRow } from '@campus/people/contract'
import { Filters, ListPage, Table, TreePanel, useCan, usePage, useResourceList } from '@kit/web'
import { Empty } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { fieldColumns, useFieldChoices } from '../field/field-roll.tsx'
import { useShareColumns } from '../field/share-columns.ts'
import { tag_code, useTagChoices } from '../tag/tag-choices.ts'
import { account_code, PasswordLookup, ResetChosen } from '../password/password-doors.tsx'
import { TagChosen } from '../tag/tag-door.tsx'
import { useDeptTree } from '../use-dept-tree.ts'
import { CollectChosen, collect_code } from '../collect/collect-door.tsx'
import { ExportButton } from '../export-button.tsx'
import { StaffFields } from './staff-settings.tsx'
import { StaffImport } from './staff-import.tsx'
import { AddStaff, StaffActions, StaffChosen, StaffDialogs, useStaffDoor } from './staff-doors.tsx'
import type { StaffDoor } from './staff-doors.tsx'
import { staffFields } from './staff.fields.tsx'
import { staffWord } from './words.ts'
import './staff.css'

const below = { include_sub: '1' }
const staff_kind = 2
const ROW_WIDTH = 192

/** 教职工档案: the staff tree beside the list of who is at work today. */
export default function TeachersRecord(): ReactNode {
  const { search, setSearch } = usePage()
  const tree = useDeptTree(undefined, 'staff')
  const door = useStaffDoor()
  const tags = useTagChoices().filter(tag => tag.person_kinds.includes(staff_kind) && tag.kind === 'manual')
  const choices = useFieldChoices('staff')
  const share = useShareColumns('staff')
  const may_change = useCan('people.change.run')
  const may_tag = useCan(tag_code)
  const may_reset = useCan(account_code)
  const may_collect = useCan(collect_code)
  const { nameOf } = tree
  const list = useResourceList(staffApi.list, useMemo(() => staffFields(nameOf, tags, choices), [nameOf, tags, choices]), { fixed: below })
  const chosen = list.rows.filter(row => list.selected.includes(row.user_id))
  const is_new = list.total === 0 && !list.first && !list.loading && Object.keys(list.values).length === 0
  const choose = (dept_id: string | undefined) => {
    const { dept_id: _, page_index: __, ...rest } = search
    setSearch(dept_id === undefined ? rest : { ...rest, dept_id })
  }
  const side = useCan(deptApi.tree) ? (
    <TreePanel name="staff" load={tree.load} search={tree.search} selected={search.dept_id} onSelect={choose} empty="还没有部门，先在组织架构中新增部门" />
  ) : undefined
  return (
    <ListPage
      of={list}
      side={side}
      filters={<Filters of={list} show={['keyword', 'kind', 'state', 'subject', 'title', 'duty', ...(may_tag ? (['tag_ids'] as const) : []), ...(choices.length > 0 ? (['ext'] as const) : [])]} />}
      batch={
        <>
          <StaffChosen rows={chosen} door={door} />
          {may_tag && <TagChosen rows={chosen} person_kind={staff_kind} />}
          <ResetChosen rows={chosen} onDone={() => list.select([])} />
          <CollectChosen field_scene={2} user_ids={chosen.map(row => row.user_id)} />
        </>
      }
      actions={
        <>
          <AddStaff door={door} />
          <StaffImport />
          <ExportButton list="staff" />
        </>
      }
      more={<><PasswordLookup kind="teacher" /><StaffFields /></>}
    >
      {is_new ? (
        <Empty className="people-empty" image={Empty.PRESENTED_IMAGE_SIMPLE} description={`还没有可查看的${staffWord()}，可点击新增逐个录入，或下载模板导入`} />
      ) : (
        <Table
          of={list}
          show={['user_name', 'teacher_no', 'depts', 'title', 'subject', 'heads', 'state']}
          more={['post', 'roles', 'kind', 'sex', 'mobile', 'tags', 'updated_at', ...fieldColumns(choices)]}
          share={share}
          row={rowActions(door)}
          row_width={ROW_WIDTH}
          selectable={may_change || may_tag || may_reset || may_collect}
        />
      )}
      <StaffDialogs door={door} dept_id={search.dept_id} />
    </ListPage>
  )
}

function rowActions(door: StaffDoor): (row: StaffRow) => ReactNode {
  return row => <StaffActions row={row} door={door} />
}
