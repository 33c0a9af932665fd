import { importTemplate } from '@kit/server/excel'
import type { DevicesDb } from '../db.ts'
import { applyCameras } from './camera.apply.ts'
import { judgeCamera, loadCameras } from './camera.judge.ts'
import type { CameraSnapshot } from './camera.judge.ts'
import { camera_columns, cameraKeys, checkCamera } from './camera.parsed.ts'
import type { ParsedCamera } from './camera.parsed.ts'
import { cameraUndo } from './camera.undo.ts'

/** 摄像机导入: one line a camera (chapter 30 §6). */
export const cameraTemplate = importTemplate<DevicesDb, null, ParsedCamera, CameraSnapshot>({
  code: 'camera',
  page: '/VideoMonitoring',
  title: '摄像机导入',
  file_name: '摄像机导入模板.xlsx',
  sheet: '摄像机导入',
  notes: ['填写说明：红色列为必填；按序列号匹配，已登记的摄像机修改名称、场所、录像机、通道号和取流地址（空单元格不修改），没有的新增。', '新增的摄像机为“未激活”，录像机上报后才变为在线；取流地址加密保存，不会出现在页面和错误表中。'],
  need: 'devices.camera.import',
  words: () => Promise.resolve(null),
  columns: () => camera_columns,
  check: (_words, cells) => checkCamera(cells),
  keys: parsed => cameraKeys(parsed),
  load: (step, rows) => loadCameras(step, rows),
  judge: (row, snapshot) => judgeCamera(row, snapshot),
  apply: (step, rows, snapshot) => applyCameras(step, rows, snapshot),
  undo: cameraUndo,
})
