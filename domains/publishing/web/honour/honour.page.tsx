import { classHonourApi, classHonourList, deptHonourApi, deptHonourList, honour_states } from '@campus/publishing/contract'
import type { HonourBoard, HonourRow } from '@campus/publishing/contract'
import { deptApi } from '@campus/people/contract'
import { call, CallError, Can, confirmDanger, fieldsOf, Filters, ListPage, PageFrame, schoolToday, Table, useCan, useDictionary, usePage, useResourceList, useSaving, validValues } from '@kit/web'
import { lazyDialog, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Link, useNavigate } from '@tanstack/react-router'
import { Alert, Button, DatePicker, Form, Input, Select, Segmented, Table as AntdTable, Tag, TreeSelect } from 'antd'
import { dayjs } from '@kit/web/day'
import type { TableColumnType } from 'antd'
import type { Dayjs } from 'dayjs'
import type { ReactNode } from 'react'
import '../publishing.css'

const ReasonDialog = lazyDialog(() => import('../post/publish-dialog.tsx').then(part => part.ReasonDialog))
const of_class = { api: classHonourApi, fact: classHonourList, tree: 'student', dictionary: 'HONOUR_CLASS', word: '班级', home: '/ClassHonour', add: '/AddHonour' } as const
const of_dept = { api: deptHonourApi, fact: deptHonourList, tree: 'staff', dictionary: 'HONOUR_DEPT', word: '部门', home: '/DeptHonor', add: '/AddDeptHonor' } as const
type Kind = typeof of_class | typeof of_dept

export const ClassHonours = (): ReactNode => <Honours kind={of_class} />
export const DeptHonours = (): ReactNode => <Honours kind={of_dept} />
export const AddClassHonour = (): ReactNode => <Award kind={of_class} />
export const AddDeptHonour = (): ReactNode => <Award kind={of_dept} />

const state_tags = { 1: 'green', 2: 'default' } as const
const fieldsFor = (kind: Kind) => fieldsOf(kind.fact, { title: { default_action: true, cell: row => (row.state === '2' ? <del title={row.revoke_reason ?? ''}>{row.title}</del> : row.title) }, state: { cell: row => <Tag color={state_tags[row.state]}>{honour_states[row.state]}</Tag> } })
const described = { [of_class.home]: fieldsFor(of_class), [of_dept.home]: fieldsFor(of_dept) } as const
const views = [{ value: 'list', label: '列表' }, { value: 'board', label: '按周' }]

/** Honours of classes or departments as a list, and who held what in which week (chapter 60 §5). */
function Honours({ kind }: { kind: Kind }): ReactNode {
  const { search, setSearch } = usePage()
  const list = useResourceList(kind.api.list, described[kind.home])
  const { open, close, dialog } = useDialog()
  const revoke = (row: HonourRow) => open(<ReasonDialog title={`撤销${row.dept_name}的“${row.title}”`} about="撤销后不再显示，历史记录保留原因。" ok="撤销" save={reason => call(kind.api.revoke, { id: row.id, reason }, { quiet: true })} onClose={close} onDone={() => void list.refresh()} />)
  const switcher = <Segmented options={views} value={search.view === 'board' ? 'board' : 'list'} onChange={view => setSearch(view === 'board' ? { view } : {})} />
  const add = <Can code={kind.api.add}><Link to={kind.add}><Button type="primary">新增荣誉</Button></Link></Can>
  if (search.view === 'board') return <PageFrame ready="page" actions={<>{switcher}{add}</>}><Board kind={kind} /></PageFrame>
  return (
    <ListPage of={list} filters={<Filters of={list} show={['keyword', 'honour_code', 'state', 'from']} />} actions={<>{switcher}{add}</>}>
      <Table of={list} show={['title', 'honour_code', 'dept_name', 'level', 'grade', 'awarded_on', 'held', 'state']} more={['note']} row={rowActs(revoke)} row_width={72} empty={`还没有${kind.word}荣誉：点“新增荣誉”颁发第一项`} />
      {dialog}
    </ListPage>
  )
}

function rowActs(revoke: (row: HonourRow) => void): (row: HonourRow) => ReactNode {
  return row => row.state === '1' && <Can code={classHonourApi.revoke}><Button type="link" size="small" danger aria-label={`撤销 ${row.title}`} onClick={() => revoke(row)}>撤销</Button></Can>
}

function Board({ kind }: { kind: Kind }): ReactNode {
  const query = useCall(kind.api.board, { to: schoolToday(), weeks: 8 })
  return (
    <Loaded query={query}>
      {board => (
        <>
          {board.flags.length > 0 && <Flags board={board} />}
          <AntdTable
            size="small" rowKey="dept_id" pagination={false} dataSource={board.rows} locale={{ emptyText: '最近8周没有荣誉' }}
            columns={[
              { title: kind.word, dataIndex: 'dept_name', width: 140, fixed: 'left' },
              ...weekColumns<HonourBoard['rows'][number]>(board, (row, at) =>
                row.cells[at]?.map(one => <Tag key={one.id} color="gold">{one.title}</Tag>),
              ),
            ]}
          />
        </>
      )}
    </Loaded>
  )
}

function weekColumns<Row>({ weeks }: HonourBoard, cell: (row: Row, at: number) => ReactNode): TableColumnType<Row>[] {
  return weeks.map((day, at) => ({ title: `${day.slice(5)}周`, key: day, width: 120, render: (_: unknown, row: Row) => cell(row, at) }))
}

/** Where each rotating flag of a grade was: a week without an award is 空缺 (chapter 60 rule 42). */
function Flags({ board }: { board: HonourBoard }): ReactNode {
  const names = useDictionary(of_class.dictionary)
  return (
    <AntdTable
      className="pub-flags" size="small" pagination={false} dataSource={board.flags} rowKey={flag => `${flag.scope_dept_id} ${flag.code}`}
      columns={[
        {
          title: '流动红旗', key: 'flag', width: 140, fixed: 'left',
          render: (_, { scope_name, code }) => `${scope_name} ${names.find(one => one.value === code)?.label ?? '流动红旗'}`,
        },
        ...weekColumns<HonourBoard['flags'][number]>(board, ({ cells }, at) => holdersOf(cells[at] ?? null)),
      ]}
    />
  )
}

function holdersOf(holders: HonourBoard['flags'][number]['cells'][number]): ReactNode {
  if (holders === null) return '—'
  if (holders.length === 0) return <Tag>空缺</Tag>
  return holders.map(one => <Tag key={one.id} color="red">{one.dept_name}</Tag>)
}

type Values = { title: string; honour_code: string; dept_ids: string[]; level?: string; grade?: string; awarded_on: Dayjs; board?: [Dayjs, Dayjs] | null; note?: string }
type Node = { id: string; label: string; children: Node[] }
type TreeNode = { value: string; title: string; children: TreeNode[] }
const toTree = (nodes: readonly Node[]): TreeNode[] => nodes.map(node => ({ value: node.id, title: node.label, children: toTree(node.children) }))

/** One honour for one or many; a flag that another class holds goes over after a question (chapter 60 §2.6). */
function Award({ kind }: { kind: Kind }): ReactNode {
  const [form] = Form.useForm<Values>()
  const { busy, refused, run } = useSaving(form)
  const navigate = useNavigate()
  const tree = useCall(deptApi.tree, { tree: kind.tree }, { enabled: useCan(deptApi.tree) })
  const [codes, levels, grades] = [useDictionary(kind.dictionary), useDictionary('HONOUR_LEVEL'), useDictionary('HONOUR_GRADE')]
  const award = async (values: Values, transfer: boolean): Promise<unknown> => {
    const { board, awarded_on, note = '', level = null, grade = null, ...rest } = values
    const day = (at: Dayjs | undefined) => at?.format('YYYY-MM-DD') ?? null
    try {
      return await call(kind.api.add, { ...rest, level, grade, note, awarded_on: awarded_on.format('YYYY-MM-DD'), board_from: day(board?.[0]), board_to: day(board?.[1]), transfer }, { quiet: true })
    } catch (cause) {
      if (!(cause instanceof CallError) || cause.error_id !== 'publishing.honourHeld' || !(await confirmDanger({ title: cause.message, ok: '转授' }))) throw cause
      return award(values, true)
    }
  }
  const save = async () => {
    const values = await validValues(form)
    if (values && (await run(() => award(values, false), '已颁发'))) void navigate({ to: kind.home })
  }
  return (
    <PageFrame ready="page" footer={<><Button onClick={() => void navigate({ to: kind.home })}>取消</Button><Button type="primary" loading={busy} onClick={() => void save()}>颁发</Button></>}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="honour" layout="vertical" className="pub-page" initialValues={{ awarded_on: dayjs() }}>
        <Form.Item name="dept_ids" label={kind.word} rules={[{ required: true, message: `请选择${kind.word}` }]}><TreeSelect multiple allowClear treeData={toTree(tree.data?.list ?? [])} showSearch={{ treeNodeFilterProp: 'title' }} placeholder="可选多个" /></Form.Item>
        <Form.Item name="honour_code" label="类型" rules={[{ required: true, message: '请选择类型' }]} extra={kind === of_class ? '流动红旗每周只有一个班级持有' : undefined}><Select options={codes} /></Form.Item>
        <Form.Item name="title" label="荣誉名称" rules={[{ required: true, whitespace: true, message: '请填写荣誉名称' }]}><Input maxLength={40} showCount /></Form.Item>
        <Form.Item name="level" label="级别"><Select allowClear options={levels} /></Form.Item>
        <Form.Item name="grade" label="等次"><Select allowClear options={grades} /></Form.Item>
        <Form.Item name="awarded_on" label="获得日期" rules={[{ required: true, message: '请选择日期' }]}><DatePicker className="kit-fill" /></Form.Item>
        <Form.Item name="board" label="班牌展示时间"><DatePicker.RangePicker className="kit-fill" /></Form.Item>
        <Form.Item name="note" label="备注"><Input maxLength={100} /></Form.Item>
      </Form>
    </PageFrame>
  )
}
