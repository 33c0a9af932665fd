import type { ConfigKey } from '@campus/school/contract'

type Choice = { value: number | string | boolean | null; label: string }

/** One setting: what it is called, what it does in plain words, and what may be chosen; `text` and `roles` are typed. */
export type Setting = { key: ConfigKey; label: string; effect: string; input: readonly Choice[] | 'text' | 'roles' }

const off_on = [{ value: 0, label: '关闭' }, { value: 1, label: '开启' }] as const

/** Everything that may be set for a school, in its groups. */
export const settings: readonly { title: string; list: readonly Setting[] }[] = [
  {
    title: '显示',
    list: [
      { key: 'dept_name_format', label: '班级名称格式', effect: '列表、导出和消息中班级的写法', input: [{ value: 1, label: '年级+班（一年级1班）' }, { value: 2, label: '完整路径（小学部/一年级/1班）' }, { value: 3, label: '仅班（1班）' }, { value: 4, label: '届别（2025级1班）' }] },
      { key: 'gps_type', label: '地图坐标系', effect: '站点、位置在地图上按哪种坐标显示；选错会偏移几百米；学校位置会自动换算', input: [{ value: 1, label: 'GCJ-02（高德、腾讯）' }, { value: 2, label: 'BD-09（百度）' }, { value: 3, label: 'WGS-84（GPS原始）' }] },
    ],
  },
  {
    title: '账号安全',
    list: [
      { key: 'is_password_strong', label: '强密码模式', effect: '开启后密码须同时含大写、小写字母和数字；不符合的账号下次登录时须先修改密码，不会打断正在使用的人', input: off_on },
    ],
  },
  {
    title: '教学与考勤',
    list: [
      { key: 'course_period', label: '排课与选课周期', effect: '按学期显示“学期排课、学期选课”，按学年显示“学年排课、学年选课”', input: [{ value: 1, label: '按学期' }, { value: null, label: '按学年' }] },
      { key: 'nocheck_status_autochange', label: '无法核实的考勤', effect: '考勤结算后仍待核实的记录：人工处理，或自动记为免考勤（不计入任何统计）。不会自动记为缺勤', input: [{ value: 0, label: '人工处理' }, { value: 1, label: '自动记为免考勤' }] },
    ],
  },
  {
    title: '人脸',
    list: [
      { key: 'face_protocol', label: '采集前须同意人脸协议', effect: '开启后，下列角色的人员同意协议之前，照片不下发到设备', input: [{ value: false, label: '关闭' }, { value: true, label: '开启' }] },
      { key: 'roles', label: '须同意协议的角色', effect: '角色代码，默认SYS003（教职工）', input: 'roles' },
      { key: 'forbid_face_test', label: '跳过人脸检测', effect: '开启后导入照片时不检测是否为人脸，设备可能无法识别', input: off_on },
    ],
  },
  {
    title: '帮助',
    list: [
      { key: 'open_ai_help', label: 'AI帮助', effect: '开启后页面右下角显示帮助按钮；关闭后5秒内消失', input: off_on },
      { key: 'ai_help_url', label: '帮助地址', effect: '留空时使用自带的帮助', input: 'text' },
    ],
  },
  {
    title: '文件存储',
    list: [
      { key: 'oss_type', label: '存储方式', effect: '只影响之后上传的文件，已有文件留在原处；未填接入信息时存放在本服务器', input: [{ value: 1, label: '阿里云OSS' }, { value: 2, label: '七牛' }, { value: 3, label: 'MinIO（S3）' }] },
      { key: 'oss_bucket', label: '存储空间', effect: '存储服务中的空间（bucket）名称', input: 'text' },
      { key: 'oss_region', label: '区域', effect: '如cn-hangzhou', input: 'text' },
      { key: 'oss_endpoint', label: '接入地址', effect: '主机名，可带端口，不含http://', input: 'text' },
      { key: 'oss_http_prefix', label: '访问前缀', effect: '文件对外的网址前缀，以http://或https://开头', input: 'text' },
    ],
  },
]

/** Every setting by its name, for whoever looks for one. */
export const configFields: readonly Pick<Setting, 'key' | 'label'>[] = settings.flatMap(({ list }) => list)
