import { FlowLane } from '@campus/approval/web'
import { formApi, most_steps, person_kind_names, quotaApi } from '@campus/leave/contract'
import type { FlowStep, FormDesign, FormLine, LeaveForm } from '@campus/leave/contract'
import { call, Can, mayDiscard, PageFrame, PageTabs, toast, useCan, usePage } from '@kit/web'
import { lazyDialog, useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Button, Dropdown, Tag } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { QuotaList } from '../quota-list.tsx'
import { RulesForm } from './rules-form.tsx'
import { StepEditor } from './step-editor.tsx'
import { Trial } from './trial.tsx'
import { cardOf, freshDesign } from './words.ts'
import '../leave.css'
import './design.css'

const FormDialog = lazyDialog(() => import('./form-dialogs.tsx').then(part => part.FormDialog))
const PublishDialog = lazyDialog(() => import('./form-dialogs.tsx').then(part => part.PublishDialog))
const SettingDialog = lazyDialog(() => import('./form-dialogs.tsx').then(part => part.SettingDialog))
const VersionsDrawer = lazyDialog(() => import('./form-dialogs.tsx').then(part => part.VersionsDrawer))
const kinds: Readonly<Record<string, string>> = person_kind_names
const views = [{ key: 'forms', label: '请假表单' }, { key: 'quota', label: '假期额度' }] as const
const tabs = [{ key: 'flow', label: '流程' }, { key: 'rules', label: '规则' }] as const
const state_names: Readonly<Record<number, [string, string]>> = { 0: ['草稿', 'default'], 1: ['启用', 'green'], 2: ['停用', 'red'] }

/** 请假表单设计: rules and steps of each form, tried on a real person before they are published (chapter 70 §5). */
export default function LeaveDesign(): ReactNode {
  const { search, setSearch } = usePage()
  const { open, close, dialog } = useDialog()
  const [typed, setTyped] = useState(false)
  const query = useCall(formApi.list, {})
  const list = query.data?.list ?? []
  const chosen = list.find(one => one.form_id === search.form_id) ?? list[0]
  const choose = async (form_id: string) => {
    if (typed && !(await mayDiscard())) return
    setTyped(false)
    setSearch({ form_id })
  }
  const done = (form_id: string) => {
    void query.refetch()
    setSearch({ form_id })
  }
  const add = () => open(<FormDialog onClose={close} onDone={done} />)
  const may_quota = useCan(quotaApi.page)
  const head = may_quota && <PageTabs tabs={views} value={search.view === 'quota' ? 'quota' : 'forms'} onChange={view => setSearch({ view })} />
  if (may_quota && search.view === 'quota') return <QuotaList head={head} />
  const set = () => open(<SettingDialog onClose={close} />)
  return (
    <PageFrame ready={query.data ? 'page' : query.error ? 'failed' : undefined} help="设计请假规则和审批流程，发布后生效；进行中的请假按提交时的版本审批" actions={<><Can code={formApi.save}><Button onClick={set}>请假设置</Button></Can><Can code={formApi.save}><Button type="primary" onClick={add}>新增表单</Button></Can></>}>
      {head}
      <Loaded query={query} empty="还没有请假表单：点“新增表单”开始">{() => (
        <div className="design-page">
          <Forms list={list} chosen={chosen?.form_id} choose={form_id => void choose(form_id)} />
          {chosen && <OneForm key={chosen.form_id} form_id={chosen.form_id} onTyped={setTyped} onChanged={done} />}
        </div>
      )}</Loaded>
      {dialog}
    </PageFrame>
  )
}

/** The forms by kind of people, each with the version that runs. */
function Forms({ list, chosen, choose }: { list: readonly FormLine[]; chosen: string | undefined; choose: (form_id: string) => void }): ReactNode {
  return (
    <nav className="design-forms" aria-label="请假表单">
      {[...Map.groupBy(list, one => one.person_kind)].map(([kind, of]) => (
        <section key={kind}>
          <h2>{kinds[String(kind)]}</h2>
          {of.map(one => (
            <button key={one.form_id} type="button" aria-current={one.form_id === chosen ? 'true' : undefined} onClick={() => choose(one.form_id)}>
              <span>{one.form_name}</span>
              <span><Tag color={state_names[one.status]?.[1]}>{one.current_version === null ? '草稿' : `第${one.current_version}版`}</Tag>{one.has_changes && one.current_version !== null && <Tag color="orange">未发布修改</Tag>}{one.status === 2 && <Tag>停用</Tag>}</span>
            </button>
          ))}
        </section>
      ))}
    </nav>
  )
}

type OneProps = { form_id: string; onTyped: (typed: boolean) => void; onChanged: (form_id: string) => void }

function OneForm({ form_id, ...more }: OneProps): ReactNode {
  const query = useCall(formApi.read, { form_id })
  return <Loaded query={query}>{form => <Editor key={`${form.form_id}-${form.row_version}`} form={form} {...more} read={() => void query.refetch()} />}</Loaded>
}

type EditorProps = Omit<OneProps, 'form_id'> & { form: LeaveForm; read: () => void }

function Editor({ form, onTyped, onChanged, read }: EditorProps): ReactNode {
  const [design, setDesign] = useState<FormDesign>(form.draft)
  const [tab, setTab] = useState<'flow' | 'rules'>('flow')
  const { open, close, dialog } = useDialog()
  const is_typed = JSON.stringify(design) !== JSON.stringify(form.draft)
  const written = () => {
    onTyped(false)
    onChanged(form.form_id)
    read()
  }
  const { busy, act } = useAct([], written)
  const change = (patch: Partial<FormDesign>) => {
    setDesign(before => ({ ...before, ...patch }))
    onTyped(true)
  }
  const person_kind = form.person_kind === 1 ? 1 : form.person_kind === 2 ? 2 : 6
  const save = () => act(() => call(formApi.save, { form_id: form.form_id, form_name: form.form_name, person_kind, design, row_version: form.row_version }, { quiet: true }), { done: '草稿已保存' })
  const publish = () => (is_typed ? toast.warning('请先保存草稿再发布') : open(<PublishDialog form={form} onClose={close} onDone={written} />))
  const copy = () => open(<FormDialog of={form} onClose={close} onDone={onChanged} />)
  const versions = () => open(<VersionsDrawer form={form} onClose={close} />)
  const turn = () => act(() => call(formApi.disable, { form_id: form.form_id, disabled: form.status !== 2 }, { quiet: true }), { ask: form.status !== 2 && { title: `停用后不能再用“${form.form_name}”请假，确定停用吗？`, ok: '停用' }, done: '操作成功' })
  const more = { copy, versions, turn }
  const items = [{ key: 'copy', label: '复制' }, { key: 'versions', label: '版本记录' }, { key: 'turn', label: form.status === 2 ? '启用' : '停用' }]
  const pick = ({ key }: { key: string }) => void Object.entries(more).find(([name]) => name === key)?.[1]()
  return (
    <section className="design-editor" aria-label={form.form_name}>
      <header>
        <h2>{form.form_name}</h2>
        {form.waiting > 0 && <span className="leave-hint">正在审批 {form.waiting} 张，按提交时的版本处理</span>}
        <span className="design-buttons">
          <Can code={formApi.save}><Button loading={busy} disabled={!is_typed} onClick={() => void save()}>保存草稿</Button></Can>
          <Can code={formApi.publish}><Button type="primary" disabled={!form.has_changes && !is_typed} onClick={publish}>发布</Button></Can>
          <Dropdown trigger={['click']} menu={{ items, onClick: pick }}><Button>更多</Button></Dropdown>
        </span>
      </header>
      <PageTabs tabs={tabs} value={tab} onChange={setTab} />
      <div className="design-body">
        {tab === 'flow' ? <Flow form={form} design={design} onChange={steps => change({ steps })} /> : <RulesForm design={design} form={form} onChange={change} />}
        <Trial form={form} design={design} />
      </div>
      {dialog}
    </section>
  )
}

/** 流程: the steps as a lane, and the chosen one below it. */
function Flow({ form, design, onChange }: { form: LeaveForm; design: FormDesign; onChange: (steps: FlowStep[]) => void }): ReactNode {
  const may_edit = useCan(formApi.save)
  const [selected, select] = useState<number | null>(0)
  const { steps } = design
  const move = (from: number, to: number) => {
    const next = [...steps]
    const [moved] = next.splice(from, 1)
    if (!moved) return
    next.splice(to, 0, moved)
    onChange(next)
    select(to)
  }
  const remove = (at: number) => {
    onChange(steps.filter((_, nth) => nth !== at))
    select(at > 0 ? at - 1 : 0)
  }
  const add = () => {
    onChange([...steps, ...freshDesign(form.person_kind === 1 ? 1 : 2).steps])
    select(steps.length)
  }
  const step = selected === null ? undefined : steps[selected]
  const edits = may_edit ? { onMove: move, onRemove: remove, onAdd: add } : {}
  return (
    <div className="design-flow">
      <FlowLane label="审批步骤" cards={steps.map((one, at) => cardOf(one, at, form.person_kind, form.names))} selected={selected} onSelect={select} most={most_steps} {...edits} />
      {step && selected !== null && may_edit && (
        <>
          <h3>第{selected + 1}步 <Button type="link" size="small" danger onClick={() => remove(selected)}>删除此步</Button></h3>
          <StepEditor step={step} at={selected} form={form} design={design} onChange={next => onChange(steps.map((one, nth) => (nth === selected ? next : one)))} />
        </>
      )}
    </div>
  )
}
