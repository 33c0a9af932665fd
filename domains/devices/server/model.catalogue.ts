import type { DeviceModel } from '@campus/devices/contract'

type Known = Omit<DeviceModel, 'limits_source'> & { capabilities: Record<string, unknown>; limits_source?: DeviceModel['limits_source'] }

const terminal = { record_store: 2000, max_persons: 20_000, max_faces: 10_000, max_cards: 40_000, rows_per_command: 100, faces_per_command: 1, photo_max_bytes: 524_288, photo_types: ['jpg'], password_lengths: [4, 6, 8] }
const own_terminal = { record_store: 10_000, max_persons: 20_000, max_faces: 20_000, max_cards: 40_000, rows_per_command: 200, faces_per_command: 200, photo_max_bytes: 524_288, photo_types: ['jpg'], password_lengths: [4, 6] }
const own = { door_schedule: true, sleep: true, power: true, weekly: true, qr: true, online_verify: true, readback: 'digest' }
/** The small one, for the door of a single building. */
const small_terminal = { ...own_terminal, max_persons: 500, max_faces: 500, max_cards: 1000 }
const own_firmware = ['jbn', 'jap']

/** A model of our own protocol. */
function ours(model_code: string, model_name: string, device_type: Known['device_type'], capabilities: Record<string, unknown> = own): Known {
  return { model_code, model_name, device_type, driver: 'jdev', limits: own_terminal, capabilities, firmware_kinds: own_firmware, limits_source: 'documented' }
}

/** Hardware that speaks through the device above it. */
function child(model_code: string, model_name: string, device_type: Known['device_type']): Known {
  return { model_code, model_name, device_type, driver: 'gateway_child', limits: {}, capabilities: {}, firmware_kinds: [] }
}

/** The models that the product knows when it is installed; the platform operator changes limits afterwards (chapter 30 §1.2, 31 §5.9). */
export const known_models: readonly Known[] = [
  { model_code: 'VF105', model_name: 'VF105人脸门禁机', device_type: '01', driver: 'vf105', limits: terminal, capabilities: { door_schedule: false, sleep: false, power: false, weekly: true, qr: true, online_verify: true, readback: 'pages' }, firmware_kinds: ['dpk', 'ad_zip'] },
  ours('JD-F10', '人脸识别终端', '01'),
  { ...ours('JD-F5', '小型人脸识别终端', '01'), limits: small_terminal },
  ours('JD-B32', '电子班牌', '03', { ...own, content: true }),
  ours('JD-V8', '车载终端', '08', { ...own, position: true }),
  ours('JD-K12', '访客机', '12'),
  ours('JD-A6', '智能AI盒子', '15', { ai: true, gateway: true, readback: 'digest', algorithms: ['1', '2', '3', '4', '5', '6', '7', '8'] }),
  ours('JD-S43', '信息发布屏', '21', { ...own, content: true }),
  ours('JD-C4', '门禁控制器', '04', { ...own, gateway: true }),
  child('GATE-T1', '通道闸机', '02'),
  child('ATT-1', '刷卡考勤机', '05'),
  { model_code: 'IPC-4M', model_name: '网络摄像机', device_type: '06', driver: 'camera', limits: {}, capabilities: {}, firmware_kinds: [] },
  { model_code: 'NVR-32', model_name: '录像机', device_type: '07', driver: 'jdev', limits: { channels: 32 }, capabilities: { gateway: true, readback: 'digest' }, firmware_kinds: [] },
  child('BUS-R1', '校车刷卡机', '09'),
  child('POS-2', '消费机', '10'),
  child('WATER-1', '水控机', '11'),
  child('TEMP-1', '测温仪', '13'),
  child('ROBOT-1', '晨检机器人', '14'),
  { model_code: 'READER-1', model_name: '发卡器', device_type: '16', driver: 'manual', limits: {}, capabilities: {}, firmware_kinds: [] },
  child('PHONE-1', '可视电话', '17'),
  child('SCALE-1', '智能称重台', '18'),
  child('LOCK-1', '宿舍门锁', '19'),
  child('AMP-1', '广播功放', '20'),
  child('LPR-1', '车牌识别一体机', '22'),
  child('POWER-1', '电控箱', '23'),
  { model_code: 'PRINT-1', model_name: '自助打印机', device_type: '24', driver: 'manual', limits: {}, capabilities: {}, firmware_kinds: [] },
  { model_code: 'BOOK-1', model_name: '图书自助机', device_type: '25', driver: 'manual', limits: {}, capabilities: {}, firmware_kinds: [] },
  { model_code: 'OTHER', model_name: '其他设备', device_type: '99', driver: 'manual', limits: {}, capabilities: {}, firmware_kinds: [] },
]
