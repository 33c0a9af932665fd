import { DEVICE_TYPE } from '@campus/devices/contract'
import { checkIpv4, checkNoSpecial, nameKey, serialKey } from '@kit/contract/checks'
import type { Cells, Checked, ImportColumn, SingleKey } from '@kit/server/excel'

type Direction = 1 | 2 | 3
/** One line of the sheet; null: nothing in the cell. */
export type ParsedDevice = { device_sn: string; device_name: string; device_type: string; model_code: string; driver: string; path: string; direction: Direction; parent_sn: string | null; ip: string | null; mac: string | null; note: string | null }
/** The hardware that the product knows, by code and by name. */
export type DeviceWords = { models: ReadonlyMap<string, KnownModel> }
type KnownModel = { model_code: string; model_name: string; device_type: string; driver: string }

const directions: Readonly<Record<string, Direction>> = { 进: 1, 出: 2, 双向: 3 }
const [longest_name, longest_note] = [50, 200] as const
const any_type = '99'
const types = new Map<string, string>(DEVICE_TYPE.codes.map(code => [DEVICE_TYPE.names[code], code]))
const plain = { required: false, options: null, text: true } as const

/** Columns of 设备导入 (chapter 30 §6). */
export const device_columns: ImportColumn[] = [
  { ...plain, prop: 'device_sn', label: '设备序列号', required: true, sample: 'SN20260001', note: '1到64位字母、数字、下划线和短横线；已登记的序列号表示修改' },
  { ...plain, prop: 'device_name', label: '设备名称', required: true, sample: '南门-1 进', note: `最多${longest_name}个字` },
  { ...plain, prop: 'device_type', label: '设备类型', required: true, options: [...types.keys()], sample: '人脸识别终端' },
  { ...plain, prop: 'model_code', label: '型号', required: true, sample: 'JD-F10' },
  { ...plain, prop: 'path', label: '场所全路径', required: true, sample: '启明实验学校/南门', note: '与场所管理中的路径一致，用“/”分隔' },
  { ...plain, prop: 'direction', label: '方向', options: Object.keys(directions), sample: '进', note: '不填为双向' },
  { ...plain, prop: 'parent_sn', label: '上级设备序列号', sample: '' },
  { ...plain, prop: 'ip', label: 'IP地址', sample: '192.168.1.20' },
  { ...plain, prop: 'mac', label: 'MAC', sample: '00:11:22:33:44:55' },
  { ...plain, prop: 'note', label: '备注', sample: '' },
]

/** Checks one line for itself. */
export function checkDevice({ models }: DeviceWords, cells: Cells): Checked<ParsedDevice> {
  const { device_sn = '', device_name = '', device_type: type_name = '', model_code: model_name = '', path = '', direction: way = '', parent_sn = '', ip = '', mac = '', note = '' } = cells
  const [device_type, model, direction] = [types.get(type_name), models.get(model_name), way === '' ? 3 : directions[way]]
  const errors = [
    issue('device_sn', device_sn === '' ? '设备序列号不能为空' : !/^[A-Za-z0-9_-]{1,64}$/u.test(device_sn) && '设备序列号由1到64位字母、数字、下划线和短横线组成'),
    issue('device_name', device_name === '' ? '必填项不能为空' : [...device_name].length > longest_name ? `超过${longest_name}个字` : checkNoSpecial(device_name)),
    issue('device_type', type_name === '' ? '必填项不能为空' : !device_type && '字典值不存在'),
    issue('model_code', model_name === '' ? '必填项不能为空' : !model ? `型号“${model_name}”不存在` : device_type !== undefined && model.device_type !== device_type && model.device_type !== any_type && '型号与设备类型不一致'),
    issue('path', path === '' && '必填项不能为空'),
    issue('direction', direction === undefined && '方向为进、出或双向'),
    issue('ip', ip !== '' && checkIpv4(ip)),
    issue('mac', mac !== '' && !/^([0-9A-Fa-f]{2}:){5}[0-9A-Fa-f]{2}$/u.test(mac) && 'MAC地址格式为00:11:22:33:44:55'),
    issue('note', [...note].length > longest_note && `超过${longest_note}个字`),
  ].flat()
  if (device_sn === '' || device_name === '' || !device_type || !model || path === '' || !direction || errors.some(({ prop }) => prop === 'device_sn')) return { parsed: null, errors, warnings: [] }
  return { parsed: { device_sn, device_name, device_type, model_code: model.model_code, driver: model.driver, path, direction, parent_sn: parent_sn || null, ip: ip || null, mac: mac || null, note: note || null }, errors, warnings: [] }
}

/** Number and name stand once in a file. */
export function deviceKeys({ device_sn, device_name }: ParsedDevice): SingleKey[] {
  return [{ prop: 'device_sn', key: `sn\n${serialKey(device_sn)}`, msg: row_no => `文件内序列号重复（第${row_no}行）` }, { prop: 'device_name', key: `name\n${nameKey(device_name)}` }]
}

/** The words of a direction. */
export function directionName(direction: number | null): string {
  return Object.keys(directions).find(name => directions[name] === direction) ?? ''
}

function issue(prop: string, msg: string | false | null | undefined) {
  return msg ? [{ prop, msg }] : []
}
