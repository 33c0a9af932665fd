import type { AiRule } from '@campus/devices/contract'
import { AppDrawer } from '@kit/web'
import { Alert, Button, Form, Input, InputNumber, Select, Tabs } from 'antd'
import type { ReactNode } from 'react'
import { WindowRows } from '../rule/window-rows.tsx'
import { kind_options } from './ai-words.ts'
import { RoiEditor } from './roi-editor.tsx'
import { useAiRuleForm } from './use-ai-rule-form.ts'
import { useAiRoles, useValidCameras } from './use-ai-rules.ts'

const beginning = { sensitivity: 60, dwell_sec: 0, merge_sec: 120, camera_ids: [], notify_role_ids: [] }

/** Writes a rule of boxes: what is warned of, through which cameras, in which part of the picture, when, and who is told. */
export function AiRuleDrawer({ rule, onClose }: { rule: AiRule | null; onClose: () => void }): ReactNode {
  const { form, windows, changeWindows, areas, changeArea, faults, busy, refused, save, leave } = useAiRuleForm(rule, onClose)
  const kind = Form.useWatch('warn_kind', form)
  const chosen = Form.useWatch('camera_ids', form) ?? []
  const cameras = useCameras(kind, rule)
  const roles = useAiRoles().data ?? []
  return (
    <AppDrawer size={960} title={rule ? '编辑AI预警规则' : '新增AI预警规则'} onClose={() => void leave()} extra={<Button type="primary" loading={busy} onClick={() => void save()}>保存</Button>}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="ai-rule" layout="vertical" className="ai-form" initialValues={rule ? { ...rule, camera_ids: rule.cameras.map(camera => camera.camera_device_id), notify_role_ids: rule.notify_roles.map(role => role.role_id) } : beginning}>
        <Form.Item name="rule_name" label="规则名称" required><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="warn_kind" label="预警类型" required><Select options={kind_options} /></Form.Item>
        <Form.Item name="sensitivity" label="灵敏度" extra="1到100，越大越容易预警"><InputNumber className="kit-fill" min={1} max={100} precision={0} /></Form.Item>
        <Form.Item className="ai-form-wide" name="camera_ids" label="摄像机" required extra={kind ? '只列出在线、已绑定支持该类型的AI盒子、且不在私密区域的摄像机' : '先选择预警类型'}>
          <Select mode="multiple" allowClear disabled={!kind} maxTagCount={6} showSearch={{ optionFilterProp: 'label' }} options={cameras.map(({ id, name, place }) => ({ value: id, label: place ? `${name}（${place}）` : name }))} placeholder="选择摄像机" />
        </Form.Item>
        <Form.Item name="dwell_sec" label="停留时间" extra="目标停留多久才预警，0为立即"><InputNumber className="kit-fill" min={0} max={600} precision={0} suffix="秒" /></Form.Item>
        <Form.Item name="merge_sec" label="合并时间" extra="间隔在此时间内的合并为一条"><InputNumber className="kit-fill" min={10} max={3600} precision={0} suffix="秒" /></Form.Item>
        <Form.Item name="notify_role_ids" label="通知角色" extra="不选则通知场所负责人"><Select mode="multiple" allowClear maxTagCount={3} options={roles.map(role => ({ value: role.role_id, label: role.role_name }))} placeholder="场所负责人" /></Form.Item>
      </Form>
      {chosen.length > 0 && (
        <>
          <h3>检测区域</h3>
          <Tabs size="small" items={cameras.filter(camera => chosen.includes(camera.id)).map(({ id, name }) => ({
            key: id, label: `${name}${(areas[id]?.length ?? 0) > 0 ? ' ●' : ''}`,
            children: <RoiEditor camera_id={id} camera_name={name} roi={areas[id] ?? []} change={roi => changeArea(id, roi)} />,
          }))} />
        </>
      )}
      <h3>生效时段<small className="device-quiet">不添加时段为全天生效</small></h3>
      <WindowRows kind={2} windows={windows} faults={faults} change={changeWindows} />
    </AppDrawer>
  )
}

type Choice = { id: string; name: string; place: string | null }

/** The cameras to choose from: those that can, and those that the rule has already. */
function useCameras(kind: AiRule['warn_kind'] | undefined, rule: AiRule | null): Choice[] {
  const valid = useValidCameras(kind).data ?? []
  const all: Choice[] = [
    ...(rule?.cameras ?? []).map(camera => ({ id: camera.camera_device_id, name: camera.camera_name, place: camera.node_path_name })),
    ...valid.map(camera => ({ id: camera.camera_device_id, name: camera.camera_name, place: camera.node_path_name })),
  ]
  return [...new Map(all.map(camera => [camera.id, camera])).values()]
}
