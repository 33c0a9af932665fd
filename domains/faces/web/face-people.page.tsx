import { faceApi, faceBatchApi, faceConsentApi, faceList, facePolicyApi } from '@campus/faces/contract'
import type { FacePerson } from '@campus/faces/contract'
import { useDeptTree } from '@campus/people/web'
import { call, Can, Filters, ListPage, Table, TreePanel, useCan, usePage, useResourceList } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { ListExport } from '@kit/web/export'
import type { PageSearch } from '@kit/web'
import { Button, Dropdown } from 'antd'
import { useMemo } from 'react'
import type { ReactNode } from 'react'
import { faceFields } from './face.fields.tsx'
import './faces.css'

const CaptureDialog = lazyDialog(() => import('./capture-dialog.tsx').then(part => part.CaptureDialog))
const CameraDialog = lazyDialog(() => import('./camera-dialog.tsx').then(part => part.CameraDialog))
const BatchDialog = lazyDialog(() => import('./batch-dialog.tsx').then(part => part.BatchDialog))
const PersonDrawer = lazyDialog(() => import('./person-drawer.tsx').then(part => part.PersonDrawer))
const ReviewDialog = lazyDialog(() => import('./review-dialog.tsx').then(part => part.ReviewDialog))
const DeleteDialog = lazyDialog(() => import('./review-dialog.tsx').then(part => part.DeleteDialog))
const PaperDialog = lazyDialog(() => import('./capture-dialog.tsx').then(part => part.PaperDialog))
const PolicyDialog = lazyDialog(() => import('./policy-dialog.tsx').then(part => part.PolicyDialog))
const ErasureDrawer = lazyDialog(() => import('./person-drawer.tsx').then(part => part.ErasureDrawer))

const [pupils, staff, parents] = [1, 2, 3] as const
const parts = { 1: 'student', 2: 'teacher', 3: 'parent' } as const
type Kind = 1 | 2 | 3

export const StudentFaces = (): ReactNode => <FacePeople kind={pupils} />
export const TeacherFaces = (): ReactNode => <FacePeople kind={staff} />
export const ParentFaces = (): ReactNode => <FacePeople kind={parents} />

/** 人脸管理 of one kind of people: who has a face, whether he consents, and how far terminals are (chapter 40 §5). */
function FacePeople({ kind }: { kind: Kind }): ReactNode {
  const { search, setSearch } = usePage()
  const { open, close, dialog } = useDialog()
  const fields = useMemo(() => faceFields(kind === parents, person => open(<PersonDrawer person={person} onClose={close} />)), [kind, open, close])
  const fixed = useMemo(() => ({ kind: String(kind), include_sub: '1' }), [kind])
  const list = useResourceList(faceApi.list, fields, { fixed, part: parts[kind] })
  const written = () => {
    list.select([])
    void list.refresh()
  }
  const { act } = useAct([faceApi.progress], written)
  const frame = { onClose: close, onDone: written }
  const chosen = list.rows.filter(row => list.selected.includes(row.user_id))
  const askable = chosen.filter(row => row.consent !== 'given')
  const waiting = list.rows.filter(row => row.candidate !== null)
  const ask = (people: readonly FacePerson[]) => act(() => call(faceConsentApi.remind, { user_ids: people.map(one => one.user_id) }, { quiet: true }), { done: askedText })
  const run = (code: RowAct, person: FacePerson) => {
    if (code === 'capture') return open(<CaptureDialog person={person} {...frame} />)
    if (code === 'detail') return open(<PersonDrawer person={person} onClose={close} />)
    if (code === 'review') return open(<ReviewDialog people={[person]} {...frame} />)
    if (code === 'paper') return open(<PaperDialog person={person} {...frame} />)
    if (code === 'delete') return open(<DeleteDialog people={[person]} {...frame} />)
    return void ask([person])
  }
  const removeAll = () => open(<DeleteDialog people={chosen} {...frame} />)
  const faceless = list.rows.filter(row => row.face_id === null)
  const takeAll = () => open(<CameraDialog people={chosen.length > 0 ? chosen : faceless} {...frame} />)
  const importAll = () => open(<BatchDialog kind={kind} {...frame} />)
  const reviewAll = () => open(<ReviewDialog people={waiting} {...frame} />)
  const proofs = () => open(<ErasureDrawer onClose={close} />)
  const set = () => open(<PolicyDialog onClose={close} />)
  return (
    <ListPage
      of={list}
      side={kind === parents ? undefined : <ClassTree kind={kind} chosen={search.dept_id} choose={dept_id => setSearch(withDept(search, dept_id))} />}
      filters={<Filters of={list} show={['keyword', 'state', 'consent', 'todo']} />}
      batch={
        <>
          <Can code={faceConsentApi.remind}><Button disabled={askable.length === 0} onClick={() => void ask(askable)}>请求授权（{askable.length}）</Button></Can>
          <Can code={faceApi.remove}><Button danger onClick={removeAll}>删除（{chosen.length}）</Button></Can>
        </>
      }
      actions={
        <>
          <Can code={faceBatchApi.open}><Button type="primary" onClick={importAll}>批量导入</Button></Can>
          <Can code={faceApi.set}><Button disabled={chosen.length + faceless.length === 0} onClick={takeAll}>摄像头采集（{chosen.length || faceless.length}）</Button></Can>
          <Can code={faceApi.verify}><Button disabled={waiting.length === 0} onClick={reviewAll}>核验本页（{waiting.length}）</Button></Can>
          <ListExport of={list} fact={faceList} call={faceApi.export} fixed={fixed} />
        </>
      }
      more={
        <>
          <Can code={faceApi.erasures}><Button onClick={proofs}>删除证明</Button></Can>
          <Can code={facePolicyApi.read}><Button onClick={set}>设置</Button></Can>
        </>
      }
    >
      <Table
        of={list}
        show={kind === parents ? ['thumb', 'user_name', 'user_no', 'child_names', 'state', 'consent', 'devices'] : ['thumb', 'user_name', 'user_no', 'dept_name', 'state', 'consent', 'devices']}
        more={['source', 'captured_at']}
        row={rowActs(run)}
        row_width={128}
        two_line
        selectable
        empty={kind === pupils ? '还没有学生，请先在学生家长档案中导入名册' : '没有人员'}
      />
      {dialog}
    </ListPage>
  )
}

function askedText({ asked, not_asked }: { asked: number; not_asked: { msg: string }[] }): string {
  const [first] = not_asked
  return first ? `已发送${asked}人，${not_asked.length}人未发送：${first.msg}` : `已向${asked}人发送授权请求`
}

function withDept(search: PageSearch, dept_id: string | undefined): PageSearch {
  const rest = Object.fromEntries(Object.entries(search).filter(([name]) => name !== 'page_index' && name !== 'dept_id'))
  return dept_id === undefined ? rest : { ...rest, dept_id }
}

function ClassTree({ kind, chosen, choose }: { kind: 1 | 2; chosen: string | undefined; choose: (dept_id: string | undefined) => void }): ReactNode {
  const tree = useDeptTree(undefined, kind === pupils ? 'student' : 'staff')
  return <TreePanel name={`faces-${kind}`} load={tree.load} search={tree.search} selected={chosen} onSelect={choose} />
}

const row_acts = { capture: '采集', detail: '查看详情', review: '核验', ask: '请求授权', paper: '登记纸质授权', delete: '删除' } as const
type RowAct = keyof typeof row_acts

function rowActs(run: (code: RowAct, person: FacePerson) => void): (person: FacePerson) => ReactNode {
  return person => <RowActs person={person} run={code => run(code, person)} />
}

/** The most usual act as a button and the rest below 更多. */
function RowActs({ person, run }: { person: FacePerson; run: (code: RowAct) => void }): ReactNode {
  const may = { capture: useCan(faceApi.set), review: useCan(faceApi.verify), ask: useCan(faceConsentApi.remind), paper: useCan(faceConsentApi.paper), delete: useCan(faceApi.remove), detail: true }
  const has_face = person.face_id !== null || person.candidate !== null
  const fits = { capture: true, detail: true, review: person.candidate !== null, ask: person.consent !== 'given', paper: person.consent !== 'given', delete: has_face }
  const codes = (['review', 'capture', 'ask', 'paper', 'detail', 'delete'] as const).filter(code => may[code] && fits[code])
  const [first = 'detail', ...rest] = codes
  const label = (code: RowAct) => (code === 'capture' && has_face ? '更换' : row_acts[code])
  return (
    <>
      <Button type="link" size="small" aria-label={`${label(first)} ${person.user_name}`} onClick={() => run(first)}>{label(first)}</Button>
      {rest.length > 0 && (
        <Dropdown trigger={['click']} menu={{ items: rest.map(code => ({ key: code, label: label(code), danger: code === 'delete' })), onClick: ({ key }) => rest.filter(code => code === key).forEach(run) }}>
          <Button type="link" size="small" aria-label={`更多 ${person.user_name}`}>更多</Button>
        </Dropdown>
      )}
    </>
  )
}
