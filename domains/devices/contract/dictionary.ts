import { dict } from '@kit/contract'

/** Kinds of devices; the school's own words for them are in the dictionary DEVICE_TYPE. */
export const DEVICE_TYPE = dict('DEVICE_TYPE', {
  '01': '人脸识别终端', '02': '通道闸机', '03': '电子班牌', '04': '门禁控制器', '05': '刷卡考勤机', '06': '网络摄像机', '07': '录像机(NVR)', '08': '车载终端', '09': '校车刷卡机',
  '10': '消费机', '11': '水控机', '12': '访客机', '13': '测温仪', '14': '晨检机器人', '15': '智能AI盒子', '16': '读卡器(发卡器)', '17': '可视电话(亲情话机)', '18': '智能称重台',
  '19': '宿舍门锁', '20': '广播功放', '21': '信息发布屏', '22': '车牌识别一体机', '23': '电控箱', '24': '自助打印机', '25': '图书自助机', '99': '其他',
})

/** What a device is doing, computed and never stored (chapter 30 §1.2). */
export const DEVICE_STATE = dict('DEVICE_STATE', { '0': '离线', '1': '在线', '2': '故障', '3': '停用', '4': '升级中', '5': '未激活' })

/** What boxes warn of; the school's own words for them are in the dictionary of that name. */
export const AI_WARN_KIND = dict('AI_WARN_KIND', { '1': '陌生人闯入', '2': '区域入侵', '3': '人员聚集', '4': '打架斗殴', '5': '攀高翻越', '6': '跌倒', '7': '抽烟', '8': '明火烟雾' })

/** What somebody has decided of a warning (chapter 30 §2.7). */
export const AI_WARN_STATE = dict('AI_WARN_STATE', { '0': '待处理', '1': '已忽略', '2': '违规' })

/** Which way a device lets people through. */
export const DEVICE_DIRECTION = dict('DEVICE_DIRECTION', { '1': '进', '2': '出', '3': '双向' })

/** Kinds that see faces: none of them stands in a private zone (chapter 30 rule 23). */
export const watching_types: readonly string[] = ['01', '06', '12', '14']

export const camera_type = '06'
/** Devices at which people pass: what a camera can watch. */
export const gate_types: readonly string[] = ['01', '02', '04', '12', '22']
/** Devices that look through cameras. */
export const box_types: readonly string[] = ['15']
/** Devices through which the picture of a camera comes. */
export const recorder_types: readonly string[] = ['07', '15']
