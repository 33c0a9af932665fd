import { appealApi, record_names, recordApi, recordList, source_names, starTypeApi } from '@campus/evaluation/contract'
import type { RecordRow } from '@campus/evaluation/contract'
import { useDeptTree } from '@campus/people/web'
import { call, Can, fieldsOf, Filters, ImportButton, ListPage, PageTabs, Table, useCan, useMay, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { useCall } from '@kit/web/part'
import { Button, Image, Tag, TreeSelect } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { Appeals } from './appeals.tsx'
import { StarBadge } from './star-badge.tsx'
import './evaluation.css'

const GiveDialog = lazyDialog(() => import('./give-dialog.tsx').then(part => part.GiveDialog))
const ProfileDrawer = lazyDialog(() => import('./profile-drawer.tsx').then(part => part.ProfileDrawer))
const ReasonDialog = lazyDialog(() => import('./reason-dialog.tsx').then(part => part.ReasonDialog))
const state_colors: Readonly<Record<number, string>> = { 0: 'orange', 1: 'green', 2: 'red', 3: 'gold', 4: 'default', 5: 'default' }
const nameIn = (names: Readonly<Record<number, string>>, code: number) => names[code] ?? ''
const of_pupil = 1

/** 德育评价记录: every record, giving, approving, taking back, and appeals (chapter 55 §5). */
export default function StartRecord(): ReactNode {
  const { search, setSearch } = usePage()
  const may = useMay()
  const is_judge = may(appealApi.page)
  const appeals = useCall(appealApi.page, { state: '0' }, { enabled: is_judge })
  const open = appeals.data?.open ?? 0
  const tabs = [
    { key: 'list', label: '评价记录' },
    { key: 'appeal', label: open > 0 ? `申诉处理（${open}）` : '申诉处理' },
  ] as const
  const tab = search.tab === 'appeal' && is_judge ? 'appeal' : 'list'
  const head = is_judge && <PageTabs tabs={tabs} value={tab} onChange={key => setSearch({ tab: key })} />
  return tab === 'appeal' ? <Appeals head={head} onDecided={() => void appeals.refetch()} /> : <Records head={head} />
}

function Records({ head }: { head: ReactNode }): ReactNode {
  const { search, setSearch } = usePage()
  const fixed = useMemo(
    () => ({
      ...(search.star_type_id ? { star_type_id: search.star_type_id } : {}),
      ...(search.dept_id ? { dept_id: search.dept_id } : {}),
    }),
    [search.star_type_id, search.dept_id],
  )
  const { open, close, dialog } = useDialog()
  const tree = useDeptTree(undefined, 'student')
  const fields = useMemo(
    () =>
      fieldsOf(recordList, {
        subject_name: { default_action: true },
        star_name: { cell: starCell },
        milli: { cell: pointsCell },
        files: { cell: filesCell },
        source: { cell: row => nameIn(source_names, row.source) },
        state: { cell: stateCell },
        dept_id: {
          filter: {
            names: ['dept_id'],
            text: values => (values.dept_id ? (tree.nameOf(values.dept_id) ?? '所选班级') : undefined),
            Input: () => null,
          },
        },
      }),
    [tree],
  )
  const list = useResourceList(recordApi.page, fields, { fixed })
  const written = () => {
    list.select([])
    void list.refresh()
  }
  const { busy, act } = useAct([], written)
  const chosen = list.rows.filter(row => list.selected.includes(row.record_id) && row.may_approve)
  const approveAll = () =>
    act(() => approve(chosen), { ask: { title: `确定通过${chosen.length}条记录吗？`, ok: '通过' }, done: `已通过 ${chosen.length}条` })
  const revoke = (row: RecordRow) =>
    open(
      <ReasonDialog
        title={`撤销${row.subject_name}的“${row.star_name}”`}
        about="撤销后不再计分，已结算的排行将重新发布。"
        ok="撤销"
        save={reason => call(recordApi.revoke, { record_id: row.record_id, reason }, { quiet: true })}
        onClose={close}
        onDone={written}
      />,
    )
  const show = (row: RecordRow) => open(<ProfileDrawer user_id={row.subject_id} onClose={close} />)
  const give = () => open(<GiveDialog onClose={close} onGiven={written} />)
  const refuse = (row: RecordRow) =>
    open(
      <ReasonDialog
        title={`驳回${row.subject_name}的“${row.star_name}”`}
        ok="驳回"
        save={reason => call(recordApi.approve, { record_id: row.record_id, agree: false, reason }, { quiet: true })}
        onClose={close}
        onDone={written}
      />,
    )
  return (
    <ListPage
      of={list}
      head={head}
      filters={
        <>
          <Filters of={list} show={['keyword', 'sign', 'state', 'from']} />
          <Narrow value={search.star_type_id} dept_id={search.dept_id} onChange={patch => setSearch({ ...search, ...patch })} />
        </>
      }
      batch={
        <Can code={recordApi.approve}>
          <Button loading={busy} disabled={chosen.length === 0} onClick={() => void approveAll()}>
            通过（{chosen.length}）
          </Button>
        </Can>
      }
      actions={
        <>
          <Can code={recordApi.give}>
            <Button type="primary" onClick={give}>
              评星
            </Button>
          </Can>
          <ImportButton
            code="evaluation.star.import"
            template="star_record"
            title="评星记录导入"
            label="导入"
            unit="条"
            onApplied={written}
          />
          <ListExport of={list} fact={recordList} call={recordApi.export} fixed={fixed} />
        </>
      }
    >
      <Table
        of={list}
        show={['happened_at', 'subject_name', 'dept_name', 'star_name', 'milli', 'reason', 'files', 'giver_name', 'state']}
        more={['subject_no', 'source']}
        selectable
        row={rowActs(show, revoke, refuse)}
        row_width={120}
        empty="还没有评价记录：点“评星”选择班级和指标，给学生评第一颗星"
      />
      {dialog}
    </ListPage>
  )
}

function starCell(row: RecordRow): ReactNode {
  return (
    <span>
      <StarBadge icon={row.icon} colour={row.colour} /> {row.dimension}/{row.star_name}
    </span>
  )
}

function filesCell({ files }: RecordRow): ReactNode {
  return files.length === 0 ? (
    ''
  ) : (
    <Image.PreviewGroup items={files}>
      <Image src={files[0]} alt={`佐证${files.length}张`} width={24} height={24} />
    </Image.PreviewGroup>
  )
}

function stateCell(row: RecordRow): ReactNode {
  return (
    <Tag color={state_colors[row.state]} title={row.decide_reason ?? ''}>
      {nameIn(record_names, row.state)}
    </Tag>
  )
}

function pointsCell(row: RecordRow): ReactNode {
  return <b className={row.milli < 0 ? 'star-minus' : 'star-plus'}>{recordList.columns.milli.text?.(row)}</b>
}

async function approve(rows: readonly RecordRow[]): Promise<void> {
  for (const { record_id } of rows) await call(recordApi.approve, { record_id, agree: true }, { quiet: true })
}

function rowActs(
  show: (row: RecordRow) => void,
  revoke: (row: RecordRow) => void,
  refuse: (row: RecordRow) => void,
): (row: RecordRow) => ReactNode {
  return row => (
    <>
      {row.subject_kind === of_pupil && (
        <Button type="link" size="small" aria-label={`成长档案 ${row.subject_name}`} onClick={() => show(row)}>
          档案
        </Button>
      )}
      {row.may_approve && (
        <Can code={recordApi.approve}>
          <Button type="link" size="small" danger aria-label={`驳回 ${row.subject_name}`} onClick={() => refuse(row)}>
            驳回
          </Button>
        </Can>
      )}
      {row.may_revoke && (
        <Can code={recordApi.revoke}>
          <Button type="link" size="small" danger aria-label={`撤销 ${row.subject_name} ${row.star_name}`} onClick={() => revoke(row)}>
            撤销
          </Button>
        </Can>
      )}
    </>
  )
}

/** Class and type, which only the page knows how to choose. */
function Narrow({
  value,
  dept_id,
  onChange,
}: {
  value: string | undefined
  dept_id: string | undefined
  onChange: (patch: { star_type_id?: string; dept_id?: string }) => void
}): ReactNode {
  const types = useCall(starTypeApi.tree, {}, { enabled: useCan(starTypeApi.tree) })
  const list = types.data?.list ?? []
  const nodes = list
    .filter(one => one.superior_id === null)
    .map(one => ({
      value: one.id,
      title: one.star_name,
      children: list.filter(each => each.superior_id === one.id).map(each => ({ value: each.id, title: each.star_name })),
    }))
  return (
    <>
      <DeptSelect value={dept_id} onChange={id => onChange({ dept_id: id ?? '' })} />
      <TreeSelect
        className="star-filter"
        aria-label="指标"
        allowClear
        placeholder="全部指标"
        value={value === '' ? undefined : value}
        treeData={nodes}
        treeDefaultExpandAll
        onChange={id => onChange({ star_type_id: id ?? '' })}
      />
    </>
  )
}

function DeptSelect({ value, onChange }: { value: string | undefined; onChange: (id: string | undefined) => void }): ReactNode {
  const classes = useCall(recordApi.options, {}, { enabled: useCan(recordApi.options) })
  const nodes = (classes.data?.classes ?? []).map(one => ({ value: one.dept_id, title: one.dept_name }))
  return (
    <TreeSelect
      className="star-filter"
      aria-label="班级"
      allowClear
      showSearch={{ treeNodeFilterProp: 'title' }}
      placeholder="全部班级"
      value={value === '' ? undefined : value}
      treeData={nodes}
      onChange={onChange}
    />
  )
}
