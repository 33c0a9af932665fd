import { camera_type, DeviceDraft, StreamAddress } from '@campus/devices/contract'
import { foldFullWidth, nameKey, serialKey } from '@kit/contract/checks'
import type { Cells, Checked, ImportColumn, Issue, SingleKey } from '@kit/server/excel'
import type { z } from 'zod'
import type { ParsedDevice } from './device.parsed.ts'

/** One line of the sheet; null: nothing in the cell, which leaves what a known camera has. */
export type ParsedCamera = { device_sn: string; device_name: string; path: string; nvr_sn: string | null; channel: number | null; stream_url: string | null }

const most_channels = 512
const plain = { required: false, options: null, text: true } as const

/** Columns of 摄像机导入 (chapter 30 §6). A stream address goes in and never comes out. */
export const camera_columns: ImportColumn[] = [
  { ...plain, prop: 'device_sn', label: '序列号', required: true, sample: 'IPC20260001', note: '1到64位字母、数字、下划线和短横线；已登记的序列号表示修改' },
  { ...plain, prop: 'device_name', label: '名称', required: true, sample: '南门全景', note: '最多50个字' },
  { ...plain, prop: 'path', label: '场所全路径', required: true, sample: '启明实验学校/南门', note: '与场所管理中的路径一致，用“/”分隔；私密区域不能安装摄像机' },
  { ...plain, prop: 'nvr_sn', label: 'NVR序列号', sample: 'NVR20260001', note: '已登记的录像机或AI盒子' },
  { ...plain, prop: 'channel', label: '通道号', sample: '1', note: `1-${most_channels}，填写时须有录像机` },
  { ...plain, prop: 'stream_url', label: '取流地址', sample: '', secret: true, note: '以rtsp://、rtmp://或http(s)://开头；加密保存，不再显示' },
]

/** Checks one line for itself. */
export function checkCamera(cells: Cells): Checked<ParsedCamera> {
  const { device_sn = '', device_name = '', path = '', nvr_sn = '', channel: number = '', stream_url = '' } = cells
  const channel = /^\d{1,3}$/u.test(foldFullWidth(number)) ? Number(foldFullWidth(number)) : null
  const errors = [
    ...told('device_sn', device_sn, DeviceDraft.shape.device_sn, '必填项不能为空'),
    ...told('device_name', device_name, DeviceDraft.shape.device_name, '必填项不能为空'),
    ...(path === '' ? [{ prop: 'path', msg: '必填项不能为空' }] : []),
    ...(number !== '' && (channel === null || channel < 1 || channel > most_channels) ? [{ prop: 'channel', msg: `请填写1至${most_channels}的整数` }] : []),
    ...(stream_url === '' ? [] : told('stream_url', stream_url, StreamAddress, '')),
  ]
  if (device_sn === '' || device_name === '' || path === '' || errors.some(({ prop }) => prop === 'device_sn')) return { parsed: null, errors, warnings: [] }
  return { parsed: { device_sn, device_name, path, nvr_sn: nvr_sn || null, channel, stream_url: stream_url || null }, errors, warnings: [] }
}

/** Number and name stand once in a file, and a channel of a recorder too. */
export function cameraKeys({ device_sn, device_name, nvr_sn, channel }: ParsedCamera): SingleKey[] {
  const own = [{ prop: 'device_sn', key: `sn\n${serialKey(device_sn)}`, msg: (row_no: number) => `文件内序列号重复（第${row_no}行）` }, { prop: 'device_name', key: `name\n${nameKey(device_name)}` }]
  return nvr_sn === null || channel === null ? own : [...own, { prop: 'channel', key: `channel\n${serialKey(nvr_sn)}\n${channel}`, msg: row_no => `通道${channel}已在第${row_no}行使用` }]
}

/** The same line as a sheet of devices would have it. */
export function deviceLine({ device_sn, device_name, path, nvr_sn }: ParsedCamera): ParsedDevice {
  return { device_sn, device_name, device_type: camera_type, model_code: 'IPC-4M', driver: 'camera', path, direction: 3, parent_sn: nvr_sn, ip: null, mac: null, note: null }
}

function told(prop: string, text: string, schema: z.ZodType, empty: string): Issue[] {
  if (text === '') return [{ prop, msg: empty }]
  const { error } = schema.safeParse(text)
  return error ? [{ prop, msg: error.issues[0]?.message ?? '格式不正确' }] : []
}
