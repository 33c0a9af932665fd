import { importTemplate } from '@kit/server/excel'
import type { DevicesDb } from '../db.ts'
import { readModels } from '../model.queries.ts'
import { applyDevices } from './device.apply.ts'
import { judgeDevice, loadDevices } from './device.judge.ts'
import type { DeviceSnapshot } from './device.judge.ts'
import { checkDevice, device_columns, deviceKeys } from './device.parsed.ts'
import type { DeviceWords, ParsedDevice } from './device.parsed.ts'
import { deviceUndo } from './device.undo.ts'

/** 设备导入: one line a device (chapter 30 §6). */
export const deviceTemplate = importTemplate<DevicesDb, DeviceWords, ParsedDevice, DeviceSnapshot>({
  code: 'device',
  page: '/DeviceControl',
  title: '设备导入',
  file_name: '设备导入模板.xlsx',
  sheet: '设备导入',
  notes: ['填写说明：红色列为必填；按设备序列号匹配，已登记的设备修改名称、场所等，没有的新增。', '导入的设备为“未激活”，自己连接后才变为在线；接入密码请在设备管理中“更换接入密码”后取得。'],
  need: 'devices.device.import',
  words: async step => ({ models: new Map((await readModels(step.db)).flatMap(model => [[model.model_code, model] as const, [model.model_name, model] as const])) }),
  columns: () => device_columns,
  check: (words, cells) => checkDevice(words, cells),
  keys: parsed => deviceKeys(parsed),
  load: (step, rows) => loadDevices(step, rows),
  judge: (row, snapshot) => judgeDevice(row, snapshot),
  apply: (step, rows, snapshot) => applyDevices(step, rows, snapshot),
  undo: deviceUndo,
})
