import { tableFileApi, versionApi } from '@campus/teaching/contract'
import type { FileChange, FileIssue, ImportRun, TableImport } from '@campus/teaching/contract'
import { AppModal, call, Can, downloadFile } from '@kit/web'
import { useAct } from '@kit/web/act'
import { useCall } from '@kit/web/part'
import { Alert, Button, Radio, Table, Tabs, Upload } from 'antd'
import { useEffect, useRef, useState } from 'react'
import type { ReactNode } from 'react'
import { useEvery } from '../use-every.ts'

type Props = { version_id: string; rev: number; onClose: () => void; onDone: () => void }
type Mode = 'replace' | 'add'
type Clash = 'mark' | 'refuse'
const modes = [{ value: 'replace', label: '覆盖文件中的班级' }, { value: 'add', label: '仅新增，已排的课不动' }]
const clash_options = [{ value: 'mark', label: '照样导入并标为冲突' }, { value: 'refuse', label: '冲突的课不导入' }]
const pagination = { pageSize: 50, showSizeChanger: false, hideOnSinglePage: true }
const issue_columns = [
  { key: 'sheet', title: '工作表', width: 120, dataIndex: 'sheet' }, { key: 'row', title: '行', width: 64, dataIndex: 'row' },
  { key: 'column', title: '列', width: 104, dataIndex: 'column' }, { key: 'msg', title: '问题', dataIndex: 'msg' },
]
const change_columns = [
  { key: 'class', title: '班级', width: 136, dataIndex: 'class_name' }, { key: 'course', title: '课程', width: 136, dataIndex: 'course_name' },
  { key: 'before', title: '原来', dataIndex: 'before' }, { key: 'after', title: '导入后', dataIndex: 'after' },
]

/**
 * 导入课表: a file in either layout is checked cell by cell as a job, then goes into the draft as one step that is taken back as a whole
 * (chapter 50 §6). What runs is seen again when the dialog is opened anew.
 */
export function ImportDialog({ version_id, rev, onClose, onDone }: Props): ReactNode {
  const [file, keep] = useState<File>()
  const [mode, setMode] = useState<Mode>('replace')
  const [clash, setClash] = useState<Clash>('mark')
  const { busy, act } = useAct([versionApi.grid, versionApi.check, versionApi.steps])
  const { run, again, is_running } = useImport(version_id, onDone)
  const told = run?.result ?? undefined
  const [known, know] = useState(rev)
  const at_rev = Math.max(rev, known, told?.rev ?? 0)
  const send = async (body: File, preview: '0' | '1', how: { mode: Mode; clash: Clash }) => {
    await act(() => call(tableFileApi.importFile, { id: version_id, rev: String(at_rev), preview, ...how }, { quiet: true, file: body }))
    again()
  }
  const check = async (body: File | undefined, how: { mode: Mode; clash: Clash }) => body && send(body, '1', how)
  const choose = (body: File) => {
    keep(body)
    void check(body, { mode, clash })
    return false
  }
  const turn = (next: { mode?: Mode; clash?: Clash }) => {
    const how = { mode, clash, ...next }
    setMode(how.mode)
    setClash(how.clash)
    void check(file, how)
  }
  const load = (layout: 'rows' | 'grid') => act(() => downloadFile(tableFileApi.sheet, { id: version_id, layout }))
  const takeBack = async () => {
    const undone = await act(() => call(tableFileApi.undoImport, { id: run?.id ?? '0' }, { quiet: true }), { done: ({ title }) => title })
    if (undone) know(undone.rev)
    again()
    onDone()
  }
  const changes = told && run?.is_preview && file ? told.added + told.moved + told.removed : 0
  return (
    <AppModal open width={880} title="导入课表" okText={`导入${changes > 0 ? ` ${changes}节` : ''}`} confirmLoading={busy || is_running}
      okButtonProps={{ disabled: changes === 0 }} onOk={() => void (file && send(file, '0', { mode, clash }))} onCancel={onClose}>
      <p>
        两种格式都可以：每行一节课，或每班一张“节次×星期”的表格（格内先写课程，换行写教师；单双周写“单:课程”）。可先下载本课表作为模板：
        <Can code={tableFileApi.sheet}>
          <Button type="link" size="small" onClick={() => void load('rows')}>逐节格式</Button>
          <Button type="link" size="small" onClick={() => void load('grid')}>表格格式</Button>
        </Can>
      </p>
      <Upload accept=".xlsx,.csv" maxCount={1} beforeUpload={choose}><Button loading={busy || is_running}>选择文件</Button></Upload>
      <HowChoice mode={mode} clash={clash} turn={turn} />
      {run && <RunState run={run} busy={busy} undo={() => void takeBack()} />}
      {told && <Result told={told} />}
    </AppModal>
  )
}

type How = { mode: Mode; clash: Clash; turn: (next: { mode?: Mode; clash?: Clash }) => void }

/** Whether the sheet takes the place of what is there, and what becomes of a lesson that clashes. */
function HowChoice({ mode, clash, turn }: How): ReactNode {
  return (
    <>
      <p><Radio.Group aria-label="方式" value={mode} options={modes} onChange={({ target }) => turn({ mode: target.value === 'add' ? 'add' : 'replace' })} /></p>
      <p><Radio.Group aria-label="冲突" value={clash} options={clash_options} onChange={({ target }) => turn({ clash: target.value === 'refuse' ? 'refuse' : 'mark' })} /></p>
    </>
  )
}

/** How far an import is; one that is written can be taken back as a whole. */
function RunState({ run: { state, is_preview, error, may_undo }, busy,
  undo }: { run: ImportRun; busy: boolean; undo: () => void }): ReactNode {
  if (state === 'running') return <Alert type="info" showIcon title={`正在${is_preview ? '核对' : '导入'}，进度见右上角任务`} />
  if (state === 'failed') return <Alert type="error" showIcon title={error || '导入没有完成，请再次选择文件'} />
  if (is_preview) return null
  const action = may_undo && <Button size="small" loading={busy} onClick={undo}>撤销导入</Button>
  return <Alert type="success" showIcon title="已导入到草稿" action={action} />
}

/** My latest import into a draft, looked at until its job is done. */
function useImport(version_id: string, onDone: () => void) {
  const query = useCall(tableFileApi.imported, { id: version_id })
  const run = query.data?.run ?? null
  const is_running = run?.state === 'running'
  const again = () => void query.refetch()
  useEvery(is_running, again)
  const ended = run !== null && !is_running && !run.is_preview ? run.id : undefined
  const latest = useRef({ ended, onDone })
  useEffect(() => {
    const before = latest.current.ended
    latest.current = { ended, onDone }
    if (ended !== undefined && ended !== before) onDone()
  }, [ended, onDone])
  return { run, again, is_running }
}

function Result({ told }: { told: TableImport }): ReactNode {
  const { total, added, moved, same, removed, issue_count, clash_count } = told
  const is_sound = issue_count === 0 && clash_count === 0
  const items = [
    { key: 'issues', label: `错误 ${issue_count}`, children: <Table<FileIssue> size="small" rowKey={(row: FileIssue) =>
      `${row.sheet} ${row.row} ${row.column} ${row.msg}`} columns={issue_columns} dataSource={told.issues} pagination={pagination} scroll={{ y: 260 }} locale={{ emptyText: '没有错误' }} /> },
    { key: 'clashes', label: `冲突 ${clash_count}`, children: <ul className="timetable-clashes">{told.clashes
      .map(text => <li key={text}>{text}</li>)}</ul> },
    { key: 'changes', label: `变化 ${added + moved + removed}`, children: <Table<FileChange> size="small" rowKey={(row: FileChange) =>
      `${row.class_name} ${row.course_name} ${row.before} ${row.after}`} columns={change_columns} dataSource={told.changes} pagination={pagination} scroll={{ y: 260 }} locale={{ emptyText: '与草稿一致' }} /> },
  ]
  return (
    <>
      <Alert type={is_sound ? 'success' : 'warning'} showIcon
        title={`共${total}节：新增${added}，变更${moved}，无变化${same}，取下${removed}，冲突${clash_count}，错误${issue_count}`} description={issue_count > 0
        && '有错误的行不导入；改好文件后可再次导入。'} />
      <Tabs size="small" items={items} />
    </>
  )
}
