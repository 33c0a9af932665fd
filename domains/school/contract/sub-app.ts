/** What carries a sub-application's own address: its folder under `/mini/`, and the module where several share one folder. */
type Place = { folder: string; module?: true }

/** One sub-application of the product (product spec §2; titles as the school's menu says them). */
export type SubAppFact = {
  id: number
  code: string
  title: string
  /** group of the console's menu in which it stands */
  group: string
  icon: string
  school_types: readonly (1 | 2)[]
  /** opens only where the school's cloud fee service is on */
  cloud_fee?: true
  /** its pages are part of this product; the others open where the school has set a partner's address */
  built?: true
} & Place

const everywhere = [1, 2] as const
const schools = [1] as const

/** The 22 sub-applications, in the order of the product description. Nothing else opens by a signed link. */
export const subApps = [
  { id: 2001, code: 'dorm', title: '宿舍管理', group: 'service', icon: 'HomeOutlined', school_types: schools, folder: 'dorm' },
  { id: 2002, code: 'dorm_new', title: '宿舍管理(新)', group: 'service', icon: 'HomeOutlined', school_types: schools, folder: 'dorm-new' },
  { id: 2003, code: 'leave', title: '请假管理', group: 'service', icon: 'CalendarOutlined', school_types: everywhere, folder: 'leave', built: true },
  { id: 2004, code: 'approve', title: '审批中心', group: 'service', icon: 'AuditOutlined', school_types: everywhere, folder: 'approve', built: true },
  { id: 2005, code: 'pushMessage', title: '消息推送', group: 'information', icon: 'NotificationOutlined', school_types: everywhere, folder: 'push-message', built: true },
  { id: 2006, code: 'cloudAttend', title: '教职工考勤', group: 'attendance', icon: 'CarryOutOutlined', school_types: everywhere, folder: 'attend', module: true, built: true },
  { id: 2007, code: 'cloudStudentAttend', title: '学生考勤', group: 'attendance', icon: 'CarryOutOutlined', school_types: schools, folder: 'attend', module: true, built: true },
  { id: 2008, code: 'hall', title: '办事大厅', group: 'home', icon: 'AppstoreOutlined', school_types: everywhere, folder: 'hall', built: true },
  { id: 2009, code: 'door', title: '智能门锁', group: 'access', icon: 'SafetyOutlined', school_types: everywhere, folder: 'door', built: true },
  { id: 2010, code: 'privacy', title: '隐私协议管理', group: 'system', icon: 'SafetyCertificateOutlined', school_types: everywhere, folder: 'privacy' },
  { id: 2011, code: 'cloudFee', title: '一卡通收费', group: 'card', icon: 'CreditCardOutlined', school_types: everywhere, folder: 'cloud', module: true, cloud_fee: true },
  { id: 2012, code: 'cloudWater', title: '水控管理', group: 'card', icon: 'CreditCardOutlined', school_types: everywhere, folder: 'cloud', module: true, cloud_fee: true },
  { id: 2013, code: 'cloudDish', title: '智慧食堂', group: 'card', icon: 'CreditCardOutlined', school_types: everywhere, folder: 'cloud', module: true, cloud_fee: true },
  { id: 2014, code: 'cloudScale', title: '智能称重结算', group: 'card', icon: 'CreditCardOutlined', school_types: everywhere, folder: 'cloud', module: true, cloud_fee: true },
  { id: 2015, code: 'analyse', title: '数据分析', group: 'statistics', icon: 'BarChartOutlined', school_types: everywhere, folder: 'analyse' },
  { id: 2016, code: 'repair', title: '报修管理', group: 'service', icon: 'CustomerServiceOutlined', school_types: everywhere, folder: 'repair' },
  { id: 2017, code: 'fee', title: '缴费管理', group: 'card', icon: 'CreditCardOutlined', school_types: everywhere, folder: 'fee' },
  { id: 2018, code: 'voice', title: '亲情通话', group: 'service', icon: 'CustomerServiceOutlined', school_types: schools, folder: 'voice' },
  { id: 2019, code: 'schoolBus', title: '校车接送', group: 'service', icon: 'CustomerServiceOutlined', school_types: schools, folder: 'bus' },
  { id: 2020, code: 'attendManage', title: '考勤管理', group: 'attendance', icon: 'CarryOutOutlined', school_types: everywhere, folder: 'attend', module: true, built: true },
  { id: 2021, code: 'evaluate', title: '综合评价', group: 'service', icon: 'CustomerServiceOutlined', school_types: schools, folder: 'evaluate', built: true },
  { id: 2022, code: 'park', title: '停车管理', group: 'service', icon: 'CustomerServiceOutlined', school_types: everywhere, folder: 'park' },
] as const satisfies readonly SubAppFact[]
export type SubAppCode = (typeof subApps)[number]['code']

/** The codes alone, for schemas. */
export const sub_app_codes = subApps.map(app => app.code)

/** Path of a menu entry that is a sub-application and no page: the console opens a tab of its own for it. */
export function subAppPath(code: string): string {
  return `sub_app:${code}`
}

/** The code in such a path; null for a page. */
export function subAppOfPath(path: string): string | null {
  return path.startsWith('sub_app:') ? path.slice('sub_app:'.length) : null
}

/** Where our own pages of a sub-application are, under the installation's base, `/mini` unless set otherwise (chapter 80 M1). */
export function ownAddress({ code, folder, module }: Pick<SubAppFact, 'code' | 'folder' | 'module'>, base: string): string {
  return `${base}/${folder}/${module ? `?module=${code}` : ''}`
}
