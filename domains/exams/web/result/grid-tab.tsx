import { scoreApi } from '@campus/exams/contract'
import type { ExamRow, ScoreGrid } from '@campus/exams/contract'
import { AppModal, call, dictionaryName, ImportButton } from '@kit/web'
import { useAct } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Segmented, Tag } from 'antd'
import { useRef, useState } from 'react'
import type { ClipboardEvent, KeyboardEvent, ReactNode } from 'react'
import { Differences } from './differences.tsx'
import { blockOf, placed } from './paste.ts'
import { keyOf, useGrid } from './use-grid.ts'
import type { Change, Mark } from './use-grid.ts'

const [first_mode, second_mode, difference_mode] = ['第一次录入', '第二次录入', '差异'] as const

/** 录分: a grid of the class; each cell is saved when it is left, a block pasted from a sheet after a look at it (chapter 55 §5, rule 33). */
export function GridTab({ exam, dept_id, picker }: { exam: ExamRow; dept_id: string; picker: ReactNode }): ReactNode {
  const [mode, show] = useState<string>(first_mode)
  if (!exam.double_entry) return <FirstGrid exam={exam} dept_id={dept_id} picker={picker} />
  const both = <>{picker}<Segmented options={[first_mode, second_mode, difference_mode]} value={mode} onChange={show} /></>
  if (mode === second_mode) return <SecondGrid exam={exam} dept_id={dept_id} picker={both} />
  return mode === difference_mode
    ? <Differences exam={exam} dept_id={dept_id} picker={both} /> : <FirstGrid exam={exam} dept_id={dept_id} picker={both} />
}

type GridProps = { exam: ExamRow; dept_id: string; picker: ReactNode }

function FirstGrid({ exam, dept_id, picker }: GridProps): ReactNode {
  const query = useCall(scoreApi.grid, { exam_id: exam.exam_id, dept_id })
  return <Loaded query={query} rows={12}>{grid => <Grid key={query.dataUpdatedAt} exam={exam} dept_id={dept_id} grid={grid} picker={picker} again={() => void query.refetch()} />}</Loaded>
}

function SecondGrid({ exam, dept_id, picker }: GridProps): ReactNode {
  const query = useCall(scoreApi.second, { exam_id: exam.exam_id, dept_id })
  return <Loaded query={query} rows={12}>{grid =>
    <Grid key={query.dataUpdatedAt} second exam={exam} dept_id={dept_id} grid={grid} picker={picker} again={() =>
      void query.refetch()} />}</Loaded>
}

type Props = GridProps & { grid: ScoreGrid; again: () => void; second?: boolean }

function Grid({ exam, dept_id, grid, picker, again, second = false }: Props): ReactNode {
  const { papers, rows } = grid
  const table = useRef<HTMLDivElement>(null)
  const { marks, sits, textAt, faultOf, save, type } = useGrid(exam.exam_id, grid, second)
  const [pasted, look] = useState<Change[]>()
  const { act } = useAct([scoreApi.tasks], again)
  const leave = (row: number, column: number) => {
    const found = marks.get(keyOf(row, column))
    if (found?.state === 'typed') void save([{ row, column, text: found.text }])
  }
  const paste = (row: number, column: number) => (event: ClipboardEvent) => {
    const block = blockOf(event.clipboardData.getData('text'))
    if (block.length === 1 && block[0]?.length === 1) return
    event.preventDefault()
    look(placed(block, { row, column }, { rows: rows.length, columns: papers.length }).filter(one => sits(one.row, one.column) && papers[one.column]?.may_enter))
  }
  const go = (row: number, column: number) => table.current?.querySelector<HTMLInputElement>(`[data-cell='${keyOf(row, column)}']`)?.focus()
  const submit = (paper_id: string) => act(() => call(scoreApi.submit, { exam_id: exam.exam_id, paper_id, dept_id }, { quiet: true }), { ask: { title: '提交本班这一科的成绩？', touches: '提交后不能修改，需要时由教务处退回。', ok: '提交' }, done: '已提交' })
  const apply = () => { void save(pasted ?? []); look(undefined) }
  const nameOf = (one: Change) => `${rows[one.row]?.user_name ?? ''} ${dictionaryName('SUBJECT', papers[one.column]?.subject ?? '')}`
  const cell = (at: number, column: number, label: string) => ({
    id: keyOf(at, column), label, sits: sits(at, column), readOnly: !papers[column]?.may_enter, text: textAt(at, column), mark: marks.get(keyOf(at, column)),
    type: (text: string) => type({ row: at, column, text }), leave: () => leave(at, column), paste: paste(at, column), go: (down: number) => go(at + down, column),
  })
  return (
    <>
      <GridHead picker={picker} again={again} />
      <div ref={table} className="exam-grid">
        <table aria-label="成绩">
          <thead><tr><th scope="col">考号</th><th scope="col">姓名</th>{papers.map(paper =>
            <th key={paper.paper_id} scope="col"><PaperHead paper={paper} may_submit={!second} submit={() =>
              void submit(paper.paper_id)} /></th>)}</tr></thead>
          <tbody>
            {rows.map((row, at) => (
              <tr key={row.user_id}>
                <th scope="row">{row.exam_no ?? row.student_no}</th><th scope="row">{row.user_name}</th>
                {papers.map((paper, column) => <Cell key={paper.paper_id} {...cell(at, column, `${row.user_name} ${dictionaryName('SUBJECT', paper.subject)}`)} />)}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      {pasted && <PasteDialog changes={pasted} faultOf={faultOf} nameOf={nameOf} oldOf={one => textAt(one.row, one.column)} apply={apply} onClose={() => look(undefined)} />}
    </>
  )
}

function GridHead({ picker, again }: Pick<Props, 'picker' | 'again'>): ReactNode {
  return (
    <div className="exam-head">
      {picker}
      <small>填数字、零分、缺考(Q)、缓考(H)、作弊(Z)、免考(M)；可从 Excel 复制整块粘贴；回车到下一人</small>
      <span className="exam-spring exam-head">
        <ImportButton code="exams.score.import" template="exam_score" title="考试成绩导入" label="导入" unit="人" onApplied={again} />
        <Button onClick={again}>刷新</Button>
      </span>
    </div>
  )
}

function PaperHead({ paper, may_submit, submit }: { paper: ScoreGrid['papers'][number]; may_submit: boolean; submit: () =>
  void }): ReactNode {
  const state = paper.submitted ? <Tag color="green">已提交</Tag> : may_submit && paper.may_enter &&
    <Button type="link" size="small" onClick={submit}>提交</Button>
  return <>{dictionaryName('SUBJECT', paper.subject)} <small>{paper.full_score}</small> {state}</>
}

type CellProps = {
  id: string; label: string; sits: boolean; readOnly: boolean; text: string; mark: Mark | undefined
  type: (text: string) => void; leave: () => void; paste: (event: ClipboardEvent) => void; go: (down: number) => void
}

function Cell({ id, label, sits, readOnly, text, mark, type, leave, paste, go }: CellProps): ReactNode {
  if (!sits) return <td data-state="none" aria-label={`${label} 未选考`} />
  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const step = { Enter: 1, ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step === undefined) return
    event.preventDefault()
    go(step)
  }
  return (
    <td data-state={mark?.state} title={mark?.why || undefined}>
      <input data-cell={id} aria-label={label} aria-invalid={mark?.state === 'bad'} readOnly={readOnly} value={text} maxLength={10} onChange={event => type(event.target.value)} onBlur={leave} onPaste={readOnly ? undefined : paste} onKeyDown={onKeyDown} onFocus={event => event.target.select()} />
    </td>
  )
}

type PasteProps = { changes: readonly Change[]; faultOf: (one: Change) => string | null; nameOf: (one: Change) => string; oldOf: (one: Change) => string; apply: () => void; onClose: () => void }
const most_shown = 100

/** What a pasted block would change: shown before anything is saved. */
function PasteDialog({ changes, faultOf, nameOf, oldOf, apply, onClose }: PasteProps): ReactNode {
  const real = changes.filter(one => oldOf(one) !== one.text)
  const bad = real.filter(one => faultOf(one) !== null)
  return (
    <AppModal open width={520} title="粘贴预览" okText={`保存 ${real.length - bad.length}项`} okButtonProps={{ disabled: real.length === bad.length }} onOk={apply} onCancel={onClose}>
      <p>共 {changes.length}格，{real.length}格有变化{bad.length > 0 && <span className="kit-bad">，{bad.length}格有误不会保存</span>}。空白格不改变原成绩，清除请填“清空”。</p>
      <ul className="exam-preview">{real.slice(0, most_shown).map(one => <li key={keyOf(one.row, one.column)}>{nameOf(one)}：{oldOf(one) || '空'} → <b className={faultOf(one) === null ? undefined : 'kit-bad'}>{one.text}{faultOf(one) !== null && `（${faultOf(one)}）`}</b></li>)}</ul>
    </AppModal>
  )
}
