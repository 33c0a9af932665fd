import { deptRuleApi, DeptRuleRow, explainApi, mode_names, pickupModeApi, userRuleApi, UserRuleRow } from '@campus/access/contract'
import { Can, dictionaryName, fields, Filters, ImportButton, ListPage, PageTabs, Table, textFilter, useResourceList } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Button, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { PersonList } from '../pickup/person.list.tsx'
import { BanList } from '../temporary/ban-list.tsx'
import '../access.css'

const AssignDialog = lazyDialog(() => import('./assign-dialog.tsx').then(part => part.AssignDialog))
const EndDialog = lazyDialog(() => import('./assign-dialog.tsx').then(part => part.EndDialog))
const ExplainDialog = lazyDialog(() => import('./explain-dialog.tsx').then(part => part.ExplainDialog))
const PickupDialog = lazyDialog(() => import('./pickup-dialog.tsx').then(part => part.PickupDialog))

type Tab = 'dept' | 'user' | 'ban' | 'person'
const tabs = [{ key: 'dept', label: '按部门' }, { key: 'user', label: '按人员' }, { key: 'ban', label: '禁行名单' }] as const
const pickup_tabs = [tabs[0], tabs[1], { key: 'person', label: '接送人' }] as const
const [student, staff, pickup] = [1, 2, 3] as const
const places = (of: readonly { place_name: string }[]) => of.map(place => place.place_name).join('、') || '—'

export const StudentAccess = (): ReactNode => <Assign scene={student} />
export const TeacherAccess = (): ReactNode => <Assign scene={staff} />
export const ParentSend = (): ReactNode => <Assign scene={pickup} />
export const ParentDorm = (): ReactNode => <Assign scene={4} />

/** Who goes by which rule through which doors: departments, people, and who is banned (chapter 35 §5). */
function Assign({ scene }: { scene: number }): ReactNode {
  const [tab, setTab] = useState<Tab>('dept')
  const head = <PageTabs tabs={scene === pickup ? pickup_tabs : scene > staff ? tabs.slice(0, 2) : tabs} value={tab} onChange={setTab} />
  if (tab === 'person') return <PersonList head={head} />
  if (tab === 'ban') return <BanList person_kind={scene === staff ? 2 : 1} head={head} />
  return tab === 'dept' ? <DeptList scene={scene} head={head} /> : <UserList scene={scene} head={head} />
}

const doors = {
  rule_name: { label: '规则', width: 132 },
  in_places: { label: '可进', width: 160, cell: (row: { in_places: readonly { place_name: string }[] }) => places(row.in_places) },
  out_places: { label: '可出', width: 160, cell: (row: { out_places: readonly { place_name: string }[] }) => places(row.out_places) },
  valid_from: { label: '生效日期', width: 108, kind: 'day' },
  valid_to: { label: '失效日期', width: 108, cell: (row: { valid_to: string | null }) => row.valid_to ?? '长期' },
} as const

const dept_fields = fields(DeptRuleRow, 'dept_rule_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '部门/规则') },
  dept_name: { label: '部门', width: 140, default_action: true },
  study_method: { label: '就读方式', width: 96, cell: row => (row.study_method === null ? '不限' : dictionaryName('STUDY_METHOD', row.study_method)) },
  people: { label: '覆盖人数', width: 88, kind: 'number' },
  ...doors,
})
const user_fields = fields(UserRuleRow, 'user_rule_id', {
  keyword: { label: '关键字', filter: textFilter('keyword', '姓名/编号') },
  user_name: { label: '姓名', width: 88, default_action: true },
  user_no: { label: '编号', width: 108 },
  dept_name: { label: '部门', width: 128 },
  mode: { label: '方式', width: 72, cell: row => <Tag color={row.mode === 1 ? 'orange' : 'blue'}>{row.mode === 1 ? mode_names[1] : mode_names[2]}</Tag> },
  ...doors,
})
type ListProps = { scene: number; head: ReactNode }

function DeptList({ scene, head }: ListProps): ReactNode {
  const list = useResourceList(deptRuleApi.list, dept_fields, { fixed: { scene: String(scene) }, part: 'dept' })
  const { open, close, dialog } = useDialog()
  const frame = { onClose: close, onDone: () => void list.refresh() }
  const edit = (row: DeptRuleRow | null) => open(<AssignDialog scene={scene} of="dept" row={row} {...frame} />)
  const end = (ids: string[]) => open(<EndDialog of="dept" ids={ids} {...frame} />)
  const explain = () => open(<ExplainDialog scene={scene} onClose={close} />)
  const modes = () => open(<PickupDialog onClose={close} />)
  const sheet = { template: 'access_dept_rule', title: '部门通行规则导入', label: '导入', unit: '条' } as const
  const bring = <ImportButton code={deptRuleApi.add} {...sheet} onApplied={frame.onDone} />
  return (
    <ListPage
      of={list} head={head} filters={<Filters of={list} show={['keyword']} />}
      batch={<Can code={deptRuleApi.end}><Button danger onClick={() => end(list.selected.map(String))}>结束规则</Button></Can>}
      more={scene <= staff ? bring : undefined}
      actions={
        <>
          {scene === pickup ? <Can code={pickupModeApi.write}><Button onClick={modes}>接送方式</Button></Can> : <Can code={explainApi.read}><Button onClick={explain}>通行说明</Button></Can>}
          <Can code={deptRuleApi.add}><Button type="primary" onClick={() => edit(null)}>新增</Button></Can>
        </>
      }
    >
      <Table
        of={list} show={scene === student ? ['dept_name', 'study_method', 'rule_name', 'in_places', 'out_places', 'valid_from', 'valid_to', 'people'] : ['dept_name', 'rule_name', 'in_places', 'out_places', 'valid_from', 'valid_to', 'people']}
        row={deptActs(edit, end)} row_width={112} selectable empty="还没有部门规则：没有规则的人不能通行，点“新增”为部门设置规则"
      />
      {dialog}
    </ListPage>
  )
}

function UserList({ scene, head }: ListProps): ReactNode {
  const list = useResourceList(userRuleApi.list, user_fields, { fixed: { scene: String(scene) }, part: 'user' })
  const { open, close, dialog } = useDialog()
  const refresh = () => void list.refresh()
  const frame = { onClose: close, onDone: refresh }
  const edit = (row: UserRuleRow | null) => open(<AssignDialog scene={scene} of="user" row={row} {...frame} />)
  const end = (ids: string[]) => open(<EndDialog of="user" ids={ids} {...frame} />)
  return (
    <ListPage
      of={list} head={head} filters={<Filters of={list} show={['keyword']} />}
      batch={<Can code={userRuleApi.end}><Button danger onClick={() => end(list.selected.map(String))}>结束规则</Button></Can>}
      actions={
        <>
          {scene <= staff && (
            <ImportButton code={userRuleApi.add} template="access_user_rule" title="人员通行规则导入" label="导入" unit="条" onApplied={refresh} />
          )}
          <Can code={userRuleApi.add}><Button type="primary" onClick={() => edit(null)}>新增</Button></Can>
        </>
      }
    >
      <Table
        of={list} show={['user_name', 'user_no', 'dept_name', 'mode', 'rule_name', 'in_places', 'out_places', 'valid_from', 'valid_to']}
        row={userActs(edit, end)} row_width={112} selectable empty="没有个人规则：所有人按部门规则通行"
      />
      {dialog}
    </ListPage>
  )
}

function deptActs(edit: (row: DeptRuleRow) => void, end: (ids: string[]) => void): (row: DeptRuleRow) => ReactNode {
  return row => <Acts name={row.dept_name} edit={() => edit(row)} end={() => end([row.dept_rule_id])} code={deptRuleApi.update} />
}

function userActs(edit: (row: UserRuleRow) => void, end: (ids: string[]) => void): (row: UserRuleRow) => ReactNode {
  return row => <Acts name={row.user_name} edit={() => edit(row)} end={() => end([row.user_rule_id])} code={userRuleApi.update} />
}

type ActsProps = { name: string; edit: () => void; end: () => void; code: typeof deptRuleApi.update | typeof userRuleApi.update }

function Acts({ name, edit, end, code }: ActsProps): ReactNode {
  return (
    <Can code={code}>
      <Button type="link" size="small" aria-label={`编辑 ${name}`} onClick={edit}>编辑</Button>
      <Button type="link" size="small" danger aria-label={`结束 ${name}`} onClick={end}>结束</Button>
    </Can>
  )
}
