import { configApi, ConfigDraft } from '@campus/devices/contract'
import type { ConfigProfile } from '@campus/devices/contract'
import { AppDrawer, call, Loading, mayDiscard, useSaving, validValues } from '@kit/web'
import { Alert, Button, Form, Input, Select, TreeSelect } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { useModels } from '../use-devices.ts'
import { usePlaceChoices } from '../use-places.ts'
import { DeviceSelect } from '../rule/device-select.tsx'
import { profileValues, settingsOf } from './config-draft.ts'
import type { ProfileValues } from './config-draft.ts'
import { ProfilePreview } from './profile-preview.tsx'
import { SettingForm } from './setting-form.tsx'
import { useConfigChanged, useConfigKeys, useConfigPreview } from './use-config.ts'

type Props = { profile: ConfigProfile | null; is_copy: boolean; onClose: () => void }
const homes = { 'devices.configNameTaken': 'profile_name', 'devices.configCanary': 'canary_device_id', 'devices.configCanaryAim': 'canary_device_id', 'devices.configCanaryOffline': 'canary_device_id' }
const connecting: readonly string[] = ['jdev', 'vf105']

/** Writes a profile: for whom, every setting that is decided, and what saving would change. */
export function ProfileDrawer({ profile, is_copy, onClose }: Props): ReactNode {
  const [form] = Form.useForm<ProfileValues>()
  const [is_tried, tryAgain] = useState(false)
  const now: Partial<ProfileValues> | undefined = Form.useWatch([], form)
  const model_code = now?.model_code ?? null
  const keys = useConfigKeys(model_code).data
  const models = useModels().data ?? []
  const places = usePlaceChoices()
  const before = is_copy ? null : profile
  const kept = before?.secret_keys ?? []
  const { busy, refused, run } = useSaving(form, homes)
  const changed = useConfigChanged()
  const draftOf = (values: Partial<ProfileValues>) => ({ ...values, model_code: values.model_code ?? null, ...settingsOf(values.values, keys ?? [], kept) })
  const draft = now && keys ? ConfigDraft.safeParse({ ...draftOf(now), profile_name: now.profile_name || '预览' }).data : undefined
  const seen = useConfigPreview(draft ? { ...draft, ...(before ? { profile_id: before.profile_id } : {}) } : null).data
  const leave = async () => {
    if (!form.isFieldsTouched() || (await mayDiscard())) onClose()
  }
  const save = async () => {
    const values = await validValues(form)
    if (!values || !keys) return
    const sent = draftOf(values)
    const send = () => before ? call(configApi.update, { id: before.profile_id, row_version: before.row_version, ...sent, profile_name: values.profile_name }, { quiet: true }) : call(configApi.add, { ...sent, profile_name: values.profile_name }, { quiet: true })
    if (!(await run(send, seen?.is_dangerous ? '已在试点设备上开始验证' : '设置成功'))) return
    await changed()
    onClose()
  }
  return (
    <AppDrawer size={960} title={before ? '编辑方案' : '新增方案'} onClose={() => void leave()} extra={<Button type="primary" loading={busy} disabled={before?.trial?.state === 'waiting'} onClick={() => void save()}>保存</Button>}>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {before && <LastTrial profile={before} onAgain={is_tried ? undefined : () => { tryAgain(true); form.setFieldsValue(profileValues(before, false, true)) }} />}
      <Form form={form} name="config-profile" layout="vertical" className="config-form" initialValues={profileValues(profile, is_copy, false)}>
        <Form.Item name="profile_name" label="方案名称" required rules={[{ required: true, message: '请填写方案名称' }]}><Input maxLength={30} showCount /></Form.Item>
        <Form.Item name="model_code" label="型号" extra="不选则适用于全部型号"><Select allowClear placeholder="全部型号" options={models.filter(model => connecting.includes(model.driver)).map(model => ({ value: model.model_code, label: `${model.model_code} ${model.model_name}` }))} /></Form.Item>
        <Form.Item name="place_ids" label="适用场所" extra="包括全部下级；场所和设备都不选，则适用于整个型号或全校"><TreeSelect multiple allowClear maxTagCount={4} showSearch={{ treeNodeFilterProp: 'title' }} treeData={places} placeholder="选择场所" /></Form.Item>
        <Form.Item name="device_ids" label="另外指定设备"><DeviceSelect known={profile?.devices ?? []} /></Form.Item>
        {keys ? <SettingForm keys={keys} kept={kept} /> : <Loading rows={8} />}
        {seen?.is_dangerous && (
          <Form.Item className="config-wide" name="canary_device_id" label="试点设备" required extra="含网络或服务器地址的修改，先在这一台上验证。120秒内没有用新设置连接回来就自动回退，其他设备不受影响。">
            <Select showSearch={{ optionFilterProp: 'label' }} placeholder={seen.canaries.length === 0 ? '适用范围内没有在线的设备' : '选择一台在线的设备'} options={seen.canaries.map(one => ({ value: one.id, label: one.name }))} />
          </Form.Item>
        )}
      </Form>
      {seen && <ProfilePreview seen={seen} />}
    </AppDrawer>
  )
}

/** How the last dangerous change went; what was refused can be taken up again. */
function LastTrial({ profile: { trial }, onAgain }: { profile: ConfigProfile; onAgain: (() => void) | undefined }): ReactNode {
  if (trial?.state === 'waiting') return <Alert className="config-trial" type="info" showIcon title={`正在“${trial.canary_name}”上验证上一次修改，结束后才能再改`} />
  if (trial?.state !== 'failed') return null
  return <Alert className="config-trial" type="warning" showIcon title={`上一次修改没有通过：${trial.text ?? ''}`} description={`试点设备“${trial.canary_name}”，修改已自动撤回。`} action={onAgain && <Button size="small" onClick={onAgain}>载入未通过的修改</Button>} />
}
