import { configApi, row_states } from '@campus/devices/contract'
import type { DeviceConfig, DeviceSetting } from '@campus/devices/contract'
import { call, confirmDanger, instantText, Loading, sentenceOf, useCan, useSaving } from '@kit/web'
import { useQuery } from '@tanstack/react-query'
import { Alert, Button, Form, Table, Tag } from 'antd'
import type { TableColumnType } from 'antd'
import { useState } from 'react'
import type { ReactNode } from 'react'
import { settingsOf } from './config-draft.ts'
import type { ProfileValues } from './config-draft.ts'
import { EffectMark, SourceChip } from './setting-mark.tsx'
import { SettingInput, valueText } from './setting-input.tsx'
import { useAgain, useConfigChanged } from './use-config.ts'

const state_colors = { refused: 'red', blocked: 'orange', unknown: 'gold', sent: 'blue', pending: 'blue', applied: 'green', proven: 'green', gone: 'default' } as const

/** The settings of one device; what is typed holds for it alone, before everything else. `mark` hears whether something is typed and not saved. */
export function DeviceSettings({ device_id, mark }: { device_id: string; mark: (is_typed: boolean) => void }): ReactNode {
  // What is typed stays as it is and on what it was typed, whoever else has changed the settings meanwhile.
  const [typed_on, typeOn] = useState<number | null>(null)
  const query = useQuery({ queryKey: [configApi.read.call, device_id], queryFn: ({ signal }) => call(configApi.read, { id: device_id }, { signal, quiet: true }), retry: false })
  useAgain(query.data?.trial?.state === 'waiting' || (query.data?.list.some(one => one.state === 'pending' || one.state === 'sent') ?? false))
  if (query.isPending) return <Loading rows={8} />
  if (query.error) return <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />
  const row_version = typed_on ?? query.data.row_version
  const type = (is_typed: boolean) => {
    typeOn(is_typed ? row_version : null)
    mark(is_typed)
  }
  return <Settings key={row_version} config={{ ...query.data, row_version }} type={type} />
}

function Settings({ config, type }: { config: DeviceConfig; type: (is_typed: boolean) => void }): ReactNode {
  const [form] = Form.useForm<Pick<ProfileValues, 'values'>>()
  const { busy, refused, run } = useSaving(form)
  const changed = useConfigChanged()
  const may_edit = useCan(configApi.write)
  const { list, device_id, row_version, reported_at, trial } = config
  const is_waiting = trial?.state === 'waiting'
  const keys = list.map(one => one.key)
  const save = async () => {
    const { values } = form.getFieldsValue()
    const sent = settingsOf(values, keys, list.filter(one => one.source === 'device' && one.key.kind === 'secret').map(one => one.key.key))
    const dangerous = list.filter(one => one.key.is_dangerous && ((sent.values[one.key.key] ?? null) !== one.own || typeof sent.secrets[one.key.key] === 'string'))
    const touches = `将修改${dangerous.map(one => one.key.title).join('、')}。设备120秒内没有用新设置连接回来就自动回退；不能自行回退的型号需要到现场恢复。`
    if (dangerous.length > 0 && !(await confirmDanger({ title: `修改“${config.device_name}”的网络设置？`, touches, ok: '修改' }))) return
    if (!(await run(() => call(configApi.write, { id: device_id, row_version, ...sent }, { quiet: true }), dangerous.length > 0 ? '已开始验证' : '设置成功'))) return
    await changed()
    type(false)
  }
  return (
    <Form form={form} name="device-settings" initialValues={{ values: Object.fromEntries(list.map(one => [one.key.key, one.own])) }} disabled={!may_edit || is_waiting} onValuesChange={() => type(true)}>
      <div className="config-head">
        <span className="device-hint">{reported_at === null ? '设备还没有报告过它的设置' : `设备于${instantText(reported_at)}报告`}</span>
        {may_edit && <Button type="primary" loading={busy} onClick={() => void save()}>保存</Button>}
      </div>
      {refused !== null && <Alert type="warning" showIcon title={refused} />}
      {is_waiting && <Alert type="info" showIcon title="网络设置正在验证，120秒内没有连接回来就自动回退" />}
      {trial?.state === 'failed' && <Alert type="warning" showIcon title={`网络设置没有通过，已撤回：${trial.text ?? ''}`} />}
      {[...Map.groupBy(list, one => one.key.section)].map(([section, of]) => (
        <section key={section}>
          <h3>{section}</h3>
          <Table<DeviceSetting> size="small" rowKey={one => one.key.key} tableLayout="fixed" pagination={false} dataSource={of} columns={columns} />
        </section>
      ))}
    </Form>
  )
}

const columns: TableColumnType<DeviceSetting>[] = [
  { title: '设置', width: 200, render: (_value, { key }) => <>{key.title} <EffectMark effect={key.effect} is_dangerous={key.is_dangerous} />{key.hint && <small className="device-quiet">{key.hint}</small>}</> },
  { title: '单独设置', width: 210, render: (_value, one) => <Form.Item className="config-cell" name={['values', one.key.key]}><SettingInput setting={one.key} placeholder={one.is_set && one.source !== 'device' ? `沿用 ${valueText(one.key, one.desired ?? '')}` : one.is_set && one.key.kind === 'secret' ? '已设置，不修改请留空' : '不设置'} /></Form.Item> },
  { title: '来源', width: 90, render: (_value, one) => one.source && <SourceChip source={one.source} name={one.source_name} /> },
  { title: '设备实际', width: 120, render: (_value, one) => <Reported one={one} /> },
  { title: '状态', width: 96, render: (_value, { state, sentence }) => state && <><Tag color={state_colors[state]}>{row_states[state]}</Tag>{state !== 'applied' && state !== 'proven' && <small className="device-quiet">{sentence}</small>}</> },
]

function Reported({ one: { key, reported, is_same } }: { one: DeviceSetting }): ReactNode {
  if (reported === null) return <span className="device-quiet">{key.kind === 'secret' ? '不显示' : '未报告'}</span>
  return is_same === false ? <Tag color="red">{valueText(key, reported)}</Tag> : valueText(key, reported)
}
