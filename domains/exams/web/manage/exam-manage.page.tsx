import { examApi, examList } from '@campus/exams/contract'
import type { ExamRow } from '@campus/exams/contract'
import { call, Can, dictionaryName, fieldsOf, Filters, ListPage, Table, useCan, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import { PlusOutlined } from '@ant-design/icons'
import { Button, Progress } from 'antd'
import type { ReactNode } from 'react'
import { StateTag } from '../use-exams.tsx'
import { Workspace } from './workspace.tsx'
import '../exams.css'

const ExamDialog = lazyDialog(() => import('./exam-dialog.tsx').then(part => part.ExamDialog))
const CopyDialog = lazyDialog(() => import('./copy-dialog.tsx').then(part => part.CopyDialog))
const CancelDialog = lazyDialog(() => import('./copy-dialog.tsx').then(part => part.CancelDialog))
const [draft, published] = [0, 2] as const

const fields = fieldsOf(examList, {
  exam_name: { default_action: true },
  grades: { cell: row => row.grades.map(code => dictionaryName('GRADE', code)).join('、') },
  state: { cell: row => <StateTag state={row.state} /> },
  seated_pct: { cell: row => <Progress size="small" percent={row.seated_pct} aria-label="编排进度" /> },
  scored_pct: { cell: row => <Progress size="small" percent={row.scored_pct} aria-label="录分进度" /> },
})

/** 考试管理: every exam with how far it is; one opens as a checklist (chapter 55 §5). */
export default function ExamManage(): ReactNode {
  const { search, setSearch } = usePage()
  const leave = () => setSearch({})
  if (search.exam !== undefined) return <Workspace exam_id={search.exam} leave={leave} />
  return <ExamList show={exam => setSearch({ exam })} />
}

function ExamList({ show }: { show: (exam_id: string) => void }): ReactNode {
  const list = useResourceList(examApi.list, fields)
  const written = () => void list.refresh()
  const { open, close, dialog } = useDialog()
  const { act } = useAct([], written)
  const may_edit = useCan(examApi.update)
  const add = () => open(<ExamDialog exam={null} onClose={close} onDone={row => show(row.exam_id)} />)
  const remove = (row: ExamRow) => act(() => call(examApi.remove, { exam_id: row.exam_id }, { quiet: true }), { ask: { title: `删除“${row.exam_name}”？`, touches: '科目、场次和考场选择一并删除。', ok: '删除' }, done: '删除成功!' })
  const copy = (row: ExamRow) => open(<CopyDialog exam={row} onClose={close} onDone={made => show(made.exam_id)} />)
  const cancel = (row: ExamRow) => open(<CancelDialog exam={row} onClose={close} onDone={written} />)
  const rowActs = (row: ExamRow) => (
    <>
      <Button type="link" size="small" aria-label={`打开 ${row.exam_name}`} onClick={() => show(row.exam_id)}>打开</Button>
      {may_edit && <Button type="link" size="small" aria-label={`复制 ${row.exam_name}`} onClick={() => copy(row)}>复制</Button>}
      {may_edit && row.state === draft && <Button type="link" size="small" danger aria-label={`删除 ${row.exam_name}`} onClick={() => void remove(row)}>删除</Button>}
      {may_edit && row.state > draft && row.state <= published && <Button type="link" size="small" danger aria-label={`取消 ${row.exam_name}`} onClick={() => cancel(row)}>取消</Button>}
    </>
  )
  return (
    <ListPage
      of={list}
      filters={<Filters of={list} show={['keyword', 'exam_kind', 'grade', 'phase']} />}
      actions={
        <>
          <ListExport of={list} fact={examList} call={examApi.export} />
          <Can code={examApi.add}><Button type="primary" icon={<PlusOutlined aria-hidden />} onClick={add}>新建考试</Button></Can>
        </>
      }
    >
      <Table
        of={list} show={['exam_name', 'exam_kind', 'grades', 'begin_date', 'end_date', 'state', 'candidates', 'seated_pct', 'scored_pct']} more={['score_mode', 'show_rank', 'absent_as']}
        row={rowActs} row_width={152} empty="还没有考试：点“新建考试”，按步骤设置科目、场次和考场"
      />
      {dialog}
    </ListPage>
  )
}
