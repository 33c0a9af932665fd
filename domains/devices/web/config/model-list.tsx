import type { DeviceModel } from '@campus/devices/contract'
import { dictionaryName, Loading, sentenceOf } from '@kit/web'
import { Alert, Button, Table, Tag, Tooltip } from 'antd'
import type { TableColumnType } from 'antd'
import type { ReactNode } from 'react'
import { z } from 'zod'
import { useModels } from '../use-devices.ts'

const Limits = z.object({ rows_per_command: z.number(), photo_max_bytes: z.number(), max_persons: z.number(), max_faces: z.number(), max_cards: z.number(), password_lengths: z.array(z.number()), channels: z.number() }).partial()
const kib = 1024
const sources = { documented: { label: '厂家文档', color: 'default', why: '按厂家文档填写' }, measured: { label: '实测', color: 'green', why: '由平台管理员在真实设备上测得' }, assumed: { label: '假定', color: 'orange', why: '厂家没有说明，按常见值假定；接入第一台设备后应请平台管理员实测' } } as const
/** How hardware is spoken to; a family that is not here yet is shown by its own name. */
const drivers: Readonly<Record<string, string>> = { jdev: '自有协议', vf105: 'VF105协议', gateway_child: '经上级设备', camera: '摄像机', manual: '不联网' }

/** 型号限额: how each model is spoken to and what it takes; what is more than that is refused here and not at the gate. */
export function ModelList(): ReactNode {
  const query = useModels()
  if (query.isPending) return <Loading rows={8} />
  if (query.error) return <Alert type="error" showIcon title={sentenceOf(query.error)} action={<Button onClick={() => void query.refetch()}>重试</Button>} />
  return (
    <>
      <p className="device-hint">超出限额的数据不会下发，在设备的“下发数据”中显示为“阻止”及原因。限额由平台管理员维护。</p>
      <Table<DeviceModel> size="small" rowKey="model_code" pagination={false} dataSource={query.data.toSorted((a, b) => Number(isLimited(b)) - Number(isLimited(a)))} columns={columns} />
    </>
  )
}

const columns: TableColumnType<DeviceModel>[] = [
  { title: '型号', width: 210, render: (_value, one) => <>{one.model_code}<small className="device-quiet">{one.model_name}</small></> },
  { title: '类型', width: 120, render: (_value, one) => dictionaryName('DEVICE_TYPE', one.device_type) },
  { title: '接入方式', width: 120, render: (_value, one) => drivers[one.driver] ?? one.driver },
  number('人员', one => one.max_persons), number('人脸', one => one.max_faces), number('卡片', one => one.max_cards), number('每次行数', one => one.rows_per_command),
  number('照片上限', one => (one.photo_max_bytes === undefined ? undefined : `${Math.floor(one.photo_max_bytes / kib)} KB`)),
  number('密码位数', one => one.password_lengths?.join('、')),
  { title: '固件', width: 110, render: (_value, one) => one.firmware_kinds.map(kind => (kind === 'ad_zip' ? 'zip' : kind)).join('、') },
  { title: '依据', width: 96, render: (_value, one) => (!isLimited(one) ? '' : <Tooltip title={sources[one.limits_source].why}><Tag color={sources[one.limits_source].color}>{sources[one.limits_source].label}</Tag></Tooltip>) },
]

/** Whether anything is known of how much a model takes. */
function isLimited({ limits }: DeviceModel): boolean {
  return Limits.catch({}).parse(limits).max_persons !== undefined
}

function number(title: string, value: (limits: z.output<typeof Limits>) => number | string | undefined): TableColumnType<DeviceModel> {
  return { title, width: 90, align: 'right', render: (_value, one) => value(Limits.catch({}).parse(one.limits)) ?? '' }
}
