import { timetableApi, version_states, versionApi } from '@campus/teaching/contract'
import type { Timetable, Version } from '@campus/teaching/contract'
import { call, Can, PageFrame, useCan } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { MoreOutlined, PlusOutlined } from '@ant-design/icons'
import { Button, Dropdown, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { Editor } from './editor.tsx'
import '../teaching.css'

const TimetableDialog = lazyDialog(() => import('./timetable-dialogs.tsx').then(part => part.TimetableDialog))
const DiffDialog = lazyDialog(() => import('./timetable-dialogs.tsx').then(part => part.DiffDialog))
const PublishDialog = lazyDialog(() => import('./publish-dialog.tsx').then(part => part.PublishDialog))

const colors: Readonly<Record<Version['state'], string>> = { draft: 'orange', coming: 'blue', running: 'green', over: 'default', void: 'default' }

export const TermTimetables = (): ReactNode => <LayoutCourse kind={1} period_kind={1} />
export const YearTimetables = (): ReactNode => <LayoutCourse kind={1} period_kind={2} />
export const WalkingTermTimetables = (): ReactNode => <LayoutCourse kind={2} period_kind={1} />
export const WalkingYearTimetables = (): ReactNode => <LayoutCourse kind={2} period_kind={2} />

const empty_texts = { 1: '还没有课表：先在教师任课中设置任课，再点“新建课表”', 2: '还没有走班课表：先在走班教学班管理中生成教学班，再点“新建课表”' } as const

/**
 * 课表管理 (1 classes of the school's tree, 2 walking classes): timetables with their versions at the left, the chosen version as a grid that
 * is edited (chapter 50 §5).
 */
function LayoutCourse({ kind, period_kind }: { kind: 1 | 2; period_kind: 1 | 2 }): ReactNode {
  const query = useCall(timetableApi.list, { kind, period_kind })
  const [chosen, choose] = useState<string>()
  const { open, close, dialog } = useDialog()
  const written = () => void query.refetch()
  const tables = query.data?.list ?? []
  const all = tables.flatMap(table => table.versions.map(version => ({ table, version })))
  const current = all.find(one => one.version.id === chosen) ?? all.find(one => one.version.state === 'draft') ?? all[0]
  const add = () => open(<TimetableDialog mode="new" kind={kind} period_kind={period_kind} onClose={close} onDone={written} />)
  const publish = () => current && open(<PublishDialog {...current} onClose={close} onDone={written} />)
  return (
    <div className="timetable-page" data-ready={query.error ? 'failed' : query.data ? 'timetables' : undefined}>
      <PageFrame actions={<Can code={timetableApi.create}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={add}>新建课表</Button></Can>} />
      <aside className="timetable-list" aria-label="课表">
        <Loaded query={query} rows={8} empty={empty_texts[kind]}>
          {({ list }) => list.map(table => <TableCard key={table.id} table={table} chosen={current?.version.id} choose={choose} open={open} close={close} written={written} />)}
        </Loaded>
      </aside>
      {current && <Editor key={current.version.id} table={current.table} version={current.version} publish={publish} written={written} />}
      {dialog}
    </div>
  )
}

type CardProps = { table: Timetable; chosen: string | undefined; choose: (id: string) => void; open: (element: ReactNode) => void; close: () => void; written: () => void }

function TableCard({ table, chosen, choose, open, close, written }: CardProps): ReactNode {
  const { act } = useAct([], written)
  const may_edit = useCan(versionApi.add)
  const may_remove = useCan(timetableApi.remove)
  const newest = table.versions[0]
  const addVersion = async (based_on: string | null) => {
    const made = await act(() => call(versionApi.add, { timetable_id: table.id, based_on }, { quiet: true }), { done: '已新建草稿' })
    if (made) choose(made.version_id)
  }
  const archive = () => act(() => call(timetableApi.update, { id: table.id, name: table.name, archived: !table.archived, row_version: table.row_version }, { quiet: true }), { done: table.archived ? '已取消归档' : '已归档' })
  const remove = () => act(() => call(timetableApi.remove, { id: table.id }, { quiet: true }), { ask: { title: `删除“${table.name}”？`, touches: '全部草稿一并删除；已发布过的课表不能删除，可归档。', ok: '删除' }, done: '删除成功!' })
  const rename = (mode: 'copy' | 'rename') => open(<TimetableDialog mode={mode} table={table} kind={1} period_kind={1} onClose={close}
    onDone={written} />)
  const compare = () => open(<DiffDialog table={table} onClose={close} />)
  const acts: Readonly<Record<string, () => unknown>> = {
    copy: () => addVersion(newest?.id ?? null), plan: () => addVersion(null), table: () => rename('copy'), rename: () => rename('rename'), diff: compare, archive, remove,
  }
  const items = [
    { key: 'copy', label: '复制最新版本为草稿', disabled: !newest }, { key: 'plan', label: '按任课新建空白草稿' }, { key: 'table', label: '复制为新课表' }, { key: 'rename', label: '重命名' },
    { key: 'diff', label: '版本对比', disabled: table.versions.length < 2 }, { key: 'archive', label: table.archived ? '取消归档' : '归档' }, ...(may_remove ? [{ key: 'remove', label: '删除', danger: true }] : []),
  ]
  const onClick = ({ key }: { key: string }) => void acts[key]?.()
  return (
    <section className="timetable-card" data-archived={table.archived || undefined}>
      <header>
        <h2 title={table.name}>{table.name}</h2>
        {may_edit && <Dropdown trigger={['click']} menu={{ items, onClick }}><Button type="text" size="small" icon={<MoreOutlined aria-hidden />} aria-label={`管理课表 ${table.name}`} aria-haspopup="menu" /></Dropdown>}
      </header>
      <small>{table.period_name}</small>
      {table.versions.map(version => <VersionLine key={version.id} version={version} name={table.name} chosen={chosen === version.id} choose={() => choose(version.id)} written={written} />)}
    </section>
  )
}

function VersionLine({ version, name, chosen, choose, written }: { version: Version; name: string; chosen: boolean; choose: () => void; written: () => void }): ReactNode {
  const { act } = useAct([], written)
  const may_publish = useCan(versionApi.withdraw)
  const may_remove = useCan(versionApi.remove)
  const withdraw = () => act(() => call(versionApi.withdraw, { id: version.id }, { quiet: true }), { ask: { title: `撤回“${name} v${version.version_no}”？`, touches: '该版本变回草稿，原版本继续使用。', ok: '撤回' }, done: '已撤回' })
  const remove = () => act(() => call(versionApi.remove, { id: version.id }, { quiet: true }), { ask: { title: `删除草稿 v${version.version_no}？`, touches: `已排 ${version.placed}节一并删除。`, ok: '删除' }, done: '删除成功!' })
  return (
    <div className="timetable-version" data-chosen={chosen || undefined}>
      <button type="button" aria-pressed={chosen} onClick={choose}>
        <b>v{version.version_no}</b><Tag color={colors[version.state]}>{version_states[version.state]}</Tag>
        <small>{version.valid_from === null ? `已排${version.placed}，未排${version.unplaced}` : `${version.valid_from} 起`}</small>
      </button>
      {version.state === 'coming' && may_publish && <Button type="link" size="small" onClick={() => void withdraw()}>撤回</Button>}
      {version.state === 'draft' && may_remove && <Button type="link" size="small" danger aria-label={`删除草稿 v${version.version_no}`} onClick={() => void remove()}>删除</Button>}
    </div>
  )
}
