import { lessonApi, solveApi, tableFileApi, timetableChannel, versionApi } from '@campus/teaching/contract'
import type { Command, Grid, PlanLesson, Timetable, Version, View } from '@campus/teaching/contract'
import type { Reply } from '@kit/contract'
import { call, Can, useChannel } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { RedoOutlined, SyncOutlined, UndoOutlined } from '@ant-design/icons'
import { Button, Segmented, Select, Tabs, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { ConflictList, StepList, UnplacedList } from './editor-dock.tsx'
import { EditorGrid } from './editor-grid.tsx'
import { SolvePanel } from './solve-panel.tsx'

const ImportDialog = lazyDialog(() => import('./import-dialog.tsx').then(part => part.ImportDialog))

type Groups = Reply<typeof lessonApi.targets>['groups']
const optionsOf = ({ name, items }: Groups[number]) => ({ label: name, title: name, options: items.map(one => ({ value: one.id, label: one.name })) })

type Props = { table: Timetable; version: Version; publish: () => void; written: () => void }
const views: { value: View; label: string }[] = [{ value: 'class', label: '班级' }, { value: 'teacher', label: '教师' }, { value: 'place', label: '场所' }]

/** One version as the grid of a class, a teacher or a place: lessons are dragged, every cell says whether one may go there (chapter 50 §5). */
export function Editor({ table, version, publish, written }: Props): ReactNode {
  const [view, show] = useState<View>('class')
  const [target, aim] = useState<string>()
  const targets = useCall(lessonApi.targets, { view, ...(table.semester_id === null ? {} : { semester_id: table.semester_id }) }, { keep: true })
  const groups = targets.data?.groups ?? []
  const known = groups.some(group => group.items.some(one => one.id === target))
  const target_id = known ? target : groups[0]?.items[0]?.id
  const grid = useCall(versionApi.grid, { id: version.id, view, target_id: target_id ?? '0' }, { enabled: target_id !== undefined, keep: true })
  const { act } = useAct([versionApi.grid, versionApi.check, versionApi.steps, versionApi.candidates])
  useChannel(timetableChannel, () => void grid.refetch(), { of: version.id, onGap: () => void grid.refetch() })
  const rev = grid.data?.rev ?? 0
  const { open, close, dialog } = useDialog()
  const bring = () => open(<ImportDialog version_id={version.id} rev={rev} onClose={close} onDone={written} />)
  const is_draft = version.state === 'draft'
  const run = (commands: Command[]) => act(() => call(versionApi.command, { id: version.id, rev, commands }, { quiet: true }))
  const undo = () => act(() => call(versionApi.undo, { id: version.id, rev }, { quiet: true }), { done: ({ title }) => title })
  const redo = () => act(() => call(versionApi.redo, { id: version.id, rev }, { quiet: true }), { done: ({ title }) => title })
  const sync = async () => {
    await act(() => call(versionApi.sync, { id: version.id, rev }, { quiet: true }), { done: ({ added, removed, changed }) => (added + removed + changed === 0 ? '课时与任课一致' : `新增${added}节，移除${removed}节，换教师${changed}节`) })
    written()
  }
  const look = (next: View, id?: string) => {
    show(next)
    aim(id)
  }
  return (
    <div className="timetable-editor">
      <div className="teaching-head">
        <Segmented aria-label="视图" options={views} value={view} onChange={next => look(next)} />
        <Select className="teaching-term" aria-label="查看对象" showSearch={{ optionFilterProp: 'label' }} value={target_id} onChange={aim} options={groups.map(optionsOf)} loading={targets.isFetching} placeholder="选择对象" />
        {grid.data && <Tag color={grid.data.unplaced > 0 ? 'orange' : 'green'}>共{grid.data.total}节，未排{grid.data.unplaced}节</Tag>}
        {is_draft && (
          <span className="timetable-acts">
            <Can code={versionApi.command}>
              <Button icon={<UndoOutlined aria-hidden />} aria-label="撤销" title="撤销" onClick={() => void undo()} />
              <Button icon={<RedoOutlined aria-hidden />} aria-label="重做" title="重做" onClick={() => void redo()} />
              <Button icon={<SyncOutlined aria-hidden />} onClick={() => void sync()}>同步课时</Button>
            </Can>
            <Can code={tableFileApi.importFile}><Button onClick={bring}>导入</Button></Can>
            <Can code={versionApi.publish}><Button type="primary" onClick={publish}>发布</Button></Can>
          </span>
        )}
      </div>
      <Loaded query={grid} rows={10}>
        {data => <Board grid={data} view={view} table={table} version={version} run={run} undo={undo} written={written} look={look} />}
      </Loaded>
      {dialog}
    </div>
  )
}

type BoardProps = {
  grid: Grid; view: View; table: Timetable; version: Version; run: (commands: Command[]) => Promise<unknown>; undo: () => Promise<unknown>;
    written: () => void
  look: (view: View, id: string) => void
}

function Board({ grid, view, table, version, run, undo, written, look }: BoardProps): ReactNode {
  const [picked, pick] = useState<string | null>(null)
  const lesson = grid.lessons.find(one => one.id === picked) ?? null
  const may_edit = grid.is_draft
  const unplaced = grid.lessons.filter(one => one.weekday === null)
  const choose = (one: PlanLesson | null) => pick(may_edit ? (one?.id ?? null) : null)
  const items = [
    { key: 'unplaced', label: `未排 ${unplaced.length}`, children: <UnplacedList lessons={unplaced} picked={picked} pick={choose} drop={id => void run([{ kind: 'unplace', lesson_id: id }])} /> },
    { key: 'conflicts', label: `冲突${grid.conflicts.filter(one => one.severity === 1).length > 0 ? ` ${grid.conflicts.filter(one => one.severity === 1).length}` : ''}`, children: <ConflictList version_id={version.id} near={grid.conflicts} /> },
    { key: 'steps', label: '历史', children: <StepList version_id={version.id} /> },
    ...(may_edit ? [{
      key: 'solve', label: '自动排课',
      children: (
        <Can code={solveApi.start}>
          <SolvePanel table={table} version_id={version.id} rev={grid.rev} written={written} look={look} />
        </Can>
      ),
    }] : []),
  ]
  return (
    <div className="timetable-board">
      <EditorGrid grid={grid} view={view} picked={lesson} pick={choose} run={run} undo={undo} />
      <aside className="timetable-dock"><Tabs size="small" items={items} /></aside>
    </div>
  )
}
