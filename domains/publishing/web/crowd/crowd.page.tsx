import { deptApi } from '@campus/people/contract'
import { crowdApi, crowdList, scene_names, shared_names } from '@campus/publishing/contract'
import type { CrowdDraft, CrowdRow } from '@campus/publishing/contract'
import { AppModal, call, Can, fieldsOf, Filters, leaving, ListPage, Table, useCan, useDictionary, useResourceList, useSaving, useSettled, validValues } from '@kit/web'
import { useAct, useDialog } from '@kit/web/act'
import { Loaded, useCall } from '@kit/web/part'
import { Link } from '@tanstack/react-router'
import { Alert, Button, Form, Input, Radio, Select, TreeSelect } from 'antd'
import type { ReactNode } from 'react'
import '../publishing.css'

const fields = fieldsOf(crowdList, { name: { default_action: true, cell: row => <Link className="kit-link" to="/Information/user" search={{ crowd_id: row.id }}>{row.name}</Link> } })
type Frame = { onClose: () => void; onDone: () => void }
type Rule = CrowdDraft['rule']
type Node = { id: string; label: string; children: Node[] }
type TreeNode = { value: string; title: string; children: TreeNode[] }
const toTree = (nodes: readonly Node[]): TreeNode[] => nodes.map(node => ({ value: node.id, title: node.label, children: toTree(node.children) }))
const empty_rule: Rule = { dept_ids: [], grades: [], stages: [], sexes: [], study_methods: [], tag_ids: [], by_bus: null }

/** 通知人群管理: saved audiences by rule and by hand (chapter 60 §5). */
export default function Crowds(): ReactNode {
  const list = useResourceList(crowdApi.list, fields)
  const { open, close, dialog } = useDialog()
  const { act } = useAct([], () => void list.refresh())
  const edit = (crowd: CrowdRow | null) => open(<CrowdDialog crowd={crowd} onClose={close} onDone={() => void list.refresh()} />)
  const remove = (row: CrowdRow) => act(() => call(crowdApi.remove, { id: row.id }, { quiet: true }), { ask: { title: `删除人群“${row.name}”？已发布的通知不受影响`, ok: '删除' }, done: '已删除' })
  return (
    <ListPage of={list} filters={<Filters of={list} show={['keyword', 'scene', 'shared']} />} actions={<Can code={crowdApi.add}><Button type="primary" onClick={() => edit(null)}>新建人群</Button></Can>}>
      <Table of={list} show={['name', 'scene', 'rule_text', 'members', 'manual', 'shared', 'last_used_at']} more={['author_name', 'updated_at']} row={rowActs(edit, row => void remove(row))} row_width={120} empty="还没有人群：把常用的接收人群保存下来，发通知时直接选用" />
      {dialog}
    </ListPage>
  )
}

function rowActs(edit: (row: CrowdRow) => void, remove: (row: CrowdRow) => void): (row: CrowdRow) => ReactNode {
  return row => (
    <Can code={crowdApi.update}>
      <Button type="link" size="small" aria-label={`编辑 ${row.name}`} onClick={() => edit(row)}>编辑</Button>
      <Button type="link" size="small" danger aria-label={`删除 ${row.name}`} onClick={() => remove(row)}>删除</Button>
    </Can>
  )
}

function CrowdDialog({ crowd, onClose, onDone }: Frame & { crowd: CrowdRow | null }): ReactNode {
  const [form] = Form.useForm<CrowdDraft>()
  const { busy, refused, run } = useSaving(form, { 'publishing.crowdNameTaken': 'name' })
  const first: CrowdDraft = crowd ?? { name: '', scene: 1, shared: 0, rule: empty_rule }
  const shown = Form.useWatch([], form) ?? first
  const save = async () => {
    const values = await validValues(form)
    if (!values) return
    const draft = { name: values.name, scene: values.scene, shared: values.shared, rule: { ...empty_rule, ...crowd?.rule, ...values.rule } }
    if (!(await run(() => (crowd === null ? call(crowdApi.add, draft, { quiet: true }) : call(crowdApi.update, { ...draft, id: crowd.id, row_version: crowd.row_version }, { quiet: true })), '已保存'))) return
    onDone()
    onClose()
  }
  return (
    <AppModal open width={640} title={crowd === null ? '新建人群' : '编辑人群'} okText="保存" confirmLoading={busy} onOk={() => void save()} onCancel={leaving(form, onClose)}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="crowd" layout="vertical" initialValues={first}>
        <Form.Item name="name" label="人群名称" rules={[{ required: true, whitespace: true, message: '请填写人群名称' }]}><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="scene" label="对象"><Radio.Group disabled={crowd !== null} options={Object.entries(scene_names).map(([value, label]) => ({ value: Number(value), label }))} /></Form.Item>
        <Form.Item name="shared" label="谁可以使用"><Radio.Group options={Object.entries(shared_names).map(([value, label]) => ({ value: Number(value), label }))} /></Form.Item>
        <RuleFields scene={shown.scene} />
        <Count scene={shown.scene} rule={{ ...empty_rule, ...shown.rule }} />
      </Form>
    </AppModal>
  )
}

function RuleFields({ scene }: { scene: number }): ReactNode {
  const tree = useCall(deptApi.tree, { tree: scene === 1 ? 'student' : 'staff' }, { enabled: useCan(deptApi.tree) })
  const words = { grades: useDictionary('GRADE'), stages: useDictionary('STAGE'), sexes: useDictionary('SEX'), study_methods: useDictionary('STUDY_METHOD') }
  const labels = scene === 1 ? ([['grades', '年级'], ['stages', '学段'], ['sexes', '性别'], ['study_methods', '就读方式']] as const) : ([['sexes', '性别']] as const)
  return (
    <>
      <Form.Item name={['rule', 'dept_ids']} label="部门班级"><TreeSelect treeCheckable showCheckedStrategy={TreeSelect.SHOW_PARENT} allowClear treeData={toTree(tree.data?.list ?? [])} showSearch={{ treeNodeFilterProp: 'title' }} placeholder="不限" /></Form.Item>
      {labels.map(([name, label]) => <Form.Item key={name} name={['rule', name]} label={label}><Select mode="multiple" allowClear placeholder="不限" options={words[name]} /></Form.Item>)}
      {scene === 1 && <Form.Item name={['rule', 'by_bus']} label="校车"><Select allowClear placeholder="不限" options={[{ value: true, label: '乘坐校车' }, { value: false, label: '不乘校车' }]} /></Form.Item>}
    </>
  )
}

/** How many the rule holds for now; every filled part must hold. */
function Count({ scene, rule }: { scene: number; rule: Rule }): ReactNode {
  const settled = useSettled(JSON.stringify({ ...rule, by_bus: rule.by_bus ?? null }))
  const asked: Rule = JSON.parse(settled)
  const query = useCall(crowdApi.count, { scene, rule: asked }, { keep: true })
  return (
    <Loaded query={query} rows={1}>
      {({ total, sample }) => <Alert type="info" showIcon title={total === 0 ? '规则没有选中任何人，可只用手动成员' : `规则选中 ${total} 人：${sample.slice(0, 8).join('、')}${total > 8 ? '…' : ''}`} />}
    </Loaded>
  )
}
