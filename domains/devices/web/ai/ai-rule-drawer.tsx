import type { AiRule } from '@campus/devices/contract'
import { AppDrawer } from '@kit/web'
import { readNumber } from '@kit/web/number'
import { Alert, Button, Form, Input, InputNumber, Select, Tabs } from 'antd'
import type { ReactNode } from 'react'
import { WindowRows } from '../rule/window-rows.tsx'
import { kind_options, kindName } from './ai-words.ts'
import { RoiEditor } from './roi-editor.tsx'
import { BoxLines } from './rule-boxes.tsx'
import { useAiRuleForm, valuesOf } from './use-ai-rule-form.ts'
import { useAiRoles, useCameraChoices } from './use-ai-rules.ts'

type Props = { rule: AiRule | null; is_copy?: boolean; onClose: () => void }

/** Writes a rule of boxes: what is warned of, through which cameras, in which part of the picture, when, and who is told. */
export function AiRuleDrawer({ rule, is_copy = false, onClose }: Props): ReactNode {
  const { form, windows, changeWindows, areas, changeArea, shown, show, faults, area_faults, forget, busy, refused, save, leave } = useAiRuleForm({ rule, is_copy, onClose })
  const kind = Form.useWatch('warn_kind', form)
  const chosen = Form.useWatch('camera_ids', form) ?? []
  const cameras = useCameraChoices(kind, rule, chosen)
  const unfit = cameras.filter(camera => !camera.is_fit)
  const roles = useAiRoles().data ?? []
  const seconds = <InputNumber className="kit-fill" precision={0} parser={readNumber} suffix="秒" />
  return (
    <AppDrawer size={960} title={rule && !is_copy ? '编辑AI预警规则' : '新增AI预警规则'} onClose={() => void leave()} extra={<Button type="primary" loading={busy} onClick={() => void save()}>保存</Button>}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      <Form form={form} name="ai-rule" layout="vertical" className="ai-form" initialValues={valuesOf(rule, is_copy)} onValuesChange={forget}>
        <Form.Item name="rule_name" label="规则名称" required><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="warn_kind" label="预警类型" required><Select options={kind_options} placeholder="选择预警类型" /></Form.Item>
        <Form.Item name="sensitivity" label="灵敏度" extra="1到100，越大越容易预警"><InputNumber className="kit-fill" precision={0} parser={readNumber} /></Form.Item>
        <Form.Item className="ai-form-wide" name="camera_ids" label="摄像机" required extra={kind ? '只列出在线、已绑定支持该类型的AI盒子、且不在私密区域的摄像机' : '先选择预警类型'}>
          <Select mode="multiple" allowClear disabled={!kind} maxTagCount={6} showSearch={{ optionFilterProp: 'label' }} options={cameras.map(({ id, name, place }) => ({ value: id, label: place ? `${name}（${place}）` : name }))} placeholder="选择摄像机" notFoundContent="没有可用的摄像机，请先在“视频监控”把摄像机绑定到支持该类型的AI盒子" />
        </Form.Item>
        {kind && unfit.length > 0 && <Alert className="ai-form-wide" type="warning" showIcon title={`${unfit.map(camera => camera.name).join('、')}现在不能用于“${kindName(kind)}”：不在线，或没有绑定支持该类型的AI盒子`} />}
        <Form.Item name="dwell_sec" label="停留时间" extra="目标停留多久才预警，0为立即，最多600秒">{seconds}</Form.Item>
        <Form.Item name="merge_sec" label="合并时间" extra="间隔在此时间内的合并为一条，10到3600秒">{seconds}</Form.Item>
        <Form.Item name="notify_role_ids" label="通知角色" extra="不选则通知场所负责人"><Select mode="multiple" allowClear maxTagCount={3} options={roles.map(role => ({ value: role.role_id, label: role.role_name }))} placeholder="场所负责人" /></Form.Item>
      </Form>
      {chosen.length > 0 && (
        <>
          <h3>检测区域</h3>
          <Tabs size="small" activeKey={chosen.includes(shown) ? shown : chosen[0]} onChange={show} items={cameras.filter(camera => chosen.includes(camera.id)).map(({ id, name }) => ({
            key: id, label: `${name}${(areas[id]?.length ?? 0) > 0 ? ' ●' : ''}`,
            children: (
              <>
                {area_faults.has(id) && <p className="rule-fault" role="alert">{`${area_faults.get(id) ?? ''}，请继续点击画面添加，或清除后检测整个画面`}</p>}
                <RoiEditor camera_id={id} camera_name={name} roi={areas[id] ?? []} change={roi => changeArea(id, roi)} />
              </>
            ),
          }))} />
        </>
      )}
      <h3>生效时段<small className="device-quiet">不添加时段为全天生效</small></h3>
      <WindowRows kind={2} windows={windows} faults={faults} change={changeWindows} />
      {rule && !is_copy && rule.boxes.length > 0 && <><h3>执行设备</h3><BoxLines rule={rule} /></>}
    </AppDrawer>
  )
}
